"""Due outbound parts (docs/outbox.md): what nobody reported, what waits, what is not known, what is left behind."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.delivery.send_parts import LEASE_MARGIN_MS, OutboundService, SendReport
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import SETTLED, OutboundPart, PartOutcome, PartState, being_sent

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxSweep:
    """Takes one due part a step further. Every step is conditional: whoever races it, one wins."""

    store: ConversationStore
    outbound: OutboundService
    clock: Clock
    unknown_seconds: int

    def settle(self, snapshot: Snapshot, sk: str, deadline: Deadline) -> SendReport | None:
        """What was sent, if anything had to be."""
        part = snapshot.part(sk)
        if part is None:
            return None
        if part.state is PartState.SENDING:
            self._doubt_lease(snapshot, part, deadline)
            return None
        if part.state is PartState.UNKNOWN:
            return self._settle_unknown(snapshot, part, deadline)
        if part.state is PartState.PENDING and not _waits_for_another(snapshot, part):
            return self._send(snapshot, part, deadline)
        if part.state in SETTLED and part.due_ms is not None:
            return self._look_behind(snapshot, part, deadline)
        return None

    def _look_behind(self, snapshot: Snapshot, part: OutboundPart, deadline: Deadline) -> SendReport | None:
        """A status settled it while nobody was there to send the next one."""
        behind = _behind(snapshot, part)
        report = self._send(snapshot, behind[0], deadline) if behind else None
        self.store.rest_part(snapshot.conversation, part)
        return report

    def _doubt_lease(self, snapshot: Snapshot, part: OutboundPart, deadline: Deadline) -> None:
        """The lease ran out: the process died between the send and its outcome, or before the send."""
        if part.lease_until_ms is not None and part.lease_until_ms > self.clock.now_ms():
            return
        due_ms = self.clock.now_ms() + self.unknown_seconds * 1000
        outcome = PartOutcome(sk=part.sk, attempt=part.attempt, state=PartState.UNKNOWN, due_ms=due_ms)
        self._write(snapshot, part, outcome, deadline)
        _log.warning("send_lease_expired", extra={"conversation": snapshot.conversation, "attempt": part.attempt})

    def _settle_unknown(self, snapshot: Snapshot, part: OutboundPart, deadline: Deadline) -> SendReport | None:
        """No status settled it in time: sent once more, unless the conversation has gone on. Unknown twice, a person
        must look; sends that were refused leave no doubt, and do not count.
        """
        overtaken = not (part.exempt or part.unless_taken) and snapshot.head.last_turn != part.turn
        if overtaken or part.repeated:
            reason = "overtaken" if overtaken else "unknown_twice"
            outcome = PartOutcome(sk=part.sk, attempt=part.attempt, state=PartState.FAILED, error=reason)
            self._write(snapshot, part, outcome, deadline)
            _log.warning("send_given_up", extra={"conversation": snapshot.conversation, "reason": reason})
            return None if overtaken else SendReport(given_up=True)
        _log.warning("send_repeated_after_unknown", extra={"conversation": snapshot.conversation, "part": part.number})
        return self._send(snapshot, part, deadline)

    def _write(self, snapshot: Snapshot, part: OutboundPart, outcome: PartOutcome, deadline: Deadline) -> None:
        behind = _behind(snapshot, part)
        self.store.record_outcome(
            snapshot.conversation,
            outcome,
            release=behind[0].sk if behind else None,
            release_due_ms=deadline.ends_at_ms + LEASE_MARGIN_MS,
        )

    def _send(self, snapshot: Snapshot, part: OutboundPart, deadline: Deadline) -> SendReport | None:
        claimed = being_sent(part, lease_until_ms=deadline.ends_at_ms + LEASE_MARGIN_MS)
        behind = _behind(snapshot, part)
        waiting = [each.sk for each in behind]
        if not self.store.claim_part(snapshot.conversation, claimed, seen_attempt=part.attempt, behind=waiting):
            return None
        return self.outbound.send(snapshot.conversation, [claimed, *behind], deadline)


def passes_over(snapshot: Snapshot, sk: str, *, now_ms: int) -> bool:
    """Whether nothing can be done about a part now: it is gone, another must go first, or somebody is sending it."""
    part = snapshot.part(sk)
    if part is None:
        return True
    if part.state is PartState.SENDING:
        return part.lease_until_ms is not None and part.lease_until_ms > now_ms
    return part.state is PartState.PENDING and _waits_for_another(snapshot, part)


def is_before(other: OutboundPart, part: OutboundPart) -> bool:
    """Whether an attendant's part waits for another of theirs, which is not settled."""
    return other.author is not None and other.sk < part.sk and other.state not in SETTLED


def _behind(snapshot: Snapshot, part: OutboundPart) -> list[OutboundPart]:
    """The later parts of the same answer, so that they leave in order."""
    return [
        entry
        for entry in snapshot.parts
        if entry.turn == part.turn and entry.number > part.number and entry.state is PartState.PENDING
    ]


def _waits_for_another(snapshot: Snapshot, part: OutboundPart) -> bool:
    """Parts leave in order: an earlier one that somebody is still to settle takes this one along when it goes. Only
    parts of an older version are due beside another. What attendants write leaves in the order in which they wrote it.
    """
    if part.author is not None:
        return any(is_before(each, part) for each in snapshot.parts)
    earlier = (each for each in snapshot.parts if each.turn == part.turn and each.number < part.number)
    return any(each.due_ms is not None for each in earlier)
