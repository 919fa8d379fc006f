"""How often each rule of the guard fires on customers' messages, and on what (see --help)."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import checkout_path  # noqa: F401
from command_line.reader_gone import nobody_may_read
from core.domain.conversation_guard import LOOP_FROM_TURNS
from core.domain.guard.detectors import FRUSTRATION, HUMAN_REQUEST, fired, frustration, rules
from core.domain.guard.loop import WINDOW, is_loop
from core.domain.guard.phrases import Text
from core.domain.guard.spelling import spell_out
from core.domain.guard.tables import GuardTableError
from session_tools.errors import CommandError
from session_tools.logged_turns import LoggedTurn, logged_turns
from session_tools.tables import pages_of

LOOP = "loop"
DETECTORS = (FRUSTRATION, HUMAN_REQUEST, LOOP)
SHOWN = 80
_LABELS = {"none": "", "frustrated": FRUSTRATION, "human": HUMAN_REQUEST, "human-request": HUMAN_REQUEST}
_LABELS |= {detector: detector for detector in DETECTORS}
_EPILOG = """\
examples:
  .venv/bin/python scripts/guard_report.py customers.jsonl
  .venv/bin/python scripts/guard_report.py --only human_request --examples 5 guard_human_request.jsonl
  .venv/bin/python scripts/guard_report.py --unused < messages.txt
  .venv/bin/python scripts/guard_report.py --stack
  AWS_PROFILE=prod .venv/bin/python scripts/guard_report.py --table balcao-prod-conversations --examples 0

--stack and --table read logged sessions: every turn's words as the guard read them, and what it decided at the time.
Customers' own words are shown; --examples 0 leaves them out.

A line is a message as it was written, or a JSON object {"text": …} or {"texts": [three, in, order]}. Its "label" is one
of none, human, frustrated, loop; or 1 and 0, with --only to say for which detector. Nothing is written but this report.
"""


class InputError(Exception):
    """A line that is no message, or a table that is not there; the sentence names it."""


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


@dataclass(slots=True)
class Verdicts:
    """What the guard decided in the turns that were logged, by kind and rule."""

    turns: int = 0
    stopped: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, turn: LoggedTurn) -> None:
        """Count a turn; `guard` is empty where another gate came first."""
        self.turns += 1
        if kind := turn.guard.get("kind"):
            self.stopped[str(kind), str(turn.guard.get("rule") or "no rule")] += 1


def main(arguments: list[str] | None = None) -> int:
    """0 with the report; 2 with the line that can't be read."""
    parser = argparse.ArgumentParser(
        prog="scripts/guard_report.py",
        description="Says how often each rule of the guard fires, on what, and how right each detector is.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("file", type=Path, nargs="?", help="labelled JSON Lines or plain lines; default: stdin")
    source.add_argument("--stack", action="store_true", help="the logged sessions of the stack that make stack runs")
    source.add_argument("--table", metavar="NAME", help="those of a table, in the account that AWS_* names")
    parser.add_argument("--only", choices=DETECTORS, help="one detector alone")
    parser.add_argument("--examples", type=int, default=2, metavar="N", help="messages shown for a rule (default 2)")
    parser.add_argument("--unused", action="store_true", help="name the rules that never fired too")
    options = parser.parse_args(arguments)
    detectors = (options.only,) if options.only else DETECTORS
    verdicts = Verdicts()
    try:
        if options.stack or options.table:
            tallies = count(logged_rows(_logged(options.table), verdicts), detectors)
        else:
            with options.file.open(encoding="utf-8") if options.file else nullcontext(sys.stdin) as lines:
                tallies = count(read_rows(lines, options.only), detectors)
    except (OSError, UnicodeError, InputError, CommandError, GuardTableError) as error:
        print(f"guard_report: {error}", file=sys.stderr)
        return 2
    report = [*_decided(verdicts)] if verdicts.turns or options.stack or options.table else []
    for detector, tally in tallies.items():
        report += _lines(detector, tally, options.examples, unused=options.unused)
    with nobody_may_read():
        print("\n".join(report))
    return 0


def read_rows(lines: Iterable[str], only: str | None = None) -> Iterator[Row]:
    """The rows of a file; blank lines are passed over."""
    for number, line in enumerate(lines, 1):
        written = line.strip()
        if written.startswith("{"):
            yield _labelled_row(written, number, only)
        elif written:
            yield Row(texts=[written], expected=None)


def logged_rows(turns: Iterable[LoggedTurn], verdicts: Verdicts) -> Iterator[Row]:
    """What each turn's words were; for the loop detector the last three too, where it was on at the time."""
    said: deque[str] = deque(maxlen=WINDOW)
    conversation = ""
    for turn in turns:
        verdicts.add(turn)
        if turn.conversation != conversation:
            said.clear()
        conversation = turn.conversation
        if not turn.typed:
            continue
        said.append(turn.typed)
        yield Row(texts=[turn.typed], expected=None)
        if len(said) == WINDOW and int(turn.guard.get("turns_without_progress") or 0) >= LOOP_FROM_TURNS:
            yield Row(texts=list(said), expected=None)


def count(rows: Iterable[Row], detectors: Sequence[str]) -> dict[str, Tally]:
    """What each detector did. Three texts are for the loop detector alone, and one text for the others."""
    tallies = {detector: Tally() for detector in detectors}
    for row in rows:
        for detector, tally in tallies.items():
            if (detector == LOOP) == (len(row.texts) >= WINDOW):
                tally.add(row, _fired(detector, row.texts), detector)
    return tallies


def _logged(table: str | None) -> Iterator[LoggedTurn]:
    """The turns of a table of the user's account, or of the running stack's where none is named."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield from logged_turns(pages_of(table).conversations())
    except (BotoCoreError, ClientError) as error:
        raise InputError(f"the table {table or 'of the stack'} can't be read: {error}") from error


def _decided(verdicts: Verdicts) -> Iterator[str]:
    yield f"{verdicts.turns} logged turns, {verdicts.stopped.total()} stopped by the guard at the time"
    for (kind, rule), times in verdicts.stopped.most_common():
        yield f"  {kind}, {rule}: {times}"
    yield "as the rules are now:"


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
    spelled = spell_out(texts[-1])
    names = list(fired(detector, Text(spelled)))
    if detector == FRUSTRATION:  # signs decide too, and take back what rules say
        verdict = frustration(spelled)
        return [] if verdict is None else names or [verdict]
    return names


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
