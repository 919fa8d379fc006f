"""An executor without threads, for what must not depend on their order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, TypeVar

T = TypeVar("T")


class AtOnce(Executor):
    """Does everything in the caller's thread, one thing after another: what dies there dies wholly."""

    def __init__(self, max_workers: int = 1) -> None:
        self.max_workers = max_workers

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 -- as an executor does
            future.set_exception(error)
        return future
