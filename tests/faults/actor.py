"""A process that moves only when it is told to: it stops before and after every call to the outside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Literal

from core.domain.errors import IntegrationError
from tests.faults.failing import Fault, UnforeseenError, failed
from tests.faults.outside import Call, Line

Order = Literal["go", "die"] | Fault


class KilledError(BaseException):
    """The process is no more. Not an `Exception`: no door may catch it."""


class Actor:
    """`work` in a thread of its own, of which never more than one in the world runs: the baton is passed by hand.

    `waits_at` is the call that it stands before or behind, None once it has ended; `returned` is what the work gave.
    """

    def __init__(self, name: str, line: Line, work: Callable[[Line], Any], *, until_ms: int) -> None:
        self.name = name
        self.until_ms = until_ms
        self.waits_at: tuple[Literal["before", "behind"], Call] | None = None
        self.returned: Any = None
        self.died = False
        self.crashed: BaseException | None = None
        self._line = line
        self._order: Order = "go"
        self._baton, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._live, args=(work,), daemon=True)
        self._thread.start()
        self._await()

    def move(self, order: Order = "go") -> None:
        """On to the next stop."""
        self._order = order
        self._baton.release()
        self._await()

    def _await(self) -> None:
        self._back.acquire()
        if self.waits_at is None:
            self._thread.join()
        if self.crashed is not None:
            raise self.crashed

    def _live(self, work: Callable[[Line], Any]) -> None:
        try:
            self.returned = work(self._call)
        except (KilledError, IntegrationError, UnforeseenError):
            self.died = True  # or failed, which is the same to Lambda
        except Exception as error:  # noqa: BLE001 -- raised where the schedule is run
            self.crashed = error
        self.waits_at = None
        self._back.release()

    def _call(self, call: Call) -> Any:
        order = self._stop("before", call)
        value = failed(call, order, self._line) if isinstance(order, Fault) else self._line(call)
        self._stop("behind", call)
        return value

    def _stop(self, where: Literal["before", "behind"], call: Call) -> Order:
        if self.died:
            raise KilledError
        self.waits_at = (where, call)
        self._back.release()
        self._baton.acquire()
        if self._order == "die":
            self.died = True
            raise KilledError
        return self._order
