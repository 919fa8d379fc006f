"""What attendants do to a conversation, each one conditional write (docs/attendants.md, "Commands")."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.application.delivery.attendant_replies import AttendantOutbox, plan_reply, reply_turn
from core.application.people.attendance.looking_up import at_home, last_heard
from core.application.ports import AttendedStore, Clock
from core.domain import head_transitions as transitions
from core.domain.attendant import Attendant, Refusal
from core.domain.conversation import AuditEntry, ConversationState, Head, Mode, PeopleWrite, Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart, PartState, SendFailure
from core.domain.errors import (
    AttendanceRefusedError,
    FilesUnsupportedError,
    SendError,
    SendRefusedError,
    StoreConflictError,
)
from core.domain.handoff import HandoffReason
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import audit_sk, reply_sk

_log = logging.getLogger(__name__)

_TRIES = 6
# What its own call did not send is the sweep's after this long.
_REPLY_GRACE_MS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """A reply's part as it stands, and whether the customer wrote something that the attendant had not seen."""

    part: OutboundPart
    newer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantDesk:
    """Reads, decides and writes; a write that somebody overtook is decided anew. Raises `AttendanceRefusedError`."""

    store: AttendedStore
    outbox: AttendantOutbox
    clock: Clock
    policy: ConversationPolicy

    def take(self, conversation: str, attendant: Attendant) -> Snapshot:
        """The bot is silent from this write on, and what of it waits is cancelled. Taking again is nothing."""

        def decide(snapshot: Snapshot) -> PeopleWrite | None:
            head, now_ms = snapshot.head, self.clock.now_ms()
            if head.mode is Mode.HUMAN and head.owner == attendant.id:
                return None
            if head.owner is not None and head.owner != transitions.BUSINESS_APP:
                raise _owned(head)
            state = snapshot.state
            if head.mode is not Mode.HUMAN:
                state = replace(state, human_since_ms=now_ms, human_until_ms=None, agreed=None)
            taken = transitions.taken(
                head, owner=attendant.id, owner_name=attendant.name, now_ms=now_ms, due_ms=self._idle_at_ms()
            )
            return self._write(
                snapshot, taken, attendant, "take", state=state, cancelled_parts=_parts_of_the_bot(snapshot)
            )

        return self._done(conversation, decide)

    def reply(
        self,
        conversation: str,
        attendant: Attendant,
        text: str,
        *,
        client_id: str,
        deadline: Deadline,
        seen: str | None = None,
        file: OutgoingFile | None = None,
    ) -> Replied:
        """The owner's words to the customer, written once for each `client_id` and sent in order. `seen` is the newest
        key that the attendant was shown. The channel has a `file`, whose caption the text is, before anything is
        written.
        """
        turn = reply_turn(conversation, client_id)
        uploaded: dict[str, Media] = {}  # by number: a decision that is taken anew uploads nothing again

        def decide(snapshot: Snapshot) -> PeopleWrite | None:
            if any(part.turn == turn for part in snapshot.parts):
                return None
            self._owner_only(snapshot.head, attendant)
            last = last_heard(self.store, snapshot)
            if last is None or self.clock.now_ms() >= last.window_closes_ms:
                raise AttendanceRefusedError(Refusal.WINDOW_CLOSED)
            number = last.recipient.phone_number_id
            if file is not None and number not in uploaded:
                uploaded[number] = self._uploaded(file, number, deadline)
            now_ms = self.clock.now_ms()
            part = plan_reply(
                snapshot,
                text,
                turn=turn,
                author=attendant.name,
                recipient=last.recipient,
                now_ms=now_ms,
                due_ms=now_ms + _REPLY_GRACE_MS,
                window_closes_ms=last.window_closes_ms,
                media=uploaded.get(number),
            )
            head = transitions.replied(snapshot.head, now_ms=now_ms, due_ms=self._idle_at_ms())
            return self._write(snapshot, head, attendant, "reply", detail=turn, parts=(part,), once=reply_sk(client_id))

        before = self._done(conversation, decide)
        self.outbox.drain(before.conversation, deadline)
        now = self.store.read(before.conversation)
        part = next((each for each in now.parts if each.turn == turn), None)
        if part is None:  # written so long ago that it is beyond the page
            raise AttendanceRefusedError(Refusal.MOVED)
        newest = before.newest_inbound
        return Replied(part=part, newer=bool(seen and newest and newest.sk > seen))

    def _uploaded(self, file: OutgoingFile, phone_number_id: str, deadline: Deadline) -> Media:
        try:
            return self.outbox.upload(file, phone_number_id, deadline)
        except FilesUnsupportedError:
            raise AttendanceRefusedError(Refusal.FILES_UNSUPPORTED) from None
        except SendError as error:
            lasting = isinstance(error, SendRefusedError) and error.failure is SendFailure.BAD_REQUEST
            reason = Refusal.FILE_REFUSED if lasting else Refusal.FILE_NOT_TAKEN
            _log.warning("file_not_uploaded", extra={"reason": reason.value, "code": error.code})
            raise AttendanceRefusedError(reason) from None

    def hand_back(self, conversation: str, attendant: Attendant, *, agreed: str = "") -> Snapshot:
        """The bot answers the next message; what waits now it does not answer. `agreed` is for the agents."""

        def decide(snapshot: Snapshot) -> PeopleWrite | None:
            self._may_end(snapshot.head, attendant)
            completed = snapshot.head.handoff_reason == HandoffReason.COMPLETED.value
            head = transitions.handed_back(snapshot.head, closed=completed and not agreed)
            state = replace(snapshot.state, agreed=agreed or None)
            return self._write(snapshot, head, attendant, "hand_back", state=state, answered=snapshot.head.pending)

        return self._done(conversation, decide)

    def close(self, conversation: str, attendant: Attendant) -> Snapshot:
        """It is over: the customer's next message begins anew."""

        def decide(snapshot: Snapshot) -> PeopleWrite | None:
            self._may_end(snapshot.head, attendant)
            head = transitions.handed_back(snapshot.head, closed=True)
            state = replace(snapshot.state, closed_at_ms=self.clock.now_ms())
            return self._write(snapshot, head, attendant, "close", state=state, answered=snapshot.head.pending)

        return self._done(conversation, decide)

    def _done(self, conversation: str, decide: Callable[[Snapshot], PeopleWrite | None]) -> Snapshot:
        """What was read when the write was decided, with HEAD as it stands now."""
        for _ in range(_TRIES):
            snapshot = at_home(self.store, conversation)
            write = decide(snapshot)
            if write is None:
                return snapshot
            try:
                wrote = self.store.attend(write)
            except StoreConflictError:
                continue
            if wrote:
                extra = {"conversation": snapshot.conversation, "action": write.audit.action}
                _log.info("attended", extra=extra)
                return replace(snapshot, head=write.head, state=write.state or snapshot.state)
            return snapshot
        raise AttendanceRefusedError(Refusal.MOVED)

    def _write(
        self,
        snapshot: Snapshot,
        head: Head,
        attendant: Attendant,
        action: str,
        *,
        state: ConversationState | None = None,
        detail: str = "",
        answered: frozenset[str] = frozenset(),
        parts: tuple[OutboundPart, ...] = (),
        cancelled_parts: tuple[str, ...] = (),
        once: str | None = None,
    ) -> PeopleWrite:
        return PeopleWrite(
            conversation=snapshot.conversation,
            seen=snapshot.head,
            head=head,
            audit=audit_of(snapshot, attendant, action, now_ms=self.clock.now_ms(), detail=detail),
            state=state,
            answered=answered,
            parts=parts,
            cancelled_parts=cancelled_parts,
            once=once,
        )

    def _owner_only(self, head: Head, attendant: Attendant) -> None:
        if head.mode is Mode.HUMAN and head.owner == attendant.id:
            return
        if head.owner is not None:
            raise _owned(head)
        raise AttendanceRefusedError(Refusal.NOT_TAKEN)

    def _may_end(self, head: Head, attendant: Attendant) -> None:
        """The owner, and anybody where nobody is: who only reads a card may find that the bot can go on."""
        if head.mode is not Mode.HUMAN:
            raise AttendanceRefusedError(Refusal.WITH_BOT)
        if head.owner not in (None, attendant.id, transitions.BUSINESS_APP):
            raise _owned(head)

    def _idle_at_ms(self) -> int:
        return self.clock.now_ms() + self.policy.owner_idle_minutes * 60_000


def audit_of(snapshot: Snapshot, attendant: Attendant, action: str, *, now_ms: int, detail: str = "") -> AuditEntry:
    """Named after what it is of, so that a call that is repeated inside one write is one entry."""
    seed = f"{snapshot.conversation}|{snapshot.head.ver}|{attendant.id}|{action}|{detail}|{now_ms}"
    return AuditEntry(
        sk=audit_sk(now_ms, hashlib.sha256(seed.encode()).hexdigest()[:12]),
        at_ms=now_ms,
        actor=attendant.id,
        actor_name=attendant.name,
        action=action,
        detail=detail,
    )


def _parts_of_the_bot(snapshot: Snapshot) -> tuple[str, ...]:
    """What the bot has still to say, but for what is said whoever has the conversation."""
    return tuple(
        part.sk
        for part in snapshot.parts
        if part.state is PartState.PENDING and part.author is None and (not part.exempt or part.unless_taken)
    )


def _owned(head: Head) -> AttendanceRefusedError:
    return AttendanceRefusedError(Refusal.OWNED, owner=head.owner, owner_name=head.owner_name)
