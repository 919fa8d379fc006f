"""What holds for one turn and no longer: which rungs of a route have failed in it (docs/providers.md)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.domain.llm import ModelRef

_failed: ContextVar[set[ModelRef] | None] = ContextVar("failed_rungs", default=None)


@contextmanager
def one_turn() -> Iterator[None]:
    """Model calls of this thread within belong to one turn; a turn within a turn is the same one."""
    if _failed.get() is not None:
        yield
        return
    token = _failed.set(set())
    try:
        yield
    finally:
        _failed.reset(token)


def failed_rungs() -> set[ModelRef]:
    """Those that could not answer in this turn, to be added to; forgotten at once outside of any."""
    failed = _failed.get()
    return set() if failed is None else failed
