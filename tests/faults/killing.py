"""A process that dies: forked, it reaches the world over a pipe and ends by `os._exit` at the call it is told."""

from __future__ import annotations

import gc
import os
import threading
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from typing import Any, Literal, NoReturn, TypeVar

from tests.fakes.clock import FakeClock
from tests.faults.outside import Call, Line
from tests.faults.world import Run, World

Moment = Literal["before", "after"]
MOMENTS: tuple[Moment, ...] = ("before", "after")

T = TypeVar("T")
_KILLED = 9


def killed(at: int, moment: Moment) -> Run[Any]:
    """Runs work in a process of its own, which dies just before or after its `at`-th call to the outside."""

    def run(world: World, work: Callable[[Line, FakeClock], T]) -> T | None:
        child = Child(world, work, dies=(at, moment))
        while child.serve():
            pass
        return child.result()

    return run


class Child:
    """A forked process and our end of its line. `dies` says at which call, if at all."""

    def __init__(
        self, world: World, work: Callable[[Line, FakeClock], Any], *, dies: tuple[int, Moment] | None = None
    ) -> None:
        self._world = world
        self._returned: list[Any] = []
        self.connection, theirs = Pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of other tests hold nothing that it needs
            self._pid = os.fork()
        if self._pid == 0:
            gc.disable()  # a collection would write to, and so copy, every page that it shares with us
            self.connection.close()
            _live(theirs, world.clock, work, dies)
        theirs.close()

    def serve(self) -> bool:
        """Answer one call; False when the process has ended."""
        try:
            kind, what = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.connection.close()
            return False
        if kind == "returned":
            self._returned.append(what)
        elif kind == "crashed":
            raise AssertionError(what)
        else:
            self._answer(what)
        return True

    def result(self) -> Any:
        """What the work returned; None when it was killed."""
        _, status = os.waitpid(self._pid, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code == (0 if self._returned else _KILLED), f"the process ended with {code}"
        return self._returned[0] if self._returned else None

    def _answer(self, call: Call) -> None:
        try:
            answer = ("value", self._world.answer(call))
        except Exception as error:  # noqa: BLE001 -- the child's to handle
            answer = ("raises", (type(error), error.args, error.__dict__))
        try:
            self.connection.send((self._world.clock.now_ms(), *answer))
        except BrokenPipeError:
            return


def _live(
    connection: Connection, clock: FakeClock, work: Callable[[Line, FakeClock], Any], dies: tuple[int, Moment] | None
) -> NoReturn:
    """The child's whole life."""
    made = 0
    one_at_a_time = threading.Lock()

    def line(call: Call) -> Any:
        nonlocal made
        with one_at_a_time:  # a batch is worked at in threads
            made += 1
            if dies == (made, "before"):
                os._exit(_KILLED)
            connection.send(("call", call))
            now_ms, kind, what = connection.recv()
            clock.advance(now_ms - clock.now_ms())
            if dies == (made, "after"):
                os._exit(_KILLED)
        if kind == "raises":
            raise _rebuilt(*what)
        return what

    try:
        connection.send(("returned", work(line, clock)))
    except BaseException:  # noqa: BLE001 -- the parent reports it
        connection.send(("crashed", traceback.format_exc()))
        os._exit(1)
    os._exit(0)


def _rebuilt(kind: type[Exception], args: tuple[Any, ...], fields: dict[str, Any]) -> Exception:
    """Errors whose keyword-only fields pickle does not know."""
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(fields)
    return error
