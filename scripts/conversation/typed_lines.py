"""Lines that somebody types, read while an answer is awaited: what was typed meanwhile goes out together."""

from __future__ import annotations

import queue
import threading
from typing import TextIO

# Two lines that were pasted, or typed at once, come this close together.
_TOGETHER_SECONDS = 0.3


class TypedLines:
    """Reads a stream in a thread of its own. `prompt` is shown while nothing waits to be read."""

    def __init__(self, stream: TextIO) -> None:
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._kept: str | None = None
        self._ended = False
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def next_burst(self) -> list[str] | None:
        """Every line that is there, the first awaited; None at the end. A command (`/…`) always stands alone."""
        if self._ended:
            return None
        burst: list[str] = []
        while (line := self._take(wait_seconds=_TOGETHER_SECONDS if burst else None)) is not None:
            if line.startswith("/") and burst:
                self._kept = line
                break
            if line:
                burst.append(line)
            if line.startswith("/"):
                break
        return burst or (None if self._ended else [])

    def _read(self, stream: TextIO) -> None:
        for line in stream:
            self._lines.put(line.strip())
        self._lines.put(None)

    def _take(self, *, wait_seconds: float | None) -> str | None:
        if self._kept is not None:
            kept, self._kept = self._kept, None
            return kept
        try:
            line = self._lines.get(timeout=wait_seconds)
        except queue.Empty:
            return None
        self._ended = line is None
        return line
