"""A clock that tests move: faithful because it only ever says what it was told."""

from __future__ import annotations

# 2026-11-30 12:00 UTC, a Monday morning in São Paulo.
MONDAY_MS = 1_796_040_000_000


class FakeClock:
    """Stands until advanced."""

    def __init__(self, now_ms: int = MONDAY_MS) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def advance(
        self, ms: int = 0, *, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0
    ) -> None:
        self._now_ms += ms + round((seconds + 60 * minutes + 3600 * hours + 86_400 * days) * 1000)
