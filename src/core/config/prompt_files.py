"""Reads the prompts, every company's and one company's own; every missing or wrong file and key is told at once."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

from core.config.catalog_file import CATALOG_FILE, load_catalog
from core.config.mistakes import CompanyFilesError, Mistake
from core.config.toml_table import TomlTable
from core.domain.actions import Agent
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation_guard import (
    GUARD_RESPONSE_FRUSTRATED,
    GUARD_RESPONSE_HUMAN_REQUEST,
    GUARD_RESPONSE_LOOP,
)
from core.domain.handoff import HandoffReason
from core.domain.language import ENGLISH, SPANISH
from core.domain.ledger import ModelPrice
from core.domain.llm import ModelRef
from core.domain.prompts import PromptSet
from core.domain.texts import WHEN, FixedTexts, GuardTexts, HoursText

TEXTS_FILE, EXAMPLES_FILE = "textos.toml", "exemplos.md"
COMPANIES = "companies"
_COMPANY_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SECTION = re.compile(r"^# (\w+)[ \t]*$", re.MULTILINE)
_HASH_CHARS = 12
_MOMENTS = ("open", "closed", "disabled")


class PromptFilesError(CompanyFilesError):
    """The prompts cannot be used."""


def company_folder(prompts_dir: str | Path, company: str) -> Path:
    """Where a company's files are. Raises `PromptFilesError` for one that is not there, naming those that are."""
    companies = Path(prompts_dir) / COMPANIES
    if _COMPANY_ID.fullmatch(company) and (companies / company).is_dir():
        return companies / company
    known = ", ".join(sorted(path.name for path in companies.glob("*") if path.is_dir())) or "none"
    what = f"has no folder {company!r}; it has: {known}"
    raise PromptFilesError(f"COMPANY={company}", [Mistake(file=str(companies), what=what)])


def load_prompts(prompts_dir: str | Path, company_dir: str | Path, catalog: Catalog | None = None) -> PromptSet:
    """All that the model and the customer are told. Raises `PromptFilesError`.

    The catalogue says which packages there must be; without one it is read from the company's folder, and
    `CatalogFileError` is raised for its own mistakes.
    """
    catalog = catalog or load_catalog(Path(company_dir) / CATALOG_FILE)
    prompts, mistakes = read_prompts(prompts_dir, company_dir, catalog)
    if mistakes or prompts is None:
        raise PromptFilesError(company_dir, mistakes)
    return prompts


def read_prompts(
    prompts_dir: str | Path, company_dir: str | Path, catalog: Catalog | None
) -> tuple[PromptSet | None, Sequence[Mistake]]:
    """The prompts, None when texts are missing, and everything that is wrong with them. Without a catalogue nobody
    knows which packages there must be, and none is asked for.
    """
    engine, company = _Folder(Path(prompts_dir)), _Folder(Path(company_dir))
    company.mistakes, company.fingerprints = engine.mistakes, engine.fingerprints
    contract, reminder = engine.prose("contract.md"), engine.prose("lembrete.md")
    schema_reminder = engine.prose("esquema.md")
    repair, summary = engine.prose("reparo.md"), engine.prose("resumo.md")
    agents = {agent: engine.prose(f"{agent.value}.md") for agent in Agent}
    prices = _prices(engine.table("prices.toml"))
    examples = _examples(company)
    packages = _packages(company, catalog) if catalog else {}
    texts = _texts(company.table(TEXTS_FILE))
    company.note(CATALOG_FILE)
    if texts is None:
        return None, engine.mistakes
    prompts = PromptSet(
        contract=contract,
        reminder=reminder,
        agents=agents,
        examples=examples,
        repair=repair,
        summary=summary,
        packages=packages,
        texts=texts,
        prices=prices,
        fingerprints=engine.fingerprints,
        schema_reminder=schema_reminder,
    )
    return prompts, engine.mistakes


@dataclass(slots=True)
class _Folder:
    """Files read once, their hashes, and what was wrong with them."""

    path: Path
    mistakes: list[Mistake] = field(default_factory=list)
    fingerprints: dict[str, str] = field(default_factory=dict)

    def prose(self, name: str) -> str:
        """A text file without the blank lines at its ends."""
        text = self._read(name)
        if text is not None and not text.strip():
            self.add(name, "is empty")
        return (text or "").strip()

    def table(self, name: str) -> TomlTable:
        """A TOML file; an empty table when it cannot be read."""
        text = self._read(name)
        try:
            return TomlTable(name, "", tomllib.loads(text or ""), self.mistakes if text is not None else [])
        except tomllib.TOMLDecodeError as error:
            self.add(name, f"is no TOML: {error}")
            return TomlTable(name, "", {}, [])

    def add(self, name: str, what: str) -> None:
        """A mistake of a whole file."""
        self.mistakes.append(Mistake(file=name, what=what))

    def note(self, name: str) -> None:
        """Takes the hash of a file that somebody else reads, if it is there."""
        if (self.path / name).is_file():
            self._read(name)

    def _read(self, name: str) -> str | None:
        try:
            text = (self.path / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            self.add(name, "is missing")
        except (OSError, UnicodeDecodeError) as error:
            self.add(name, f"cannot be read: {error}")
        else:
            self.fingerprints[name] = hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS]
            return text
        return None


