"""The table in memory as replays have it, with what tests arrange: a request that fails, somebody who comes in between."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Literal

from core.application.ports import Clock
from core.domain.record_keys import pk_of
from replay.memory.store import MemoryConversationStore

Moment = Literal["before", "after"]


class FakeConversationStore(MemoryConversationStore):
    """`requests` logs each request by its port method (`batch_get` for the one that `read` may add)."""

    def __init__(self, clock: Clock, *, retention_days: int = 180) -> None:
        super().__init__(clock, retention_days=retention_days)
        self.requests: list[str] = []
        self._hooks: dict[tuple[str, Moment], list[Callable[[], object]]] = {}

    def keep_only(self, conversations: Collection[str]) -> None:
        """As if the others had never been."""
        others = set(self._keys) - {pk_of(each) for each in conversations}
        for pk in others:
            for sk in self._keys.pop(pk):
                del self._items[pk, sk]

    def fail_next(self, method: str, exception: BaseException, when: Moment = "before") -> None:
        """The method's next request raises: before anything happened, or after it was written and the answer lost."""

        def fail() -> None:
            raise exception

        self.on_next(method, fail, when)

    def on_next(self, method: str, action: Callable[[], object], when: Moment = "before") -> None:
        """Run something else just before or after the method's next request: a newcomer, a takeover."""
        self._hooks.setdefault((method, when), []).append(action)

    @contextmanager
    def _request(self, method: str) -> Iterator[None]:
        self.requests.append(method)
        self._run_hooks(method, "before")
        with self._lock:
            yield
        self._run_hooks(method, "after")

    def _note_request(self, method: str) -> None:
        self.requests.append(method)

    def _run_hooks(self, method: str, when: Moment) -> None:
        waiting = self._hooks.get((method, when))
        if waiting:
            waiting.pop(0)()
