"""What one webhook body holds, and the builder that collects it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.messages import DeliveryStatus, InboundMessage, Sender

_NAME = re.compile(r"[a-z_]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something in a body that could not be read as the page says: a fact for the log, never content.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an item shares with the other items of its value, and where it stands."""

    phone_number_id: str
    contacts: Sequence[Sender]
    path: str


@dataclass(slots=True, kw_only=True)
class BatchBuilder:
    """Collects items while a body is read. `received_at_ms` stands in for times that cannot be believed."""

    received_at_ms: int
    messages: list[InboundMessage] = field(default_factory=list)
    statuses: list[DeliveryStatus] = field(default_factory=list)
    identity_changes: list[IdentityChange] = field(default_factory=list)
    faults: list[ReportedFault] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, reason: str, path: str, detail: str = "") -> None:
        """Only what looks like a word of Meta's vocabulary is taken as detail: the rest could be a customer's."""
        self.problems.append(Problem(reason=reason, path=path, detail=detail if _NAME.fullmatch(detail) else ""))

    def build(self) -> WebhookBatch:
        return WebhookBatch(
            messages=tuple(self.messages),
            statuses=tuple(self.statuses),
            identity_changes=tuple(self.identity_changes),
            faults=tuple(self.faults),
            problems=tuple(self.problems),
        )
