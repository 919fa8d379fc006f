"""A conversation as the table holds it (docs/turn.md, "The table")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.domain.actions import Agent
from core.domain.delivery import OutboundPart, Recipient
from core.domain.ledger import TurnRecord
from core.domain.messages import InboundMessage
from core.domain.spending import Spend
from core.domain.values.field_value import FieldValue

# A message that nobody answered for so long is answered by the sweep (docs/turn.md, "When things fail").
PENDING_OVERDUE_MS = 600_000


class Mode(StrEnum):
    """Who answers. `closed` is a bot whose next message opens a new session."""

    BOT = "bot"
    HUMAN = "human"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """`S#HEAD`: under 1 KB, the item that every condition is on.

    `ver` counts commits, `in_rev` recorded messages; `pending` holds the sks of inbound messages not yet answered.
    `handoff_*` describe the handoff in force while `mode` is `human`, and `due_ms` is when it must be looked at; for
    pending messages the table is due of its own accord. `failures` counts the turns that failed since the last commit,
    `failure_kind` is the last one's. `aliases` are the customer's other conversation ids, which lead
    here by `moved_to`, each with the time until which that surely lasts; `bsuid` is the id that the BSUID gives, once
    it was seen beside a phone. `spent` is what model calls cost by day, in millionths of a dollar: here and not in
    STATE, which each commit writes whole, since a summary or a run that was overtaken costs after or without a commit.

    For those who attend (docs/attendants.md): `handoff_turn` wrote the card, `people_since_ms` is since when the
    customer waits for a word of a person, `owner` and `owner_name` who has the conversation, `owner_spoke_ms` their
    last word or when they took it. `name` and `last_inbound_ms` are of the message recorded last, `undelivered` counts
    parts that surely did not arrive: a reader is told by it that one did not. `erased_at_ms`: nothing older is held
    of the customer, and nothing older is taken (docs/lgpd.md). `formerly` is where an id led before it became another
    person's: what still stands under it is that one's.
    """

    mode: Mode = Mode.BOT
    ver: int = 0
    in_rev: int = 0
    pending: frozenset[str] = frozenset()
    pending_since_ms: int | None = None
    last_turn: str | None = None
    session_start_ms: int = 0
    moved_to: str | None = None
    handoff_reason: str | None = None
    handoff_since_ms: int | None = None
    handoff_acknowledged: bool = False
    due_ms: int | None = None
    failures: int = 0
    failure_kind: str | None = None
    aliases: Mapping[str, int] = field(default_factory=dict)
    bsuid: str | None = None
    spent: Mapping[str, int] = field(default_factory=dict)
    handoff_turn: str | None = None
    people_since_ms: int | None = None
    owner: str | None = None
    owner_name: str | None = None
    owner_spoke_ms: int | None = None
    name: str | None = None
    last_inbound_ms: int | None = None
    undelivered: int = 0
    erased_at_ms: int | None = None
    formerly: str | None = None

    @property
    def exists(self) -> bool:
        """Whether anybody has been seen under this id."""
        return self != Head()

    def lets_send(self, part: OutboundPart) -> bool:
        """Whether a part may still leave: an exempt one though other turns came; an answer while it is the last word
        and people have not the conversation; one that the channel refused, also while they were asked for. What is said
        unless somebody has taken the conversation never leaves once a person has come.
        """
        peoples = self.mode is Mode.HUMAN
        if part.unless_taken and peoples and self.handoff_acknowledged:
            return False
        return part.exempt or (part.unless_taken if peoples else self.last_turn == part.turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCounters:
    """The escalation ladder of docs/guard.md: what has happened in this session."""

    frustrated: int = 0
    loop_answers: int = 0
    turns_without_progress: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationState:
    """`S#STATE`: what is known and where the work stands. Replaced whole by each commit.

    `transcripts` are the words of voice notes, by the `sk` of the message: inbounds are never rewritten. `set_aside` is
    what was known of a customer before a silence so long that the number may be another person's now;
    `previous_session_ms` is when the session before last heard of the customer. `agreed` is what the attendant wrote
    at the end of the human stretch, for the agents.
    """

    stage: Agent = Agent.TRIAGEM
    service: str | None = None
    segment: str | None = None
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    extra_requests: tuple[str, ...] = ()
    packages_served: tuple[str, ...] = ()
    guard: GuardCounters = GuardCounters()
    pending_offer: bool = False
    refusals_running: int = 0
    recent_turns_ms: tuple[int, ...] = ()
    last_inbound_ms: int = 0
    closed_at_ms: int | None = None
    courtesy_answered: bool = False
    asked_to_type: bool = False
    set_aside: Mapping[str, FieldValue] = field(default_factory=dict)
    previous_session: str | None = None
    previous_session_ms: int = 0
    opted_out: bool = False
    human_since_ms: int | None = None
    human_until_ms: int | None = None
    agreed: str | None = None
    transcripts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboundRecord:
    """`M#<ms>#i<hash>`: a message as recorded. `stale` is decided once, at record.

    The key of a message without a time depends on when it came: `known_as` is the one that does not, under which the
    table says that it is known.
    """

    conversation: str
    sk: str
    message: InboundMessage
    received_at_ms: int
    stale: bool = False
    known_as: str | None = None

    @property
    def recipient(self) -> Recipient:
        """Where an answer to it goes: the address as it came, never rewritten."""
        sender = self.message.sender
        return Recipient(
            phone_number_id=self.message.phone_number_id,
            phone=sender.phone,
            bsuid=None if sender.phone else sender.bsuid,
        )


LogEntry = InboundRecord | OutboundPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One consistent read: HEAD, STATE and the newest messages, oldest first."""

    conversation: str
    head: Head
    state: ConversationState
    log: tuple[LogEntry, ...] = ()

    @property
    def inbounds(self) -> tuple[InboundRecord, ...]:
        """What came in."""
        return tuple(entry for entry in self.log if isinstance(entry, InboundRecord))

    @property
    def parts(self) -> tuple[OutboundPart, ...]:
        """What was said, or is to be."""
        return tuple(entry for entry in self.log if isinstance(entry, OutboundPart))

    def inbound(self, sk: str) -> InboundRecord | None:
        """The recorded message with that key, if the read reached it."""
        return next((each for each in self.inbounds if each.sk == sk), None)

    def part(self, sk: str) -> OutboundPart | None:
        """The part with that key, if the read reached it."""
        return next((each for each in self.parts if each.sk == sk), None)

    @property
    def newest_inbound(self) -> InboundRecord | None:
        """The newest message that asks for an answer; None where nobody has written."""
        return next((each for each in reversed(self.inbounds) if each.message.opens_turn), None)


