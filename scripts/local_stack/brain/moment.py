"""A message in its place: who is asked, about which service, what was asked last, what it tells; and a reply's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import phrases
from .catalogue import Entry, mentions, option_in, rest_of
from .prompt import Reading
from .value_readers import is_quantity
from .values import read_declined, read_values
from .words import fold, is_bare, means, questions


class Moment:
    """`service` is the one that the work is on after this message, `was` the one before it; `segment` is what it tells.

    `unclear` are services between which it leaves us, `others` those named beside the one at hand, `expected` what was
    asked last; `tells` whether anything of the catalogue's was told. `lead` is said first, on what `citations` state.
    """

    def __init__(self, reading: Reading) -> None:
        catalogue = reading.catalogue
        self.reading, self.stage, self.plain = reading, reading.agent, fold(reading.text)
        self.expected: list[str] = reading.missing[0] if reading.missing and "?" in reading.last_said else []
        self.was = catalogue.service(reading.facts.get("servico"))
        self.mentions = catalogue.services_in(self.plain)
        self.others = [each for each in self.mentions if self.was is None or each.id != self.was["id"]]
        self.service, self.unclear = self._choice() if self.stage == "triagem" else (self.was, [])
        self.segment = self._segment()
        self.values = read_values(reading, self.service, self.expected, self.mentions)
        self.declined = read_declined(reading, self.service, self.expected, self.values)
        chosen = self.mentions or self.unclear or self.segment or self.service is not self.was
        self.tells = bool(self.values or self.declined or chosen)
        self.lead = phrases.greeting(reading)
        self.citations: list[str] = []

    @property
    def turns(self) -> bool:
        """Whether one service is dropped for another."""
        return means(self.plain, "instead") and not means(self.plain, "beside")

    def _choice(self) -> tuple[Entry | None, list[Entry]]:
        """What the customer turns to, else what is known, else what is spoken of first; or those that it may be."""
        find, named = self.reading.catalogue.service, self.mentions
        if self.was is not None:
            return (find(self.others[0].id) if self.others and not means(self.plain, "beside") else self.was), []
        if not named:
            described = self.reading.catalogue.services_described(self.plain)
            return (described[0], []) if len(described) == 1 else (None, described if len(described) == 2 else [])
        if len(named) == 2 and " ou " in self.plain[named[0].end : named[1].start]:
            return None, [service for each in named if (service := find(each.id))]
        return find(named[-1 if self.turns else 0].id), []

    def _segment(self) -> str | None:
        entries, plain = self.reading.catalogue.segments, self.plain
        if named := mentions(entries, plain):
            return max(named).id
        answers = self.expected == ["segment"] and not (is_bare(plain) or questions(plain) or is_quantity(plain))
        return option_in(entries, plain) or rest_of(entries) if answers else None


def next_question(moment: Moment) -> str:
    """What this stage asks next."""
    missing = [name for fields in moment.reading.missing for name in fields]
    if missing and missing[0] in moment.reading.catalogue.fields:
        return phrases.question(moment.reading, missing[0])
    return phrases.segment_question(moment.reading) if missing[:1] == ["segment"] else phrases.SAYS["what_is_wanted"]


def refuse(moment: Moment, reason: str) -> str:
    """A refusal, and what may be done instead."""
    no = phrases.refused(moment.reading, reason)
    return reply(3, phrases.joined(moment.lead, no, "" if "?" in no else next_question(moment)), reason=reason)


def reply(code: int, message: str = "", carried: Mapping[str, Any] | None = None, **payload: Any) -> str:
    """`{JSON}Mensagem`."""
    content = {"s": code, **payload, **(carried or {})}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + message
