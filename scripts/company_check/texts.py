"""Fixed texts, packages and hours against each other: promises, contacts, amounts, opening times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.domain.catalogue.catalog import Catalog
from core.domain.handoff import HandoffReason
from core.domain.prompts import PromptSet
from core.domain.texts import WHEN

from .findings import Finding, shown_path
from .toml_lines import line_of

_CONTACT = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\(\d\d\) ?\d{4,5}-\d{4}")
_PROMISES_PERSON = re.compile(
    r"\bj[áa] chamei\b|\bna fila\b|continua com (?:voc[êe]|tu) por aqui|algu[ée]m (?:j[áa] )?vem", re.IGNORECASE
)
_AMOUNT = re.compile(r"R\$ ?\d")
_HOUR = re.compile(r"\b(\d{1,2})h(\d{2})?\b")
_ABOUT_PEOPLE = re.compile(r"\batendimento\b|\bhor[áa]rio\b|\batendemos\b", re.IGNORECASE)
_PACKAGE_CHARACTERS = 6_000
_FIXED_CHARACTERS = 1_000


def check_texts(company: Path, root: Path, catalog: Catalog, prompts: PromptSet) -> Iterator[Finding]:
    """All of it."""
    texts = _Source(company / "textos.toml", root)
    yield from _fixed(texts, prompts)
    yield from _contacts(texts, prompts)
    yield from _packages(company, root, catalog, prompts.packages)
    yield from _hours(_Source(company / "catalog.toml", root), company, root, catalog, prompts.packages)


class _Source:
    """A TOML file and the way it is named."""

    def __init__(self, path: Path, root: Path) -> None:
        self.shown = shown_path(path, root)
        self.text = path.read_text("utf-8") if path.is_file() else ""

    def finding(self, table: str, key: str, what: str, mend: str, *, is_warning: bool = False) -> Finding:
        place = f"{table}: {key}" if table else key
        line = line_of(self.text, table, key)
        return Finding(path=self.shown, line=line, what=f"{place} {what}", mend=mend, is_warning=is_warning)


def _fixed(source: _Source, prompts: PromptSet) -> Iterator[Finding]:
    if "[guard]" not in source.text:
        yield source.finding(
            "guard", "", "is missing: angry customers read the engine's own answers", "word them", is_warning=True
        )
    moments = {f"handoff.{reason.value}": prompts.texts.handoff[reason] for reason in HandoffReason}
    moments |= {"hours_line": prompts.texts.hours_line}
    moments |= {f"hours_line_{language}": text for language, text in prompts.texts.hours_line_in.items()}
    for table, text in moments.items():
        if _PROMISES_PERSON.search(text.disabled):
            yield source.finding(table, "disabled", "promises a person, and there is none", "say whom to write or call")
        if WHEN not in text.closed:
            yield source.finding(
                table, "closed", f"does not say when: it lacks {WHEN}", f"put {WHEN} where the time goes"
            )
        for key in ("open", "closed", "disabled"):
            if len(getattr(text, key)) > _FIXED_CHARACTERS:
                yield source.finding(table, key, f"is longer than {_FIXED_CHARACTERS} characters", "shorten it")
    guard = prompts.texts.guard
    if _PROMISES_PERSON.search(guard.human_request):
        yield source.finding(
            "guard", "human_request", "promises a person where there is none", "say whom to write or call"
        )


def _contacts(source: _Source, prompts: PromptSet) -> Iterator[Finding]:
    about = "\n".join(prompts.packages.values())
    for number, line in enumerate(source.text.splitlines(), start=1):
        for contact in _CONTACT.findall(line.partition("#")[0] if line.startswith("#") else line):
            if about and contact not in about:
                yield Finding(
                    path=source.shown,
                    line=number,
                    what=f"{contact} stands in no package: agents and fixed texts would say different things",
                    mend="write the same contact in packages/COMPANY_INFO.md, or correct it here",
                )


def _packages(company: Path, root: Path, catalog: Catalog, packages: Mapping[str, str]) -> Iterator[Finding]:
    for name, text in packages.items():
        shown = shown_path(company / "packages" / f"{name}.md", root)
        if len(text) > _PACKAGE_CHARACTERS:
            mend = "split it: an agent is shown the whole package for one question"
            yield Finding(path=shown, line=1, what=f"is {len(text)} characters long", mend=mend, is_warning=True)
        if not catalog.prices.states_amounts and (found := _AMOUNT.search(text)):
            yield Finding(
                path=shown,
                line=text.count("\n", 0, found.start()) + 1,
                what="states an amount, and [prices] amounts is false: agents would be told both",
                mend="set amounts = true in catalog.toml, or take the amount out",
            )
    if catalog.prices.states_amounts and not any(_AMOUNT.search(text) for text in packages.values()):
        source = _Source(company / "catalog.toml", root)
        yield source.finding(
            "prices", "amounts", "is true, and no package states an amount", "write the prices in a package"
        )


def _hours(
    source: _Source, company: Path, root: Path, catalog: Catalog, packages: Mapping[str, str]
) -> Iterator[Finding]:
    shifts = [shift for day in catalog.hours.week for shift in day]
    if not shifts:
        mend = 'write at least one day, like segunda = ["08:00-18:00"]'
        yield source.finding("", "business_hours", "has no open hour: no text can say when people are back", mend)
        return
    edges = {edge % 1440 for shift in shifts for edge in (shift.start, shift.end)}
    text = packages.get("COMPANY_INFO", "")
    for number, line in enumerate(text.splitlines(), start=1):
        if not _ABOUT_PEOPLE.search(line):
            continue
        for hour, minute in _HOUR.findall(line):
            if (int(hour) * 60 + int(minute or 0)) % 1440 not in edges:
                yield Finding(
                    path=shown_path(company / "packages" / "COMPANY_INFO.md", root),
                    line=number,
                    what=f"says {hour}h{minute}, at which no shift of business_hours begins or ends",
                    mend="make the package and [business_hours] in catalog.toml say the same",
                    is_warning=True,
                )
