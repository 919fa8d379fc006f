"""Moments and spans as operators read them."""

from __future__ import annotations

from datetime import UTC, datetime

_SPANS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def moment(ms: int) -> str:
    """In UTC, as the logs have it."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def span(seconds: float) -> str:
    """In its largest whole unit: `3 h`, `45 s`."""
    for size, name in _SPANS:
        if seconds >= size:
            return f"{int(seconds // size)} {name}"
    return "0 s"


def moment_ago(ms: int, *, now_ms: int) -> str:
    """A moment and how long ago it was."""
    return f"{moment(ms)}, {span(max(0, now_ms - ms) / 1000)} ago"


def messages(number: int) -> str:
    """So many of them, and the verb's form beside it."""
    return "1 message waits" if number == 1 else f"{number} messages wait"
