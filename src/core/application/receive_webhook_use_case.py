"""A verified webhook body: record, enqueue, write statuses (20-turn.md, "Path of a message"). No model, no send."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.intake import Intake
from core.application.meta_webhook.batch import WebhookBatch
from core.application.outbound import read_callback
from core.application.ports import ConversationStore, InboundQueue
from core.domain.errors import BadInputError, IntegrationError
from core.domain.messages import DeliveryStatus, InboundMessage, InboundPointer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookReceipt:
    """What became of a body. Anything in `failed` must be sent again by the provider: the door answers 5xx."""

    recorded: int = 0
    enqueued: int = 0
    statuses: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveWebhookUseCase:
    """The table first, then the queue: what the queue loses, the provider's retry and the sweep heal."""

    intake: Intake
    store: ConversationStore
    queue: InboundQueue

    def execute(self, batch: WebhookBatch) -> WebhookReceipt:
        """Never raises for an item: each one that failed is counted, and no other is lost with it."""
        for problem in batch.problems:
            extra = {"reason": problem.reason, "path": problem.path, "detail": problem.detail}
            _log.warning("webhook_item_problem", extra=extra)
        for fault in batch.faults:
            _log.error("whatsapp_reported_error", extra={"code": fault.code, "title": fault.title})
        pointers, unrecorded = self._record(batch.messages)
        written, unwritten = self._write_statuses(batch.statuses)
        refused = self.queue.enqueue(pointers) if pointers else ()
        if refused:
            _log.error("enqueue_failed", extra={"refused": len(refused), "of": len(pointers)})
        return WebhookReceipt(
            recorded=len(batch.messages) - unrecorded,
            enqueued=len(pointers) - len(refused),
            statuses=written,
            failed=unrecorded + unwritten + len(refused),
        )

    def _record(self, messages: tuple[InboundMessage, ...]) -> tuple[list[InboundPointer], int]:
        pointers: list[InboundPointer] = []
        failed = 0
        for message in messages:
            try:
                pointer = self.intake.record(message)
            except BadInputError as error:
                _log.error("inbound_ignored", extra={"reason": error.reason, "kind": message.kind.value})
                continue
            except IntegrationError as error:
                _log.error("record_failed", extra={"error": str(error), "kind": message.kind.value})
                failed += 1
                continue
            if pointer is not None and message.opens_turn:
                pointers.append(pointer)
        return pointers, failed

    def _write_statuses(self, statuses: tuple[DeliveryStatus, ...]) -> tuple[int, int]:
        written = failed = 0
        for status in statuses:
            address = read_callback(status.callback)
            if address is None:
                _log.info("status_without_callback", extra={"status": status.status})
                continue
            conversation, sk, attempt = address
            try:
                written += self.store.apply_status(status, conversation=conversation, sk=sk, attempt=attempt)
            except IntegrationError as error:
                _log.error("status_failed", extra={"error": str(error)})
                failed += 1
        return written, failed
