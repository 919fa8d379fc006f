"""What one body from a channel holds, in the domain's words."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.delivery import DeliveryStatus
from core.domain.messages import InboundMessage, Sender


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a body that could not be read as docs/whatsapp.md says: a fact for the log, never content.

    `path` says where (`entry[0].changes[1].messages[3]`), `detail` names a field or type that nobody knows.
    """

    reason: str
    path: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityChange:
    """A customer's number or BSUID changed: both conversations are one. At least one identity of each side is set."""

    previous: Sender
    current: Sender
    phone_number_id: str
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedFault:
    """A fault that Meta reports in `errors[]` beside the messages. `title` is Meta's fixed text."""

    code: int | None
    title: str
    phone_number_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookBatch:
    """One body's items, each kind in the body's order. Echoes are messages of kind `echo` whose sender is the customer.

    Items name their `phone_number_id`: whose number it is, the caller decides. "" when the body does not say.
    """

    messages: tuple[InboundMessage, ...] = ()
    statuses: tuple[DeliveryStatus, ...] = ()
    identity_changes: tuple[IdentityChange, ...] = ()
    faults: tuple[ReportedFault, ...] = ()
    problems: tuple[Problem, ...] = ()
