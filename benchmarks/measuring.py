"""Ratios of two things measured in one run, interleaved, so that the machine's mood cancels out."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable


def cpu_ratio(measured: Callable[[], object], yardstick: Callable[[], object], *, rounds: int, calls: int) -> float:
    """Median, over `rounds`, of CPU(measured) ÷ CPU(yardstick), each called `calls` times a round, taking turns.

    Process CPU time: threads count, sleeping does not.
    """
    for warm in (measured, yardstick):
        for _ in range(calls):
            warm()
    gc.collect()
    gc.disable()
    try:
        ratios = [_cpu(measured, calls) / _cpu(yardstick, calls) for _ in range(rounds)]
    finally:
        gc.enable()
    return statistics.median(ratios)


def _cpu(call: Callable[[], object], calls: int) -> float:
    started = time.process_time()
    for _ in range(calls):
        call()
    return time.process_time() - started
