"""A call with a hard limit. SDK timeouts are per phase: a server that drips bytes outlives them."""

from __future__ import annotations

import contextvars
import threading
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

_Outcome = tuple[Any, BaseException | None]


class AbandonedError(Exception):
    """The limit passed; the call goes on in its daemon thread and its result is thrown away."""


class _Worker:
    """A daemon thread that makes one call after another. A new thread for each call would cost a tenth of a call.

    No `ThreadPoolExecutor`: its workers are joined at exit, and a hung one would hold the process.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], SimpleQueue[_Outcome]] | None] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="model-call").start()

    def begin(self, call: Callable[[], Any]) -> SimpleQueue[_Outcome]:
        outcome: SimpleQueue[_Outcome] = SimpleQueue()
        self._calls.put((call, outcome))
        return outcome

    def retire(self) -> None:
        """Its thread ends with the call it is making."""
        self._calls.put(None)

    def _run(self) -> None:
        while (begun := self._calls.get()) is not None:
            call, outcome = begun
            try:
                brought: _Outcome = (call(), None)
            except BaseException as error:  # noqa: BLE001 -- carried to the caller, who raises it
                brought = (None, error)
            outcome.put(brought)
            del begun, call, outcome, brought


# Workers that wait for a call. One that was abandoned never comes back here.
_idle: deque[_Worker] = deque()


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """Make `call` in a daemon thread and wait at most `seconds`. Raises what it raised, or `AbandonedError`.

    Only for calls without side effects that matter.
    """
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    context = contextvars.copy_context()
    outcome = worker.begin(lambda: context.run(call))
    try:
        value, error = outcome.get(timeout=max(seconds, 0.001))
    except Empty:
        worker.retire()
        raise AbandonedError from None
    _idle.append(worker)
    if error is not None:
        raise error
    return value  # type: ignore[no-any-return] # what `call` returned
