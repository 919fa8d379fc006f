"""How often each rule of the guard fires on customers' messages, and on what (see --help)."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.guard.detectors import FRUSTRATION, HUMAN_REQUEST, fired, rules
from core.domain.guard.loop import WINDOW, is_loop
from core.domain.guard.phrases import Text
from core.domain.guard.spelling import spell_out

LOOP = "loop"
DETECTORS = (FRUSTRATION, HUMAN_REQUEST, LOOP)
SHOWN = 80
_LABELS = {"none": "", "frustrated": FRUSTRATION, "human": HUMAN_REQUEST, "human-request": HUMAN_REQUEST}
_LABELS |= {detector: detector for detector in DETECTORS}
_EPILOG = """\
examples:
  PYTHONPATH=src python scripts/guard_report.py customers.jsonl
  PYTHONPATH=src python scripts/guard_report.py --only human_request --examples 5 guard_human_request.jsonl
  PYTHONPATH=src python scripts/guard_report.py --unused < messages.txt

A line is a message as it was written, or a JSON object {"text": …} or {"texts": [three, in, order]}. Its "label" is one
of none, human, frustrated, loop; or 1 and 0, with --only to say for which detector. Nothing is written but this report.
"""


class InputError(Exception):
    """A line that is no message; the sentence names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One labelled or logged message; `expected` is the detector that should fire, "" if none should."""

    texts: Sequence[str]
    expected: str | None


@dataclass(slots=True)
class Tally:
    """What one detector did: `alone` counts the messages on which no other of its rules fires."""

    labelled: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    by_rule: Counter[str] = field(default_factory=Counter)
    alone: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    seen: dict[str, list[str]] = field(default_factory=dict)

    def add(self, row: Row, names: Sequence[str], detector: str) -> None:
        """Count what fired on a row."""
        if row.expected is not None:
            self.labelled[row.expected == detector, bool(names)] += 1
        for name in names:
            self.by_rule[name] += 1
            self.alone[name] += len(names) == 1
            self.wrong[name] += row.expected not in {None, detector}
            self.seen.setdefault(name, []).append(_cut(" / ".join(row.texts)))


def main(arguments: list[str] | None = None) -> int:
    """0 with the report; 2 with the line that can't be read."""
    parser = argparse.ArgumentParser(
        prog="scripts/guard_report.py",
        description="Says how often each rule of the guard fires, on what, and how right each detector is.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?", help="labelled JSON Lines or plain lines; default: stdin")
    parser.add_argument("--only", choices=DETECTORS, help="one detector alone")
    parser.add_argument("--examples", type=int, default=2, metavar="N", help="messages shown for a rule (default 2)")
    parser.add_argument("--unused", action="store_true", help="name the rules that never fired too")
    options = parser.parse_args(arguments)
    try:
        with options.file.open(encoding="utf-8") if options.file else nullcontext(sys.stdin) as lines:
            tallies = count(read_rows(lines, options.only), (options.only,) if options.only else DETECTORS)
    except (OSError, UnicodeError, InputError) as error:
        print(f"guard_report: {error}", file=sys.stderr)
        return 2
    for detector, tally in tallies.items():
        print("\n".join(_lines(detector, tally, options.examples, unused=options.unused)))
    return 0


def read_rows(lines: Iterable[str], only: str | None = None) -> Iterator[Row]:
    """The rows of a file; blank lines are passed over."""
    for number, line in enumerate(lines, 1):
        written = line.strip()
        if written.startswith("{"):
            yield _labelled_row(written, number, only)
        elif written:
            yield Row(texts=[written], expected=None)


def count(rows: Iterable[Row], detectors: Sequence[str]) -> dict[str, Tally]:
    """What each detector did. Three texts are for the loop detector alone, and one text for the others."""
    tallies = {detector: Tally() for detector in detectors}
    for row in rows:
        for detector, tally in tallies.items():
            if (detector == LOOP) == (len(row.texts) >= WINDOW):
                tally.add(row, _fired(detector, row.texts), detector)
    return tallies


def _labelled_row(written: str, number: int, only: str | None) -> Row:
    try:
        found = json.loads(written)
    except ValueError as error:
        raise InputError(f"line {number} begins like JSON and is none") from error
    texts = found.get("texts", [found.get("text")])
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise InputError(f'line {number} has neither "text" nor "texts"')
    return Row(texts=texts, expected=_expected(found, number, only))


def _expected(found: dict[str, object], number: int, only: str | None) -> str | None:
    label = found.get("label")
    if label is None:
        return None
    if isinstance(label, int) and label in {0, 1}:
        detector = only or (LOOP if "texts" in found else _LABELS.get(str(found.get("kind"))))
        if not detector:
            raise InputError(f"line {number} is labelled {label}: say for which detector with --only")
        return detector if label else ""
    if not isinstance(label, str) or label not in _LABELS:
        raise InputError(f"line {number} has a label that is none of {', '.join(sorted(_LABELS))}, 0, 1")
    return _LABELS[label]


def _fired(detector: str, texts: Sequence[str]) -> list[str]:
    if detector == LOOP:
        return ["repeated_question"] if is_loop(texts) else []
    return list(fired(detector, Text(spell_out(texts[-1]))))


def _lines(detector: str, tally: Tally, examples: int, *, unused: bool) -> Iterator[str]:
    yield f"{detector}: {_figures(tally.labelled)}"
    for name, times in tally.by_rule.most_common():
        yield f"  {name}: {times} fired, {tally.alone[name]} alone, {tally.wrong[name]} wrong"
        yield from (f"    {shown}" for shown in tally.seen[name][:examples])
    if unused and detector != LOOP:
        silent = [rule.name for rule in rules(detector) if not tally.by_rule[rule.name]]
        yield f"  never fired: {', '.join(silent) or 'none'}"


def _figures(labelled: Counter[tuple[bool, bool]]) -> str:
    hits, misses, alarms, quiet = (
        labelled[pair] for pair in ((True, True), (True, False), (False, True), (False, False))
    )
    if not labelled:
        return "no labels"
    parts = [
        ("precision", hits, hits + alarms),
        ("recall", hits, hits + misses),
        ("false alarms", alarms, alarms + quiet),
    ]
    return ", ".join(
        f"{name} {part}/{whole}" + (f" = {part / whole:.3f}" if whole else "") for name, part, whole in parts
    )


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


if __name__ == "__main__":
    sys.exit(main())
