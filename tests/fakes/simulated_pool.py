"""Many workers on one simulated clock, without a thread: what a pool's work would take, to the millisecond.

Tasks begin in the order in which they were submitted, each on the worker that is free first, and run to their end at
once, while the clock shows that worker's own time. So a task may not wait for one that was submitted after it, nor two
at once want the same thing; conversations side by side do neither. Whoever takes a result waits until it is there.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

from tests.fakes.clock import FakeClock

T = TypeVar("T")


class SharedClock(FakeClock):
    """A clock that a pool may put to another worker's time; `advance` is the time of whoever works."""

    def put_to(self, now_ms: int) -> int:
        """Returns what it showed."""
        before, self._now_ms = self._now_ms, now_ms
        return before


class SimulatedPool(Executor):
    """`busy_ms` sums what the workers worked."""

    def __init__(self, clock: SharedClock, workers: int) -> None:
        self._clock = clock
        self._free_at = [clock.now_ms()] * workers
        self.busy_ms = 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        begins_ms = max(heapq.heappop(self._free_at), self._clock.now_ms())
        asked_ms = self._clock.put_to(begins_ms)
        future = _LaterFuture[T](self._clock)
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 -- as an executor does
            future.set_exception(error)
        future.ends_ms = self._clock.put_to(asked_ms)
        self.busy_ms += future.ends_ms - begins_ms
        heapq.heappush(self._free_at, future.ends_ms)
        return future


class _LaterFuture(Future[T]):
    def __init__(self, clock: SharedClock) -> None:
        super().__init__()
        self._clock = clock
        self.ends_ms = 0

    def result(self, timeout: float | None = None) -> T:
        self._clock.put_to(max(self._clock.now_ms(), self.ends_ms))
        return super().result(timeout)
