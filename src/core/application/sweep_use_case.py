"""The schedule's work: whatever is due and nobody did (docs/turn.md, "When things fail"; docs/handoff.md)."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from core.application.delivery.due_parts import OutboxSweep, passes_over
from core.application.delivery.undelivered import handoff_for_report
from core.application.log_context import about
from core.application.people.data_rights import DataRights
from core.application.people.handoff_watch import HandoffWatch
from core.application.ports import Clock, ConversationStore
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.turn.decision import TurnOutcome
from core.domain.conversation import PENDING_OVERDUE_MS, Snapshot
from core.domain.deadline import Deadline
from core.domain.errors import BalcaoError, UnreadableItemError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.head_transitions import due_ms_of
from core.domain.messages import InboundPointer
from core.domain.record_keys import HEAD, erase_job_sk, is_effect, is_part

_log = logging.getLogger(__name__)

# What one item may take: a text is read, committed and sent; a summary needs a model call.
SECONDS_PER_TEXT = 15.0
SECONDS_PER_EFFECT = 20.0
# While summaries wait, texts are begun only until so much is left, or a refusing channel would keep people from theirs.
SECONDS_LEFT_TO_EFFECTS = 30.0
# What was passed over or failed stands behind everything that is due by now.
POSTPONED_MS = 60_000
# What cannot be read rings until somebody has mended it, and no oftener than people can look.
UNREADABLE_AGAIN_MS = 900_000


# Runs a step and says what it failed with, if it did: words fit for a log.
Attempt = Callable[[Callable[[], None]], str | None]


class _Became(StrEnum):
    """What a run did about an item."""

    DONE = "done"
    POSTPONED = "postponed"
    FAILED = "failed"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """How many due items were seen; taken care of; put off, since nothing could be done about them yet; failed, and put
    off too; and left for the next run for lack of time.
    """

    seen: int
    done: int
    postponed: int
    failed: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepUseCase:
    """The index is a hint: every step reads the base table and writes under its conditions, so racing it is safe.

    `executor` bounds how many conversations are worked on at once; the items of one are taken one after another.
    """

    store: ConversationStore
    turns: ProcessMessageUseCase
    outbox: OutboxSweep
    handoffs: HandoffWatch
    rights: DataRights
    clock: Clock
    executor: Executor

    def execute(self, *, deadline: Deadline, attempt: Attempt | None = None) -> SweepResult:
        """Takes due items, what customers wait for before what people do, oldest first, until time runs short or
        nothing is due. One that fails never stops the others; what counts as a failure, and not as a reason to stop,
        `attempt` says.
        """
        attempt = attempt or expected_failure
        became: Counter[_Became] = Counter()
        taken: set[InboundPointer] = set()
        while due := [each for each in self.store.due(now_ms=self.clock.now_ms()) if each not in taken]:
            texts = [each for each in due if not is_effect(each.sk)]
            effects = [each for each in due if is_effect(each.sk)]
            until = SECONDS_LEFT_TO_EFFECTS if effects else SECONDS_PER_TEXT
            now = self._work(texts, deadline, attempt, until_seconds=until)
            if not texts or now[_Became.LEFT]:
                now += self._work(effects, deadline, attempt, until_seconds=SECONDS_PER_EFFECT)
            else:
                effects = []  # looked for again: the texts may have brought more of them
            became += now
            if now[_Became.LEFT]:
                break
            taken.update(texts, effects)
        return SweepResult(seen=became.total(), **{each.value: became[each] for each in _Became})

    def _work(
        self, pointers: Sequence[InboundPointer], deadline: Deadline, attempt: Attempt, *, until_seconds: float
    ) -> Counter[_Became]:
        """Conversations side by side; what is raised there is raised here."""
        groups: dict[str, list[InboundPointer]] = {}
        for pointer in pointers:
            groups.setdefault(pointer.conversation, []).append(pointer)
        begun = [
            self.executor.submit(self._take_group, group, deadline, attempt, until_seconds) for group in groups.values()
        ]
        return sum((future.result() for future in begun), Counter[_Became]())

    def _take_group(
        self, group: Sequence[InboundPointer], deadline: Deadline, attempt: Attempt, until_seconds: float
    ) -> Counter[_Became]:
        """In the order of their keys: a conversation's parts before its head, its card before its notification."""
        became: Counter[_Became] = Counter()
        for pointer in sorted(group, key=lambda each: each.sk):
            if deadline.seconds_left() < until_seconds:
                became[_Became.LEFT] += 1
            else:
                with about(pointer.conversation):
                    became[self._try(pointer, deadline, attempt)] += 1
        return became

    def _try(self, pointer: InboundPointer, deadline: Deadline, attempt: Attempt) -> _Became:
        """What is not done gets a later due time, or it would be first for ever."""
        done: list[bool] = []
        error = attempt(lambda: done.append(self._take(pointer, deadline)))
        if error is None and all(done):
            return _Became.DONE
        now_ms = self.clock.now_ms()
        put_off = partial(self.store.postpone, pointer, now_ms=now_ms, due_ms=now_ms + POSTPONED_MS)
        lost = attempt(put_off)
        if error is None:
            return _Became.POSTPONED
        extra = {"conversation": pointer.conversation, "error": error, "put_off": lost is None}
        _log.error("sweep_item_failed", extra=extra)
        return _Became.FAILED

    def _take(self, pointer: InboundPointer, deadline: Deadline) -> bool:
        """Whether it is taken care of."""
        try:
            if pointer.sk == erase_job_sk():
                return self.rights.finish(pointer.conversation)
            if is_effect(pointer.sk):
                return self.handoffs.finish_effect(pointer.conversation, pointer.sk, deadline)
            return self._head(pointer, deadline) if pointer.sk == HEAD else self._part(pointer, deadline)
        except UnreadableItemError as error:
            return self._unreadable(pointer, error, deadline)

    def _unreadable(self, pointer: InboundPointer, error: UnreadableItemError, deadline: Deadline) -> bool:
        """A part that can be read goes on, whatever else cannot. Of all else people get the conversation, and it is
        looked at again when they should have come; a part that cannot be read no more, since people say what it said.
        """
        now_ms = self.clock.now_ms()
        if is_part(pointer.sk):
            outbox = self.store.salvage(pointer.conversation, ensure=pointer.sk).outbox
            if outbox.part(pointer.sk) is not None:
                return self._settle(outbox, pointer, deadline)
        if is_effect(pointer.sk) and error.what == "effect":
            _log.error("effect_unreadable", extra={"conversation": pointer.conversation, "reason": error.reason})
        else:
            self.turns.hand_over_unread(pointer.conversation, error, deadline=deadline)
        later = None if is_part(pointer.sk) else now_ms + UNREADABLE_AGAIN_MS
        self.store.postpone(pointer, now_ms=now_ms, due_ms=later)
        return is_part(pointer.sk)

    def _head(self, pointer: InboundPointer, deadline: Deadline) -> bool:
        conversation = pointer.conversation
        snapshot = self.store.read(conversation)
        if _is_neglected(snapshot, self.clock.now_ms()):
            _log.error("inbound_overdue", extra={"conversation": conversation, "pending": len(snapshot.head.pending)})
            request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="overdue")
            return self._hand_over(conversation, request, deadline)
        if not self.handoffs.look_after(snapshot, deadline):
            # the index listed it before its time, as it does what was answered a moment ago
            self.store.postpone(pointer, now_ms=self.clock.now_ms(), due_ms=due_ms_of(snapshot.head))
        return True

    def _part(self, pointer: InboundPointer, deadline: Deadline) -> bool:
        return self._settle(self.store.read(pointer.conversation, ensure=pointer.sk), pointer, deadline)

    def _settle(self, snapshot: Snapshot, pointer: InboundPointer, deadline: Deadline) -> bool:
        if passes_over(snapshot, pointer.sk, now_ms=self.clock.now_ms()):
            return False
        report = self.outbox.settle(snapshot, pointer.sk, deadline)
        if report is None:
            return True
        part = snapshot.part(pointer.sk)
        people_wrote_it = part is not None and part.author is not None
        if not people_wrote_it and (request := handoff_for_report(report)) is not None:
            self._hand_over(pointer.conversation, request, deadline)
        return not report.waits

    def _hand_over(self, conversation: str, request: HandoffRequest, deadline: Deadline) -> bool:
        """The customer's text now; the card, with its summary, once every other customer has theirs."""
        try:
            result = self.turns.hand_over(conversation, request, deadline=deadline, effects_wait=True)
        except UnreadableItemError as error:
            result = self.turns.hand_over_unread(conversation, error, deadline=deadline)
        return result.outcome is not TurnOutcome.ALREADY_ANSWERED


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
