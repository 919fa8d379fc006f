"""A message in its place: who is asked, about which service, what was asked last, what it tells; and a reply's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import phrases
from .catalogue import Entry, Mention, mentions, option_in, rest_of
from .prompt import Reading
from .value_readers import is_quantity
from .values import read_declined, read_values
from .words import fold, is_bare, means, questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`service` is the one that the work is on after this message, `was` the one before it; `segment` is what it tells.

    `unclear` are services between which it leaves us; `expected` what was asked last; `lead` is said first.
    """

    reading: Reading
    plain: str
    was: Entry | None
    service: Entry | None
    segment: str | None
    mentions: list[Mention]
    unclear: list[Entry]
    expected: list[str]
    values: dict[str, Any]
    declined: list[str]
    lead: str = ""
    citations: list[str] = field(default_factory=list)

    @property
    def stage(self) -> str:
        """The agent that speaks."""
        return self.reading.agent

    @property
    def others(self) -> list[Mention]:
        """Services named beside the one that was at hand."""
        return [mention for mention in self.mentions if self.was is None or mention.id != self.was["id"]]

    @property
    def tells(self) -> bool:
        """Whether anything that the catalogue knows was told."""
        chosen = self.mentions or self.unclear or self.segment or self.service is not self.was
        return bool(self.values or self.declined or chosen)


def moment_of(reading: Reading) -> Moment:
    """What the prompt says of it."""
    plain, catalogue = fold(reading.text), reading.catalogue
    missing = reading.facts.get("faltam", [])
    expected = list(missing[0]["campos"]) if missing and "?" in reading.last_said else []
    was, named = catalogue.service(reading.facts.get("servico")), catalogue.services_in(plain)
    service, unclear = _chosen(reading, plain, was, named) if reading.agent == "triagem" else (was, [])
    values = read_values(reading, service, expected, named)
    return Moment(
        reading=reading,
        plain=plain,
        was=was,
        service=service,
        segment=_segment(reading, plain, expected),
        mentions=named,
        unclear=unclear,
        expected=expected,
        values=values,
        declined=read_declined(reading, service, expected, values),
        lead=phrases.greeting(reading),
    )


def turns_to_another(plain: str) -> bool:
    """Whether one service is dropped for another."""
    return means(plain, "instead") and not means(plain, "beside")


def _chosen(reading: Reading, plain: str, was: Entry | None, named: list[Mention]) -> tuple[Entry | None, list[Entry]]:
    """What the customer turns to, else what is known, else what is spoken of first; or those that it may be."""
    find = reading.catalogue.service
    if was is not None:
        others = [mention for mention in named if mention.id != was["id"]]
        return (find(others[0].id) if others and not means(plain, "beside") else was), []
    if not named:
        described = reading.catalogue.services_described(plain)
        return (described[0], []) if len(described) == 1 else (None, described if len(described) == 2 else [])
    if len(named) == 2 and " ou " in plain[named[0].end : named[1].start]:
        return None, [service for each in named if (service := find(each.id))]
    return find(named[-1 if turns_to_another(plain) else 0].id), []


def _segment(reading: Reading, plain: str, expected: list[str]) -> str | None:
    entries = reading.catalogue.segments
    if named := max(mentions(entries, plain), key=lambda mention: mention.length, default=None):
        return named.id
    answers = expected == ["segment"] and not (is_bare(plain) or questions(plain) or is_quantity(plain))
    return option_in(entries, plain) or rest_of(entries) if answers else None


def next_question(moment: Moment) -> str:
    """What this stage asks next."""
    missing = [name for entry in moment.reading.facts.get("faltam", []) for name in entry["campos"]]
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
