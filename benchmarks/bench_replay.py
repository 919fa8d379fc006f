"""A thousand recorded sessions of twelve turns: what their replay takes of two cores, and how much memory.

Seconds are of CPU, of all processes, over the cores: what else the machine does counts only in `replay_wall_seconds`,
which has no limit.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from replay.exporting.conversation_items import read_items, sessions_of
from replay.reporting.page import write_page
from replay.reporting.plain import summary_to_plain
from replay.reporting.summary import Gathering
from replay.reporting.terminal import show
from replay.running.plan import RunPlan
from replay.running.pool import run
from replay.session_file.reader import SessionFile
from replay.session_file.records import RecordedSession
from replay.session_file.writer import SessionWriter
from tests.replay.scene_recording import header_of, laboratory, recorded_desk
from tests.shipped_companies import PROMPTS_DIR

SESSIONS, JOBS = 1_000, 2
LIMITS = {"replay_seconds": 60, "replay_memory_mb": 300, "replay_report_seconds": 5}


def measure(*, sessions: int = SESSIONS) -> dict[str, float]:
    """Seconds and megabytes; the demo's long conversation, so many times, is what is played."""
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sessions.jsonl"
        _write(path, sessions)
        begins, cpu = time.monotonic(), _cpu_seconds()
        file = SessionFile(path)
        gathering = Gathering(is_live=False, has_baseline=False, effect=0.08)
        gathering.take(run(file, RunPlan(prompts_dir=PROMPTS_DIR), jobs=JOBS))
        wall, played = time.monotonic() - begins, (_cpu_seconds() - cpu) / JOBS
        assert gathering.counts == {"same": sessions}
        cpu = _cpu_seconds()
        _report(_all_changed(gathering), Path(folder))
        reported = _cpu_seconds() - cpu
    peaks = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "replay_seconds": played,
        "replay_wall_seconds": wall,
        "replay_memory_mb": max(peaks),
        "replay_report_seconds": reported,
    }


def _cpu_seconds() -> float:
    """Of this process and of those that it started and that ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _write(path: Path, sessions: int) -> None:
    desk = recorded_desk(laboratory())
    conversation = desk.store.conversations()[0]
    session = next(sessions_of(read_items(conversation, desk.store.items(conversation))))
    assert len(session.turns) == 12
    with SessionWriter(path, header_of(desk)) as file:
        for number in range(sessions):
            file.add(_renamed(session, number))


def _renamed(session: RecordedSession, number: int) -> RecordedSession:
    return replace(session, id=f"{number:012d}")


def _all_changed(gathering: Gathering) -> Gathering:
    """The worst case of a report: every session changed in every turn."""
    worst = Gathering(is_live=False, has_baseline=False, effect=0.08)
    turn = {"drift": [], "cost_usd": ["0.001", "0.002"], "latency_ms": [700, 800], "customer": "oi", "error": ""}
    differences = [{"aspect": "code", "words": "CONTINUE → HANDOFF", "before": {"codes": [1]}, "after": {"codes": [6]}}]
    turns = [{**turn, "number": n, "text": ["a" * 300, "b" * 300], "differences": differences} for n in range(1, 13)]
    for index in range(sum(gathering.counts.values())):
        result: dict[str, Any] = {"index": index, "id": f"{index:012d}", "verdict": "changed", "turns": turns}
        worst.add({**result, "first": 1, "stopped_at": None, "broken": [], "incomplete": []})
    return worst


def _report(gathering: Gathering, folder: Path) -> None:
    from rich.console import Console

    summary = gathering.summary()
    (folder / "replay.json").write_text(json.dumps(summary_to_plain(summary)), "utf-8")
    write_page(folder / "replay.html", summary)
    with contextlib.redirect_stdout(io.StringIO()):
        show(summary, Console())
