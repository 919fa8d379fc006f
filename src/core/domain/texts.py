"""What customers read when no agent words it: a company's `textos.toml`, read once (docs/handoff.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.handoff import HandoffReason

WHEN = "{quando}"
"""The one placeholder, of `closed` texts: `Catalog`'s next opening, "segunda-feira às 8h"."""
_NEXT_OPENING_UNKNOWN = "no próximo horário de atendimento"


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursText:
    """One text in three moments: somebody is there, nobody is there yet, or this deployment has no people at all."""

    open: str
    closed: str
    disabled: str

    def at(self, *, open_now: bool, enabled: bool, next_opening: str = "") -> str:
        """The text that is true now; `{quando}` becomes the moment at which people are back."""
        if not enabled:
            return self.disabled
        if open_now:
            return self.open
        return self.closed.replace(WHEN, next_opening or _NEXT_OPENING_UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardTexts:
    """What the guard's detectors answer with, in the company's voice; `human_request` is for where nobody is."""

    frustrated: str
    loop: str
    human_request: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedTexts:
    """Every fixed text. `handoff` holds every `HandoffReason`; construction raises `ValueError` when one is missing.

    `hours_line` is appended to a handoff that an agent worded. `offer_person` follows the guard's first answer;
    `nobody_took_it` is sent once, when no attendant took a handoff in time.
    """

    handoff: Mapping[HandoffReason, HoursText]
    hours_line: HoursText
    guard: GuardTexts
    offer_person: str
    opt_out: str
    please_type: str
    courtesy: str
    nobody_took_it: str

    def __post_init__(self) -> None:
        missing = [reason.value for reason in HandoffReason if reason not in self.handoff]
        if missing:
            raise ValueError(f"no handoff text for: {', '.join(missing)}")

    def for_handoff(self, reason: HandoffReason, *, open_now: bool, enabled: bool, next_opening: str = "") -> str:
        """The whole text for a reason. Reasons that agents word have one too, for an agent that worded nothing."""
        return self.handoff[reason].at(open_now=open_now, enabled=enabled, next_opening=next_opening)

    def with_hours(self, agent_text: str, *, open_now: bool, enabled: bool, next_opening: str = "") -> str:
        """An agent's handoff text with the truthful line about when, or whether, a person reads it."""
        line = self.hours_line.at(open_now=open_now, enabled=enabled, next_opening=next_opening)
        return f"{agent_text.rstrip()}\n\n{line}" if agent_text.strip() else line
