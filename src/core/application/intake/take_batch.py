"""Takes a webhook body apart: identities, messages, statuses into the table; what must be processed, as pointers.

Conversations go side by side, since a record is a transaction of several milliseconds; one conversation's messages go
together or one after another, in their order. Whatever happens to one item, the others are taken.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import TypeVar

from core.application.intake.grouping import groups_by_shared_name
from core.application.intake.inbound_batch import IdentityChange, WebhookBatch
from core.application.intake.record_message import Intake
from core.application.log_context import about
from core.application.ports import BURST_MAX, ConversationStore
from core.domain.delivery import DeliveryStatus
from core.domain.errors import BadInputError, IntegrationError
from core.domain.messages import InboundMessage, InboundPointer
from core.domain.part_callback import read_callback

_log = logging.getLogger(__name__)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one item: where to answer, if it asks for that; whether it counts as taken."""

    pointer: InboundPointer | None = None
    counts: bool = True


NOTED = Taken()
IGNORED = Taken(counts=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBatch:
    """`pointers` are what asks for an answer or for a person, in the body's order; `failed` items must come again."""

    pointers: tuple[InboundPointer, ...] = ()
    recorded: int = 0
    statuses: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchIntake:
    """`executor` bounds how much happens at once; what it carries is given back through its futures."""

    intake: Intake
    store: ConversationStore
    executor: Executor

    def take(self, batch: WebhookBatch) -> TakenBatch:
        """Raises nothing for an item. A changed identity comes first: the messages beside it may be of the new one."""
        _tell(batch)
        changes = self._all(batch.identity_changes, self._change, by=lambda _change: ("changes",))
        messages = self._all(batch.messages, self._record, by=self.intake.group_key, together=self.intake.record_burst)
        statuses = self._all(batch.statuses, self._apply, by=_conversation_of)
        taken = (future.result() for future in (*messages, *statuses) if future.exception() is None)
        return TakenBatch(
            pointers=tuple(each.pointer for each in taken if each.pointer is not None),
            recorded=_count_taken(messages),
            statuses=_count_taken(statuses),
            failed=sum(_must_come_again(future) for future in (*changes, *messages, *statuses)),
        )

    def _all(
        self,
        items: Sequence[Item],
        take: Callable[[Item], Taken],
        *,
        by: Callable[[Item], tuple[str, ...]],
        together: Callable[[Sequence[Item]], Sequence[InboundPointer]] | None = None,
    ) -> list[Future[Taken]]:
        """A group `together`, where that can be; else the first of each group at once, then the second of each. A
        future carries what was raised.
        """
        futures: dict[int, Future[Taken]] = {}
        groups = groups_by_shared_name([by(item) for item in items])
        if together is not None:
            futures = self._bursts(groups, items, together)
        alone = [[place for place in group if place not in futures] for group in groups]
        for places in zip_longest(*alone):
            begun = {place: self.executor.submit(partial(take, items[place])) for place in places if place is not None}
            wait(begun.values())
            futures |= begun
        return [futures[place] for place in sorted(futures)]

    def _bursts(
        self,
        groups: Sequence[Sequence[int]],
        items: Sequence[Item],
        together: Callable[[Sequence[Item]], Sequence[InboundPointer]],
    ) -> dict[int, Future[Taken]]:
        """What could be taken whole, as many messages of each group at a time as the table takes; of a group's rest,
        for whatever reason, nothing is done yet.
        """
        taken: dict[int, Future[Taken]] = {}
        while groups := [group for group in groups if len(group) > 1]:
            heads = [group[:BURST_MAX] for group in groups]
            begun = [(head, self.executor.submit(together, [items[place] for place in head])) for head in heads]
            wait([future for _, future in begun])
            whole = {head[0]: future.result() for head, future in begun if future.exception() is None}
            for head, _ in begun:
                pairs = zip(head, whole.get(head[0]) or (), strict=False)
                taken |= {place: _future_of(pointer) for place, pointer in pairs}
            groups = [group[BURST_MAX:] for group in groups if group[0] in taken]
        return taken

    def _change(self, change: IdentityChange) -> Taken:
        self.intake.change_identity(change)
        return NOTED

    def _record(self, message: InboundMessage) -> Taken:
        pointer = self.intake.record(message)
        if pointer is None:
            return IGNORED
        return Taken(pointer=pointer) if message.opens_turn else NOTED

    def _apply(self, status: DeliveryStatus) -> Taken:
        """A part that failed is queued however often it is told: the part on the table says what is left to do."""
        address = read_callback(status.callback)
        if address is None:
            _log.info("status_without_callback", extra={"status": status.status})
            return IGNORED
        conversation, sk, attempt = address
        with about(conversation):
            changed = self.store.apply_status(status, conversation=conversation, sk=sk, attempt=attempt)
        if status.failed:
            _log.warning("send_failed_after_the_fact", extra={"conversation": conversation, "code": status.error_code})
            return Taken(pointer=InboundPointer(conversation=conversation, sk=sk))
        return NOTED if changed else IGNORED


def _tell(batch: WebhookBatch) -> None:
    for problem in batch.problems:
        extra = {"reason": problem.reason, "path": problem.path, "detail": problem.detail}
        _log.warning("webhook_item_problem", extra=extra)
    for fault in batch.faults:
        _log.error("whatsapp_reported_error", extra={"code": fault.code})


def _future_of(pointer: InboundPointer) -> Future[Taken]:
    future: Future[Taken] = Future()
    future.set_result(Taken(pointer=pointer))
    return future


def _count_taken(futures: Sequence[Future[Taken]]) -> int:
    return sum(future.exception() is None and future.result().counts for future in futures)


def _must_come_again(future: Future[Taken]) -> bool:
    """Whether the item must come again; what cannot be recorded at all would never be better."""
    error = future.exception()
    if error is None:
        return False
    if isinstance(error, BadInputError):
        _log.error("item_ignored", extra={"reason": error.reason})
        return False
    told = str(error) if isinstance(error, IntegrationError) else type(error).__name__
    _log.error("item_failed", extra={"error": told})
    return True


def _conversation_of(status: DeliveryStatus) -> tuple[str, ...]:
    address = read_callback(status.callback)
    return (address[0],) if address else ()
