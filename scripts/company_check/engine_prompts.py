"""The engine's own prompts against the code: each names exactly the codes and reasons that its agent has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.application.actions.payloads import PAYLOADS
from core.domain.actions import ActionCode, Agent, RefusalReason

from .findings import Finding, shown_path

_CODES_LINE = re.compile(r"^## Seus códigos: (.*)$", re.MULTILINE)
# A code as instructions speak of one: `s=3`, "avance com 2", "use 6", "o 2 conclui", "98 para `triagem`".
_SPOKEN = re.compile(r"\bs ?= ?(\d+)|\b(?:com|use|usa|código|o|é) (\d{1,2})\b(?![.,]?\d)|\b(9[89])\b")
_ROW = re.compile(r"^\| *(\d+) *\| *([A-Z]+) *\| *([^|]*)\|", re.MULTILINE)
_REASON_ROW = re.compile(r"^\| *`([a-z_]+)` *\|", re.MULTILINE)
_ONLY = re.compile(r"\bsó ((?:\w+, )*\w+ e \w+|\w+):")
_REASONS_HEADING = "## 6."
_DOCUMENT = Path("docs/contract.md")


def check_engine_prompts(prompts_dir: Path, root: Path) -> Iterator[Finding]:
    """What contract, agents' instructions and the contract's page say of codes, and the code does not."""
    for agent in Agent:
        path = prompts_dir / f"{agent.value}.md"
        if path.is_file():
            yield from _agent(path.read_text("utf-8"), shown_path(path, root), agent)
    contract = prompts_dir / "contract.md"
    if contract.is_file():
        yield from _contract(contract.read_text("utf-8"), shown_path(contract, root))
    if (page := root / _DOCUMENT).is_file():
        yield from _page(page.read_text("utf-8"), str(_DOCUMENT))


def _agent(text: str, shown: str, agent: Agent) -> Iterator[Finding]:
    legal = {int(code) for code in PAYLOADS[agent]}
    line = _CODES_LINE.search(text)
    if line is None:
        mend = f"## Seus códigos: {', '.join(map(str, sorted(legal)))}"
        yield Finding(path=shown, line=1, what="does not say which codes the agent has", mend=mend)
    else:
        said = [int(number) for number in re.findall(r"\d+", line[1])]
        if said != sorted(legal):
            what = f"says that {agent} has the codes {_numbers(said)}, and it has {_numbers(sorted(legal))}"
            yield _at(text, line.start(), shown, what, "make them the same")
    for found in _SPOKEN.finditer(text):
        number = int(next(each for each in found.groups() if each))
        if number in set(ActionCode) and number not in legal:
            yield _at(text, found.start(), shown, f"teaches s={number}, which {agent} does not have", "take it out")


def _contract(text: str, shown: str) -> Iterator[Finding]:
    rows = {int(row[1]): row for row in _ROW.finditer(text)}
    yield from _names(rows, text, shown)
    for number, row in rows.items():
        only = _ONLY.search(row[3])
        told = set(re.findall(r"\w+", only[1])) - {"e"} if only else set(Agent)
        have = {agent.value for agent in Agent if number in PAYLOADS[agent]}
        if number in set(ActionCode) and told != have:
            what = f"gives s={number} to {', '.join(sorted(told))}, and the code to {', '.join(sorted(have))}"
            yield _at(text, row.start(), shown, what, "make them the same")
    limits = text.find(_REASONS_HEADING)
    reasons = _REASON_ROW.findall(text[max(limits, 0) :])
    if set(reasons) != set(RefusalReason):
        differ = ", ".join(sorted(set(reasons) ^ set(RefusalReason)))
        yield _at(
            text, max(limits, 0), shown, f"the reasons of s=3 are not those of the code: {differ}", "list the six"
        )


def _page(text: str, shown: str) -> Iterator[Finding]:
    rows = {int(row[1]): row for row in _ROW.finditer(text)}
    yield from _names(rows, text, shown)
    for number, row in rows.items():
        agents = row[3].strip()
        told = set(Agent) - {each for each in Agent if agents == f"not {each.value.capitalize()}"}
        if number in set(ActionCode) and told != {agent for agent in Agent if number in PAYLOADS[agent]}:
            yield _at(text, row.start(), shown, f"gives s={number} to {agents!r}", "say who has it (payloads.py)")


def _names(rows: Mapping[int, re.Match[str]], text: str, shown: str) -> Iterator[Finding]:
    named = {number: row[2] for number, row in rows.items()}
    wanted = {int(code): code.name for code in ActionCode}
    for number in sorted(named.keys() | wanted.keys()):
        if named.get(number) != wanted.get(number):
            start = rows[number].start() if number in rows else 0
            told, has = named.get(number, "no row"), wanted.get(number, "no code")
            what = f"s={number} is {told} in the table, and {has} in the code"
            yield _at(text, start, shown, what, "make them the same (domain/actions.py)")


def _numbers(codes: list[int]) -> str:
    return ", ".join(map(str, codes)) or "none"


def _at(text: str, start: int, shown: str, what: str, mend: str) -> Finding:
    return Finding(path=shown, line=text.count("\n", 0, start) + 1, what=what, mend=mend)
