"""`python -m tests.faults.kill_table`: every step of every scene, killed before and after, and what it came to.

A cell holds what became of a kill before the call, and of one after it: the seconds until the customer read an answer
(a redelivery comes after 360 s, the sweep once a minute) and, after a slash, until people were told. `2×`: where
WhatsApp said nothing, the text came once more, after the wait. `!`: something was lost or said twice.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))  # pytest does it for tests, nobody for commands

from tests.faults.doors import injected
from tests.faults.killing import MOMENTS
from tests.faults.scenes import DOORS, SWEEPS, TURNS, Scene
from tests.faults.trial import Trial, kill
from tests.faults.world import REPORTS, Statuses

BLOCKS = {"turns": TURNS, "webhook door": DOORS, "sweep": SWEEPS}


def main() -> int:
    """Exit status 1 when a cell has a fault."""
    logging.disable(logging.CRITICAL)
    problems: list[str] = []
    with injected():
        for title, scenes in BLOCKS.items():
            columns = {scene.name: _column(scene, problems) for scene in scenes}
            _print(title, columns)
    tried = sum(len(scene.steps) for scenes in BLOCKS.values() for scene in scenes) * len(MOMENTS) * len(REPORTS)
    _say(f"\n{tried} kills, {len(problems)} faults", *problems)
    return 1 if problems else 0


def _column(scene: Scene, problems: list[str]) -> dict[str, str]:
    cells = {}
    for at, step in enumerate(scene.steps, start=1):
        words = []
        for moment in MOMENTS:
            trials = {statuses: kill(scene, at, moment, statuses) for statuses in REPORTS}
            faulty = {statuses: trial.found for statuses, trial in trials.items() if trial.found}
            problems += [f"{scene.name}-{moment}-{step}, statuses {which}: {found}" for which, found in faulty.items()]
            words.append(_cell(trials[Statuses.AFTER], trials[Statuses.WITHHELD]) + ("!" if faulty else ""))
        cells[step] = " | ".join(words)
    return cells


def _cell(reported: Trial, withheld: Trial) -> str:
    told = f"/{reported.told_s}" if reported.told_s is not None else ""
    twice = " 2×" if withheld.doubled else ""
    return f"{'-' if reported.answered_s is None else reported.answered_s}{told}{twice}"


def _print(title: str, columns: dict[str, dict[str, str]]) -> None:
    rows = _in_order(columns.values())
    width = max(len(cell) for cells in columns.values() for cell in (*cells.values(), *columns))
    _say(f"\n{title:18}" + "".join(f"{name:<{width + 2}}" for name in columns))
    for row in rows:
        _say(f"{row:18}" + "".join(f"{cells.get(row, ''):<{width + 2}}" for cells in columns.values()).rstrip())


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")


def _in_order(columns: Iterable[Iterable[str]]) -> list[str]:
    """Every step once, each behind the one that it follows somewhere."""
    rows: list[str] = []
    for column in columns:
        place = 0
        for step in column:
            if step not in rows:
                rows.insert(place, step)
            place = rows.index(step) + 1
    return rows


if __name__ == "__main__":
    sys.exit(main())
