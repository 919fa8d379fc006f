"""Plays the sessions of a file, several at once, and writes each down as it ends: what was done is not done again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from replay.running.lanes import Lanes
from replay.running.plan import RunPlan
from replay.running.sockets import closed_sockets
from replay.session_file.reader import SessionFile

Result = Mapping[str, Any]
_IN_FLIGHT = 4
"""Sessions a process has waiting: more would be read into memory for nothing."""


@dataclass(frozen=True, slots=True)
class _Worker:
    file: SessionFile
    lanes: Lanes
    is_live: bool


_worker: _Worker | None = None


def run(file: SessionFile, plan: RunPlan, *, jobs: int, done: frozenset[int] = frozenset()) -> Iterator[Result]:
    """What became of each session that is not `done`, in the order in which they end."""
    waiting = ((index, lines) for index, lines in enumerate(file.lines_of_sessions()) if index not in done)
    if jobs == 1:
        _start(file, plan)
        yield from (_play(index, lines) for index, lines in waiting)
        return
    with ProcessPoolExecutor(max_workers=jobs, initializer=_start, initargs=(file, plan)) as pool:
        running: set[Future[Result]] = set()
        for index, lines in waiting:
            running.add(pool.submit(_play, index, lines))
            if len(running) >= jobs * _IN_FLIGHT:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in ended)
        yield from (each.result() for each in running)


class ProgressFile:
    """A line for each session that ended, under the name of the file, its content and what was asked."""

    def __init__(self, path: Path, *, key: str) -> None:
        self._path, self._key = path, key

    def done(self) -> frozenset[int]:
        """The sessions that need not be played again; none when something else was asked."""
        return frozenset(result["index"] for result in self.results())

    def results(self) -> Iterator[Result]:
        """What was written; a line that a stop cut is left out."""
        try:
            with self._path.open(encoding="utf-8") as lines:
                if json.loads(next(lines, "{}")).get("key") != self._key:
                    return
                for line in lines:
                    if line.endswith("\n"):
                        yield json.loads(line)
        except (FileNotFoundError, ValueError):
            return

    def open(self) -> ProgressFile:
        """Ready to be written to: kept where it is of the same run, begun again where it is not."""
        if not self.done():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps({"key": self._key}) + "\n", "utf-8")
        return self

    def add(self, result: Result) -> None:
        """One session more."""
        with self._path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(result, ensure_ascii=False) + "\n")


def key_of(file: SessionFile, asked: str) -> str:
    """Names a run: the sessions, and everything that was asked of them."""
    return hashlib.sha256(f"{file.sha256}|{asked}".encode()).hexdigest()[:16]


def _start(file: SessionFile, plan: RunPlan) -> None:
    global _worker  # noqa: PLW0603 -- a process of the pool has one, made once
    _worker = _Worker(file, Lanes(plan, file.header), plan.is_live)


def _play(index: int, lines: list[str]) -> Result:
    if _worker is None:
        raise RuntimeError("the process was not started")
    with nullcontext() if _worker.is_live else closed_sockets():
        return _worker.lanes.play(_worker.file.session_of(lines), index)
