"""The machine's clock."""

from __future__ import annotations

import time


class SystemClock:
    """`Clock` over the operating system's time."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return time.time_ns() // 1_000_000
