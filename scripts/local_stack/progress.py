"""One line for each phase of something slow: `[2/6] build ... 3.1 s`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


class Progress:
    """Counts phases up to `total` and times each."""

    def __init__(self, total: int, *, stream: TextIO | None = None) -> None:
        self._total = total
        self._done = 0
        self._stream = stream or sys.stderr

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        self._done += 1
        self._write(f"[{self._done}/{self._total}] {name} ... ")
        started = time.monotonic()
        try:
            yield
        except BaseException:
            self._write("failed\n")
            raise
        self._write(f"{time.monotonic() - started:.1f} s\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
