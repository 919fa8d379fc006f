"""A message in its place: who is asked, about which service, what was asked last; and the form of a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import phrases
from .catalogue import Mention
from .prompt import Reading
from .words import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A message in its place. `expected` are the fields asked for last; `lead` is said before anything else."""

    reading: Reading
    plain: str
    service: Mapping[str, Any] | None
    mentions: list[Mention]
    expected: list[str]
    lead: str = ""
    citations: list[str] = field(default_factory=list)

    @property
    def stage(self) -> str:
        """The agent that speaks."""
        return self.reading.agent

    @property
    def others(self) -> list[Mention]:
        """Services spoken of beside the one at hand."""
        return [mention for mention in self.mentions if self.service is None or mention.id != self.service["id"]]


def moment_of(reading: Reading) -> Moment:
    """What the prompt says of it."""
    plain = fold(reading.text)
    missing = reading.facts.get("faltam", [])
    asked = missing[0]["campos"] if missing and "?" in reading.last_said else []
    return Moment(
        reading=reading,
        plain=plain,
        service=reading.catalogue.service(reading.facts.get("servico")),
        mentions=reading.catalogue.services_in(plain),
        expected=list(asked),
        lead=phrases.greeting(reading),
    )


def next_question(moment: Moment) -> str:
    """What this stage asks next."""
    missing = [name for entry in moment.reading.facts.get("faltam", []) for name in entry["campos"]]
    name = missing[0] if missing else None
    if name in moment.reading.catalogue.fields:
        return phrases.question(moment.reading, name)
    return phrases.SEGMENT_ASKED[0] if name == "segment" else phrases.WHAT_IS_NEEDED


def refuse(moment: Moment, reason: str) -> str:
    """A refusal, and what may be done instead."""
    no = phrases.refused(moment.reading, reason)
    ask = "" if "?" in no else next_question(moment)
    return reply(3, phrases.joined(moment.lead, no, ask), reason=reason)


def reply(code: int, message: str = "", carried: Mapping[str, Any] | None = None, **payload: Any) -> str:
    """`{JSON}Mensagem`."""
    content = {"s": code, **payload, **(carried or {})}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + message
