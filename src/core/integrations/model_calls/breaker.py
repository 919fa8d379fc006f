"""Which rungs are not worth a request now (docs/providers.md, "The breaker"). One process's own knowledge."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.domain.llm import ModelRef

_OPENS_AFTER = 2
_OPEN_SECONDS = 30.0
_RETRY_AFTER_SECONDS = (5.0, 300.0)
# A failure that lies further back says nothing about now.
_REMEMBERED_SECONDS = 300.0
# Nobody else probes while a probe may still be on its way.
_PROBE_SECONDS = 60.0


@dataclass(slots=True)
class _Rung:
    failures: int = 0
    failed_at: float = 0.0
    open_until: float = 0.0
    open_seconds: float = 0.0


class Breaker:
    """Two failures running open a rung for 30 s, or as long as the provider asked for; then one request probes it.

    A probe that fails doubles the wait, up to 300 s; an answer closes it. `clock` counts seconds and goes on while the
    process is frozen, so that what was known before is old after.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or _seconds_since_boot
        self._rungs: dict[ModelRef, _Rung] = {}
        self._lock = threading.Lock()

    def is_open(self, ref: ModelRef) -> bool:
        """Whether a request now would be turned away."""
        with self._lock:
            rung = self._rungs.get(ref)
            return rung is not None and self._clock() < rung.open_until

    def admits(self, ref: ModelRef) -> bool:
        """Whether this request may be made; where the wait is over, it is the only probe."""
        with self._lock:
            rung = self._rungs.get(ref)
            if rung is None or rung.open_until <= 0.0:
                return True
            now = self._clock()
            if now < rung.open_until:
                return False
            rung.open_until = now + _PROBE_SECONDS
            return True

    def answered(self, ref: ModelRef) -> None:
        """The provider is there, whatever it said."""
        with self._lock:
            self._rungs.pop(ref, None)

    def failed(self, ref: ModelRef, *, retry_after_seconds: float | None = None) -> None:
        """It was not."""
        with self._lock:
            now = self._clock()
            rung = self._rungs.setdefault(ref, _Rung())
            if now - rung.failed_at > max(_REMEMBERED_SECONDS, 2 * rung.open_seconds):
                rung.failures, rung.open_seconds = 0, 0.0
            rung.failures, rung.failed_at = rung.failures + 1, now
            if rung.failures >= _OPENS_AFTER:
                least, most = _RETRY_AFTER_SECONDS
                asked = min(max(retry_after_seconds, least), most) if retry_after_seconds is not None else 0.0
                rung.open_seconds = asked or min(max(2 * rung.open_seconds, _OPEN_SECONDS), most)
                rung.open_until = now + rung.open_seconds


def _seconds_since_boot() -> float:
    """Monotonic, and counts what a process slept through, where the system has such a clock."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)
