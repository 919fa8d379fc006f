"""Collects what one webhook body holds while it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.application.intake.inbound_batch import IdentityChange, Problem, ReportedFault, WebhookBatch
from core.channels.whatsapp.inbound.senders import Contacts
from core.domain.delivery import DeliveryStatus
from core.domain.messages import InboundMessage

_NAME = re.compile(r"[a-z_]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an item shares with the other items of its value, and where it stands."""

    phone_number_id: str
    contacts: Contacts
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
