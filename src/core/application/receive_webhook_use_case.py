"""A verified webhook body: record, enqueue, write statuses (docs/turn.md, "Path of a message"). No model, no send."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.intake.inbound_batch import WebhookBatch
from core.application.intake.take_batch import BatchIntake
from core.application.ports import InboundQueue

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookReceipt:
    """What became of a body. Anything in `failed` must be sent again by the provider: the door answers 5xx."""

    recorded: int
    enqueued: int
    statuses: int
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveWebhookUseCase:
    """The table first, then the queue: what the queue loses, the provider's retry and the sweep heal."""

    batches: BatchIntake
    queue: InboundQueue

    def execute(self, batch: WebhookBatch) -> WebhookReceipt:
        """Never raises for an item: each one that failed is counted, and no other is lost with it."""
        taken = self.batches.take(batch)
        refused = self.queue.enqueue(taken.pointers) if taken.pointers else ()
        if refused:
            _log.error("enqueue_failed", extra={"refused": len(refused), "of": len(taken.pointers)})
        return WebhookReceipt(
            recorded=taken.recorded,
            enqueued=len(taken.pointers) - len(refused),
            statuses=taken.statuses,
            failed=taken.failed + len(refused),
        )
