"""A guard for work that must not explode: it counts the processor's time, so that a loaded machine changes nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_SECONDS = 15.0  # the inputs guarded take a tenth of a second; were the work quadratic, minutes


class ExplodedError(AssertionError):
    """The guarded work took far more than its size explains."""


def _explode(_number: int, _frame: FrameType | None) -> NoReturn:
    raise ExplodedError


@contextmanager
def work_that_ends() -> Iterator[None]:
    """Raises `ExplodedError` in the midst of work that would hang the tests. No measure of speed: benchmarks are."""
    before = signal.signal(signal.SIGVTALRM, _explode)
    signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


_SMALL, _TIMES = 2_000, 8
_MOST = 3 * _TIMES  # linear work takes eight times as long, quadratic work sixty-four times
_NOTHING_SECONDS = 0.02


def grows_with_its_size(work: Callable[[str], object], around: str, piece: str) -> bool:
    """Whether `work` on `around % (piece * n)` takes time that grows as the text does, and not as its square."""
    large = around % (piece * (_SMALL * _TIMES // len(piece)))
    with work_that_ends():
        taken = _seconds(work, large)
        if taken < _NOTHING_SECONDS:
            return True
        small = around % (piece * (_SMALL // len(piece)))
        return min(taken, _seconds(work, large)) < _MOST * min(_seconds(work, small) for _ in range(3))


def _seconds(work: Callable[[str], object], text: str) -> float:
    begun = time.thread_time()
    work(text)
    return time.thread_time() - begun
