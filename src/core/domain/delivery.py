"""Words about sending: the outbound part that is its own outbox entry, and its state machine (docs/outbox.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import Any

from core.domain.messages import Media


class PartState(StrEnum):
    """pending → sending → sent | unknown | failed; pending → cancelled. `docs/outbox.md` draws it."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"
    FAILED = "failed"
    CANCELLED = "cancelled"


class DeliveryRank(IntEnum):
    """What statuses say, monotonic: a later one never lowers it."""

    NONE = 0
    SENT = 1
    DELIVERED = 2
    READ = 3
    PLAYED = 4


class SendFailure(StrEnum):
    """Classes of refusal; each channel files its own codes under them (docs/whatsapp.md, "Errors, by code")."""

    THROTTLED = "throttled"
    AUTH = "auth"
    ACCOUNT = "account"
    RECIPIENT = "recipient"
    WINDOW_OVER = "window_over"
    TRANSIENT = "transient"
    BAD_REQUEST = "bad_request"


# The channel takes nothing of anybody until somebody mends it: its token, its account.
CHANNEL_REFUSALS = frozenset({SendFailure.AUTH, SendFailure.ACCOUNT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Where an answer goes: as the inbound said, never rewritten. One of `phone` and `bsuid` is set."""

    phone_number_id: str
    phone: str | None = None
    bsuid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPart:
    """One message of ours, and its outbox entry.

    `attempt` counts sends begun; `lease_until_ms` is when a send that nobody reported is taken as unknown; `exempt`
    parts (handoff texts, confirmed opt-outs) are sent although the mode is no longer `bot`, `unless_taken` ones
    (handoff texts, what the channel refused for long) until a person has come. `refused_since_ms`: since when the
    channel has refused this answer, or those that it takes the place of. `repeated`: it was sent once more because
    nobody knew whether it had arrived. `template` names the approved template that is sent instead of the text,
    `window_closes_ms` until when a text may be. `failure` is the class of the last refusal, `error` what is known
    beyond it. `author` is the attendant who wrote it, None for the bot's own; `media` their file, which the text then
    is the caption of.
    """

    sk: str
    turn: str
    number: int
    text: str
    recipient: Recipient
    state: PartState
    created_at_ms: int
    attempt: int = 0
    rank: DeliveryRank = DeliveryRank.NONE
    lease_until_ms: int | None = None
    due_ms: int | None = None
    provider_id: str | None = None
    reply_to: str | None = None
    exempt: bool = False
    unless_taken: bool = False
    repeated: bool = False
    refused_since_ms: int | None = None
    template: str | None = None
    window_closes_ms: int | None = None
    failure: SendFailure | None = None
    error_code: int | None = None
    error: str | None = None
    author: str | None = None
    media: Media | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOutcome:
    """What a send brought: written only while the part is `sending` or `unknown` at that `attempt`."""

    sk: str
    attempt: int
    state: PartState
    provider_id: str | None = None
    failure: SendFailure | None = None
    error_code: int | None = None
    error: str | None = None
    due_ms: int | None = None
    refused_since_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryStatus:
    """A status webhook: what became of a message of ours. `callback` is our `biz_opaque_callback_data`; `failure` is
    the class that the channel files its code under.
    """

    provider_id: str
    status: str
    at_ms: int
    phone_number_id: str
    callback: str | None = None
    failure: SendFailure | None = None
    error_code: int | None = None
    error_title: str | None = None

    @property
    def failed(self) -> bool:
        """Whether the message surely did not reach the customer."""
        return self.status == _FAILED_STATUS


@dataclass(frozen=True, slots=True, kw_only=True)
class PartChange:
    """One arrow of the machine: what it writes, and of which part it may.

    `sets` and `defaults` are attributes of `OutboundPart` by name, None for no value; a default is written where the
    part has none. A store asks the same either way: one makes a condition of `allowed_from`, `attempt` and
    `rank_below`, another calls `allows`.
    """

    allowed_from: frozenset[PartState]
    sets: Mapping[str, Any]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    attempt: int | None = None
    rank_below: DeliveryRank | None = None

    def allows(self, part: OutboundPart) -> bool:
        """Whether the part may take this arrow."""
        return (
            part.state in self.allowed_from
            and self.attempt in (None, part.attempt)
            and (self.rank_below is None or part.rank < self.rank_below)
        )

    def applied(self, part: OutboundPart) -> OutboundPart:
        """The part behind the arrow."""
        missing = {name: value for name, value in self.defaults.items() if getattr(part, name) is None}
        return replace(part, **missing, **self.sets)


_FAILED_STATUS = "failed"
_RANKS = {
    "sent": DeliveryRank.SENT,
    "delivered": DeliveryRank.DELIVERED,
    "read": DeliveryRank.READ,
    "played": DeliveryRank.PLAYED,
}
_AT_REST: Mapping[str, Any] = {"lease_until_ms": None, "due_ms": None}
# What becomes of these does not depend on us any more: the part behind one may leave.
SETTLED = frozenset({PartState.SENT, PartState.FAILED, PartState.CANCELLED})


def claimed(*, seen_attempt: int, lease_until_ms: int | None, repeated: bool) -> PartChange:
    """This process sends the part: due when the lease ends, should nobody report."""
    doubted = {"repeated": True} if repeated else {}
    return PartChange(
        allowed_from=frozenset({PartState.PENDING, PartState.UNKNOWN}),
        attempt=seen_attempt,
        sets={
            "state": PartState.SENDING,
            "attempt": seen_attempt + 1,
            "lease_until_ms": lease_until_ms,
            "due_ms": lease_until_ms,
            **doubted,
        },
    )


def reported(outcome: PartOutcome) -> PartChange:
    """What a send brought; only a part that waits again, or that nobody is sure of, is due."""
    told: dict[str, Any] = {
        "state": outcome.state,
        "failure": outcome.failure,
        "error_code": outcome.error_code,
        "error": outcome.error,
        "lease_until_ms": None,
        "due_ms": outcome.due_ms,
    }
    if outcome.state is PartState.SENT:
        told["rank"] = DeliveryRank.SENT
    if outcome.provider_id:
        told["provider_id"] = outcome.provider_id
    if outcome.refused_since_ms is not None:
        told["refused_since_ms"] = outcome.refused_since_ms
    return PartChange(
        allowed_from=frozenset({PartState.SENDING, PartState.UNKNOWN}), attempt=outcome.attempt, sets=told
    )


def cancelled() -> PartChange:
    """A later turn made a waiting part pointless."""
    return PartChange(allowed_from=frozenset({PartState.PENDING}), sets={"state": PartState.CANCELLED, **_AT_REST})


def forgotten(*, attempt: int) -> PartChange:
    """A part that may have arrived, and whose turn lost the word: never sent again, a status may still settle it."""
    return PartChange(allowed_from=frozenset({PartState.UNKNOWN}), attempt=attempt, sets={"due_ms": None})


def released(*, due_ms: int) -> PartChange:
    """The part before it is settled, and nobody takes this one along: the sweep's, from then on."""
    return PartChange(allowed_from=frozenset({PartState.PENDING}), attempt=0, sets={"due_ms": due_ms})


def rested(*, attempt: int) -> PartChange:
    """Settled by a status, and nothing behind it waits any more: nobody need look at it again."""
    return PartChange(allowed_from=SETTLED, attempt=attempt, sets={"due_ms": None})


def told(status: DeliveryStatus, *, attempt: int) -> PartChange | None:
    """What a status changes, None for one that changes nothing.

    That a message arrived settles every doubt, whichever attempt brought it; that it failed speaks of its attempt only,
    and is the end. A due time stays: whoever it reminds looks at the part behind, of which a status knows nothing.
    """
    if status.failed:
        return PartChange(
            allowed_from=frozenset({PartState.SENDING, PartState.UNKNOWN, PartState.SENT}),
            attempt=attempt,
            sets={
                "state": PartState.FAILED,
                "failure": status.failure,
                "error_code": status.error_code,
                "error": status.error_title,
                "lease_until_ms": None,
            },
        )
    rank = _RANKS.get(status.status)
    if rank is None:
        return None
    return PartChange(
        allowed_from=frozenset(PartState) - {PartState.FAILED},
        rank_below=rank,
        sets={"state": PartState.SENT, "rank": rank, "lease_until_ms": None},
        defaults={"provider_id": status.provider_id or None},
    )


def being_sent(part: OutboundPart, *, lease_until_ms: int) -> OutboundPart:
    """The part as it stands while this process sends it once more."""
    repeated = part.repeated or part.state is PartState.UNKNOWN
    return claimed(seen_attempt=part.attempt, lease_until_ms=lease_until_ms, repeated=repeated).applied(part)