class EffectKind(StrEnum):
    """Side effects of a turn, each with the outbox's states."""

    HANDOFF = "handoff"
    NOTIFY = "notify"
    CRM = "crm"
    FORWARD = "forward"
    QUOTE = "quote"
    ERASE = "erase"


class EffectState(StrEnum):
    """pending → done | failed (to be tried again at `due`)."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """`E#<turn>#<kind>`: its id is derived, so that doing it twice is seen."""

    sk: str
    turn: str
    kind: EffectKind
    state: EffectState
    created_at_ms: int
    payload: Mapping[str, Any] = field(default_factory=dict)
    attempt: int = 0
    due_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCommit:
    """One transaction. `guard_in_rev` is False for handoff, opt-out and the starvation cap; `spent` is what the turn's
    calls cost. `state` None leaves STATE as it is, which nobody could read.
    """

    conversation: str
    seen: Head
    head: Head
    state: ConversationState | None
    turn: TurnRecord
    answered: frozenset[str]
    parts: tuple[OutboundPart, ...] = ()
    effects: tuple[Effect, ...] = ()
    cancelled_parts: tuple[str, ...] = ()
    guard_in_rev: bool = True
    spent: Spend | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """`A#<ms>#<hash>`: what an attendant did. `detail` is a fact, never words of a customer or of an answer."""

    sk: str
    at_ms: int
    actor: str
    actor_name: str
    action: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleWrite:
    """What an attendant does, as one transaction, whatever the customer writes meanwhile: `answered` is taken from the
    list of pending messages. `once` names a reply by its client's own id, so that it is written once.
    """

    conversation: str
    seen: Head
    head: Head
    audit: AuditEntry
    state: ConversationState | None = None
    answered: frozenset[str] = frozenset()
    parts: tuple[OutboundPart, ...] = ()
    cancelled_parts: tuple[str, ...] = ()
    once: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What is held of a customer begins to go, as one transaction: HEAD becomes a tombstone, STATE goes, and `job` is
    due for the rest. Refused when anything came since `seen`; None where nobody can read HEAD, which goes whatever it
    holds.
    """

    conversation: str
    seen: Head | None
    head: Head
    job: Effect
    audit: AuditEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueEntry:
    """A conversation that people have, as the index lists it: it may lag behind HEAD."""

    conversation: str
    head: Head


@dataclass(frozen=True, slots=True, kw_only=True)
class Seizure:
    """People get a conversation whose HEAD cannot be read: mode and handoff are written over whatever it holds, the
    rest stays. Once for each `turn`.
    """

    conversation: str
    reason: str
    since_ms: int
    due_ms: int
    turn: TurnRecord
    parts: tuple[OutboundPart, ...] = ()
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLink:
    """`alias` leads to `conversation` from now on: one transaction, if both heads are still as seen.

    `head` and `state` are the conversation's afterwards, what the alias had pending included. `alias` None notes the
    `aliases` of `head` alone: that id belongs to somebody else.
    """

    conversation: str
    seen: Head
    head: Head
    state: ConversationState | None = None
    alias: str | None = None
    alias_seen: Head = Head()
