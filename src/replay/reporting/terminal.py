"""The report on a terminal: what changed, in how many sessions, where first, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from replay.comparing.differences import Verdict
from replay.reporting.summary import Exit, Summary

_COLOURS = {Exit.CLEAN: "green", Exit.REGRESSION: "red", Exit.INCONCLUSIVE: "yellow", Exit.INCOMPLETE: "yellow"}
_VERDICTS = (Verdict.SAME, Verdict.TEXT, Verdict.ACCEPTED, Verdict.CHANGED, Verdict.INCOMPLETE, Verdict.ERROR)
_SHOWN = 5


def show(summary: Summary, console: Console, *, shown: int = _SHOWN) -> None:
    """All of it; of changed sessions the first few."""
    colour = _COLOURS[summary.exit]
    console.print(f"[bold {colour}]{escape(summary.verdict)}[/] · {summary.sessions} sessions, {summary.turns} turns")
    console.print(_counts(summary))
    if summary.groups:
        console.print(_groups(summary))
    for line in _notes(summary):
        console.print(escape(line))
    for result in [each for each in summary.changed if each["first"] or _failed(each)][:shown]:
        for line in _session(result):
            console.print(escape(line))


def _counts(summary: Summary) -> str:
    return " · ".join(
        f"{each.value} {summary.counts[each.value]}" for each in _VERDICTS if summary.counts.get(each.value)
    )


def _groups(summary: Summary) -> Table:
    table = Table(show_edge=False, header_style="bold")
    for name in ("sessions", "what", "change", "for example"):
        table.add_column(name, justify="right" if name == "sessions" else "left")
    for group in summary.groups:
        words = escape(group.words) + (" [green](accepted)[/]" if group.accepted else "")
        table.add_row(str(len(group.sessions)), group.aspect, words, ", ".join(group.sessions[:2]))
    return table


def _notes(summary: Summary) -> Iterable[str]:
    for name, ids in summary.broken.items():
        yield f"rule broken: {name} ({len(ids)} sessions: {', '.join(ids[:3])})"
    for reason, ids in summary.incomplete.items():
        yield f"not judged: {reason} ({len(ids)} sessions: {', '.join(ids[:3])})"
    for change in summary.prompt_changes:
        where = f"{change.file}:{change.line}" if change.line else f"{change.file} (by hash alone)"
        yield f"prompt drift: {where}" + (f"\n  - {change.before}\n  + {change.after}" if change.line else "")
    if summary.drifted and not summary.prompt_changes:
        yield f"prompt drift: {summary.drifted} sessions ask in other words though no prompt file changed"
    for each in summary.expired:
        yield f"expired on {each.until}: the accepted change {each.aspect}: {each.words}; look at it again or remove it"
    if summary.test is not None:
        yield from _tested(summary)
    before, after = summary.figures.cost_usd
    if before is not None and after is not None:
        yield f"median cost of a session: US$ {before:.4f} → {after:.4f}"
    waited = summary.figures.latency_ms
    yield f"median wait for models in a session: {waited[0] / 1000:.1f} s → {waited[1] / 1000:.1f} s"


def _tested(summary: Summary) -> Iterable[str]:
    if (test := summary.test) is None:
        return
    yield f"of {test.sessions} pairs {test.worse} got worse and {test.better} better: p {test.p:.3f} (one-sided, exact)"
    seen = "none at all" if summary.smallest is None else f"{summary.smallest:.1%} of sessions made worse"
    yield f"the smallest effect that so many sessions show four times in five: {seen}"
    yield f"the model's own drift since the recording: {summary.model_drift} sessions; noise left out: {summary.noise}"


def _failed(result: Mapping[str, Any]) -> bool:
    return any(turn.get("error") for turn in result["turns"])


def _session(result: Mapping[str, Any]) -> Iterable[str]:
    turn = next((t for t in result["turns"] if t["number"] == result["first"] or t.get("error")), None)
    if turn is None:
        return
    yield f"\nsession {result['id']}, turn {turn['number']} is the first to differ"
    yield f"  customer: {_line(turn['customer'])}"
    if turn["error"]:
        yield f"  failed:   {turn['error']}"
        return
    for each in turn["differences"]:
        yield f"  {each['aspect']}: {each['words']}"
    yield f"  before: {_line(turn['text'][0])}"
    yield f"  after:  {_line(turn['text'][1])}"
    later = sum(1 for t in result["turns"] if t["number"] > turn["number"] and t.get("differences"))
    if later:
        yield f"  and {later} later turns, which may only follow from it"


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"