def _examples(folder: _Folder) -> Mapping[Agent, str]:
    """A section for each agent; what stands before the first is for whoever edits the file."""
    _, *sections = _SECTION.split(folder.prose(EXAMPLES_FILE))
    found = dict(zip(sections[::2], (text.strip() for text in sections[1::2]), strict=True))
    for agent in Agent:
        if folder.fingerprints.get(EXAMPLES_FILE) and not found.get(agent.value):
            folder.add(EXAMPLES_FILE, f"has no section `# {agent.value}` with examples")
    for name in found:
        if name not in set(Agent):
            folder.add(EXAMPLES_FILE, f"`# {name}` is no agent; they are {', '.join(Agent)}")
    return {agent: found.get(agent.value, "") for agent in Agent}


def _packages(folder: _Folder, catalog: Catalog) -> Mapping[str, str]:
    named = [package.id for package in catalog.packages if not package.built_by_code]
    found = {path.stem for path in (folder.path / "packages").glob("*.md")}
    for stem in sorted(found - set(named)):
        folder.add(f"packages/{stem}.md", f"belongs to no package of {CATALOG_FILE}")
    return {name: folder.prose(f"packages/{name}.md") for name in named}


def _texts(top: TomlTable) -> FixedTexts | None:
    handoff = top.table("handoff")
    by_reason = {reason: _hours_text(handoff.table(reason.value)) for reason in HandoffReason}
    handoff.finish()
    texts = FixedTexts(
        handoff=by_reason,
        hours_line=_hours_text(top.table("hours_line")),
        hours_line_in={
            language: _hours_text(top.table(f"hours_line_{language}"))
            for language in (ENGLISH, SPANISH)
            if f"hours_line_{language}" in top.values
        },
        guard=_guard_texts(top.table("guard")),
        offer_person=top.text("offer_person"),
        opt_out=top.text("opt_out"),
        please_type=top.text("please_type"),
        courtesy=top.text("courtesy"),
        nobody_took_it=top.text("nobody_took_it"),
    )
    top.finish()
    return None if any(mistake.file == top.file for mistake in top.mistakes) else texts


def _guard_texts(table: TomlTable) -> GuardTexts:
    """Document 001's own answers where the company words none."""
    texts = GuardTexts(
        frustrated=table.text("frustrated", default=GUARD_RESPONSE_FRUSTRATED),
        loop=table.text("loop", default=GUARD_RESPONSE_LOOP),
        human_request=table.text("human_request", default=GUARD_RESPONSE_HUMAN_REQUEST),
    )
    table.finish()
    return texts


def _hours_text(table: TomlTable) -> HoursText:
    moments = {moment: table.text(moment) for moment in _MOMENTS}
    table.finish()
    for moment, text in moments.items():
        rest = text.replace(WHEN, "") if moment == "closed" else text
        if "{" in rest or "}" in rest:
            table.problem(moment, f"holds braces; only `closed` may hold {WHEN}")
    return HoursText(**moments)


def read_prices(prompts_dir: str | Path) -> Mapping[ModelRef, ModelPrice]:
    """What the models cost, as far as the file can be read."""
    return _prices(_Folder(Path(prompts_dir)).table("prices.toml"))


def _prices(top: TomlTable) -> Mapping[ModelRef, ModelPrice]:
    """A table for each provider, and in it one for each model."""
    prices: dict[ModelRef, ModelPrice] = {}
    for provider in tuple(top.values):
        models = top.table(provider)
        prices |= {ModelRef(provider=provider, model=name): _price(models.table(name)) for name in models.values}
        models.finish()
    top.finish()
    return prices


def _price(table: TomlTable) -> ModelPrice:
    """Of tokens, or of a minute of audio."""
    if "minute" in table.values:
        price = ModelPrice(input=Decimal(0), cached=Decimal(0), output=Decimal(0), minute=_money(table, "minute"))
    else:
        price = ModelPrice(
            input=_money(table, "input"),
            cached=_money(table, "cached"),
            output=_money(table, "output"),
            cache_write=_money(table, "cache_write") if "cache_write" in table.values else None,
        )
    table.finish()
    return price


def _money(table: TomlTable, key: str) -> Decimal:
    """Written as text, so that no price passes through a float."""
    try:
        amount = Decimal(table.text(key) or "0")
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and amount >= 0):
        table.problem(key, 'must be an amount in quotes, like "0.15"')
        return Decimal(0)
    return amount
