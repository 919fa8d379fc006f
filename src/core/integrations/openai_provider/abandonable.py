"""A call with a hard limit. SDK timeouts are per phase: a server that drips bytes outlives them."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")


class AbandonedError(Exception):
    """The limit passed; the call goes on in its daemon thread and its result is thrown away."""


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """Run `call` in a daemon thread and wait at most `seconds`. Raises what it raised, or `AbandonedError`.

    Only for calls without side effects that matter. No thread pool: its workers are joined at exit, and a hung one
    would hold the process.
    """
    outcome: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            outcome.put((call(), None))
        except BaseException as error:  # noqa: BLE001 - carried to the caller, who raises it
            outcome.put((None, error))

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), daemon=True, name="model-call").start()
    try:
        value, error = outcome.get(timeout=max(seconds, 0.001))
    except Empty:
        raise AbandonedError from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value] # None only beside an error
