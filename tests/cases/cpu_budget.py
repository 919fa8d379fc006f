"""A guard for work that must not explode: it counts the processor's time, so that a loaded machine changes nothing."""

from __future__ import annotations

import signal
from collections.abc import Iterator
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
