"""Words about sending: the outbound part that is its own outbox entry, and what can become of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


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
    """Classes of refusal (30-whatsapp.md, "Errors, by code")."""

    THROTTLED = "throttled"
    AUTH = "auth"
    ACCOUNT = "account"
    RECIPIENT = "recipient"
    TRANSIENT = "transient"
    BAD_REQUEST = "bad_request"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """Where an answer goes: as the inbound said, never rewritten. One of `phone` and `bsuid` is set."""

    phone_number_id: str
    phone: str | None = None
    bsuid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboundPart:
    """One WhatsApp message of ours, and its outbox entry.

    `attempt` counts sends begun; `lease_until_ms` is when a send that nobody reported is taken as unknown;
    `exempt` parts (handoff texts) are sent although the mode is no longer `bot`. `template` names the approved template
    that is sent instead of the text, `window_closes_ms` until when a text may be.
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
    template: str | None = None
    window_closes_ms: int | None = None
    error_code: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOutcome:
    """What a send brought: written only while the part is `sending` or `unknown` at that `attempt`."""

    sk: str
    attempt: int
    state: PartState
    provider_id: str | None = None
    error_code: int | None = None
    error: str | None = None
    due_ms: int | None = None
