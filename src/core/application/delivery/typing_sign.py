"""Blue ticks and "digitando…" while an answer is made: beside the model's call, never before it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import copy_context

# WhatsApp takes the sign away after 25 s, or with the next message.
RENEW_SECONDS = 20.0


class TypingSign:
    """`show` raises nothing that a turn should end for. Without an executor it is shown once, by the caller."""

    def __init__(
        self, show: Callable[[], None], *, executor: Executor | None = None, renew_seconds: float = RENEW_SECONDS
    ) -> None:
        self._show = show
        self._renew_seconds = renew_seconds
        self._over = threading.Event()
        self._work: Future[None] | None = None
        if executor is None:
            show()
        else:
            self._work = executor.submit(copy_context().run, self._keep_showing)

    def end(self) -> None:
        """Not shown again; returns once nothing of it is on its way, or it would stand after the answer."""
        self._over.set()
        if self._work is not None and not self._work.cancel():
            self._work.result()

    def _keep_showing(self) -> None:
        while True:
            self._show()
            if self._over.wait(self._renew_seconds):
                return
