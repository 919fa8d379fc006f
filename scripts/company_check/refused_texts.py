"""Fixed texts, questions and packages held against the checks that agents' replies go through: what those would refuse
from an agent, no text of the company may say either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core.application.reply.egress_check import check_egress
from core.application.reply.invention_check import find_inventions
from core.application.reply.known_facts import Sources
from core.application.reply.transfer_check import announces_transfer
from core.config.catalog_file import CATALOG_FILE
from core.config.prompt_files import TEXTS_FILE
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet
from core.domain.texts import WHEN, FixedTexts

from .findings import Finding, shown_path
from .toml_lines import line_of

_PLAIN = ("offer_person", "opt_out", "please_type", "courtesy", "nobody_took_it")
_GUARD = ("frustrated", "loop", "human_request")
_MOMENTS = ("open", "closed", "disabled")
_LATER = "segunda-feira"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A text and where it stands. `hands_over`: a person does come, or its words go before one who does."""

    table: str
    key: str
    text: str
    hands_over: bool = False


def check_refused_texts(folder: Path, root: Path, catalog: Catalog, prompts: PromptSet) -> Iterator[Finding]:
    """What the checks would find, with its line."""
    texts = _File(folder / TEXTS_FILE, root)
    packages = "\n".join(prompts.packages.values())
    sources = Sources(packages=packages, states_amounts=catalog.prices.states_amounts)
    for each in _fixed(prompts.texts):
        yield from (texts.finding(each, what) for what in _refused(each, catalog, sources))
    questions = _File(folder / CATALOG_FILE, root)
    for spec in catalog.fields:
        asked = _Text(table=f"fields ({spec.id})", key="question", text=spec.question)
        yield from (questions.finding(asked, what) for what in _refused(asked, catalog, None))
    for name, text in prompts.packages.items():
        yield from _package(folder / "packages" / f"{name}.md", root, text, catalog)


class _File:
    def __init__(self, path: Path, root: Path) -> None:
        self._shown = shown_path(path, root)
        self._text = path.read_text("utf-8")

    def finding(self, at: _Text, what: str) -> Finding:
        place = f"{at.table}: {at.key}" if at.table else at.key
        line = line_of(self._text, at.table, at.key)
        return Finding(path=self._shown, line=line, what=f"{place} {what}", mend="say it so that an agent might say it")


def _fixed(texts: FixedTexts) -> Iterator[_Text]:
    yield from (_Text(table="", key=name, text=getattr(texts, name)) for name in _PLAIN)
    yield from (_Text(table="guard", key=name, text=getattr(texts.guard, name)) for name in _GUARD)
    tables = {f"handoff.{reason.value}": text for reason, text in texts.handoff.items()} | {
        "hours_line": texts.hours_line
    }
    tables |= {f"hours_line_{language}": text for language, text in texts.hours_line_in.items()}
    for table, moments in tables.items():
        for key in _MOMENTS:
            yield _Text(table=table, key=key, text=getattr(moments, key), hands_over=key != "disabled")


def _refused(at: _Text, catalog: Catalog, sources: Sources | None) -> Iterator[str]:
    text = at.text.replace(WHEN, _LATER)
    unfit = check_egress(text, ids=catalog.ids)
    if unfit.ask_again:
        yield f"is not fit to send: {unfit.ask_again}"
    if not at.hands_over and announces_transfer(text):
        yield "announces a person, and none comes with it"
    for each in find_inventions(text, sources) if sources is not None else ():
        if each.kind not in ("email", "phone"):  # those are told with the package that lacks them
            yield f"states what no package does: {each.what}"


def _package(path: Path, root: Path, text: str, catalog: Catalog) -> Iterator[Finding]:
    """What agents would repeat, and be asked again for."""
    for line, said in enumerate(text.splitlines(), start=1):
        faults: Mapping[str, bool] = {
            "shows an id or a blank, which no customer may read": bool(check_egress(said, ids=catalog.ids).ask_again),
            "announces a transfer, which only a handoff makes true": announces_transfer(said),
        }
        for what in (fault for fault, found in faults.items() if found and said.strip()):
            mend = "agents repeat what a package says: write what a customer may read"
            yield Finding(path=shown_path(path, root), line=line, what=what, mend=mend)
