"""The schedule's work: whatever is due and nobody did (docs/turn.md, "When things fail"; docs/handoff.md)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from core.application.delivery.due_parts import OutboxSweep
from core.application.delivery.undelivered import handoff_for_report
from core.application.people.handoff_watch import HandoffWatch
from core.application.ports import Clock, ConversationStore
from core.application.process_message_use_case import ProcessMessageUseCase
from core.domain.conversation import PENDING_OVERDUE_MS, Snapshot
from core.domain.deadline import Deadline
from core.domain.errors import BalcaoError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.messages import InboundPointer
from core.domain.record_keys import HEAD, is_effect

_log = logging.getLogger(__name__)

# A conversation may need a model call for its summary: no more are begun than the time left allows.
SECONDS_PER_ITEM = 20.0


# Runs a step and says what it failed with, if it did: words fit for a log.
Attempt = Callable[[Callable[[], None]], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """How many due items were seen, taken care of, and left for the next run after a failure or for lack of time."""

    seen: int
    done: int
    failed: int
    left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepUseCase:
    """The index is a hint: every step reads the base table and writes under its conditions, so racing it is safe."""

    store: ConversationStore
    turns: ProcessMessageUseCase
    outbox: OutboxSweep
    handoffs: HandoffWatch
    clock: Clock

    def execute(self, *, deadline: Deadline, attempt: Attempt | None = None) -> SweepResult:
        """Takes due items oldest first until time runs short. One that fails never stops the others; what counts as a
        failure, and not as a reason to stop, `attempt` says.
        """
        attempt = attempt or expected_failure
        due = self.store.due(now_ms=self.clock.now_ms())
        done = failed = 0
        for index, pointer in enumerate(due):
            if deadline.seconds_left() < SECONDS_PER_ITEM:
                return SweepResult(seen=len(due), done=done, failed=failed, left=len(due) - index)
            error = attempt(partial(self._take, pointer, deadline))
            if error is None:
                done += 1
                continue
            failed += 1
            _log.error("sweep_item_failed", extra={"conversation": pointer.conversation, "error": error})
        return SweepResult(seen=len(due), done=done, failed=failed)

    def _take(self, pointer: InboundPointer, deadline: Deadline) -> None:
        if is_effect(pointer.sk):
            self.handoffs.finish_effect(pointer.conversation, pointer.sk, deadline)
        elif pointer.sk == HEAD:
            self._head(pointer.conversation, deadline)
        else:
            self._part(pointer, deadline)

    def _head(self, conversation: str, deadline: Deadline) -> None:
        snapshot = self.store.read(conversation)
        if _is_neglected(snapshot, self.clock.now_ms()):
            _log.error("inbound_overdue", extra={"conversation": conversation, "pending": len(snapshot.head.pending)})
            request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="overdue")
            self.turns.hand_over(conversation, request, deadline=deadline)
        else:
            self.handoffs.look_after(snapshot, deadline)

    def _part(self, pointer: InboundPointer, deadline: Deadline) -> None:
        snapshot = self.store.read(pointer.conversation, ensure=pointer.sk)
        report = self.outbox.settle(snapshot, pointer.sk, deadline)
        if report is not None and (request := handoff_for_report(report)) is not None:
            self.turns.hand_over(pointer.conversation, request, deadline=deadline)


def expected_failure(step: Callable[[], None]) -> str | None:
    """Our own errors are failures; anything else is raised."""
    try:
        step()
    except BalcaoError as error:
        return str(error) or type(error).__name__
    return None


def _is_neglected(snapshot: Snapshot, now_ms: int) -> bool:
    since = snapshot.head.pending_since_ms
    return bool(snapshot.head.pending) and since is not None and now_ms - since >= PENDING_OVERDUE_MS
