"""How far a long command is, on stderr and only for people: a pipe gets nothing."""

from __future__ import annotations

import sys
from types import TracebackType


class Bar:
    """`with Bar("name", total=9) as bar: bar.step()`. Without a total it counts."""

    def __init__(self, name: str, *, total: int | None = None, done: int = 0) -> None:
        self._name, self._total, self._done = name, total, done
        self._shows = sys.stderr.isatty()

    def __enter__(self) -> Bar:
        self._show()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        if self._shows:
            print(file=sys.stderr)

    def step(self) -> None:
        """One more."""
        self._done += 1
        self._show()

    def _show(self) -> None:
        if self._shows:
            of = "" if self._total is None else f" of {self._total}"
            print(f"\r{self._name}: {self._done}{of}", end="", file=sys.stderr, flush=True)
