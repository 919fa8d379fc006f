"""p95 of the attendants' API, through its handler over a table in memory ÷ that of the same answer's JSON alone."""

from __future__ import annotations

import io
import json
import logging
import statistics
import time
from collections.abc import Callable
from contextlib import redirect_stdout

import pytest

from tests.attendance import Door
from tests.desk import Desk

LIMITS = {"attendants_queue_p95": None, "attendants_opened_p95": None, "attendants_unchanged_p95": None}

_WAITING, _MESSAGES = 50, 40


def measure(*, calls: int = 200) -> dict[str, float]:
    """A page of fifty who wait, a conversation of forty messages, and its poll without news."""
    logging.disable(logging.CRITICAL)
    try:
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
            return _measured(Door(_busy_desk(), patch), calls)
    finally:
        logging.disable(logging.NOTSET)


def _measured(door: Door, calls: int) -> dict[str, float]:
    pages = {"attendants_queue_p95": "/queue", "attendants_opened_p95": door.home}
    ratios = {}
    for figure, path in pages.items():
        page = door.get(path).json
        bare = _p95(lambda page=page: json.dumps({"statusCode": 200, "body": json.dumps(page)}), calls)  # type: ignore[misc]
        ratios[figure] = _p95(lambda path=path: door.get(path), calls) / bare  # type: ignore[misc]
    tag = door.get(door.home).headers["etag"]
    unchanged = _p95(lambda: door.get(door.home, headers={"if-none-match": tag}), calls)
    return {**ratios, "attendants_unchanged_p95": unchanged / bare}


def _busy_desk() -> Desk:
    desk = Desk()
    for _ in range(_WAITING):
        desk.says("quero falar com uma pessoa", sender=desk.another_customer())
    desk.says("quero falar com uma pessoa")
    for number in range(_MESSAGES):
        desk.clock.advance(seconds=2)
        desk.record(desk.message(f"São {number} amostras de água, em Campinas."))
    desk.clock.advance(minutes=5)  # the card has come
    return desk


def _p95(call: Callable[[], object], calls: int) -> float:
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    print(measure())
