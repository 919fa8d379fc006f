"""Programs started here: logged to files, never waiting for input, recognised and stopped by identity (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import StackError

STOP_SECONDS = 5.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A running program. `started` (clock ticks since boot) tells it from a later one with the same number."""

    name: str
    pid: int
    started: int

    def is_alive(self) -> bool:
        """Whether this very program runs."""
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, os.WNOHANG)  # a dead child of ours stays until somebody asks
        return _started(self.pid) == self.started

    def stop(self) -> None:
        """End it and what it started: politely, then not."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if not self.is_alive():
                return
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, sign)
            wait_until(lambda: not self.is_alive(), seconds=STOP_SECONDS)


def start(
    name: str,
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    log: Path,
    directory: Path,
    ends_with_us: bool,
) -> Process:
    """Start a program in the background, in a process group of its own."""
    child = _spawn(command, environment=environment, log=log, directory=directory, ends_with_us=ends_with_us)
    child.returncode = 0  # it may outlive us; nobody is to be warned of that
    return Process(name=name, pid=child.pid, started=_started(child.pid) or 0)


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    log: Path,
    directory: Path,
    seconds: float,
    what: str,
    next_step: str = "",
) -> None:
    """Run a program to its end. Raises `StackError` when it fails or takes too long; Ctrl-C ends it too."""
    child = _spawn(command, environment=environment, log=log, directory=directory, ends_with_us=False)
    try:
        status = child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        message = f"{what} took more than {seconds:.0f} s"
        raise StackError(message, log=log, next_step=next_step) from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    if status != 0:
        message = f"{what} failed (exit status {status})"
        raise StackError(message, log=log, next_step=next_step)


def _spawn(
    command: Sequence[str], *, environment: Mapping[str, str], log: Path, directory: Path, ends_with_us: bool
) -> subprocess.Popen[bytes]:
    """A program with nothing on its stdin, all it says in `log`, and a process group of its own."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        return subprocess.Popen(
            command,
            env=dict(environment),
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent if ends_with_us else None,  # noqa: PLW1509 - one call, no locks
        )


def free_ports(count: int) -> list[int]:
    """Ports on loopback that nobody listens on now."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def wait_until(true: Callable[[], bool], *, seconds: float, every: float = 0.05) -> bool:
    """Ask again until it is true or the time is over."""
    ends = time.monotonic() + seconds
    while not true():
        if time.monotonic() > ends:
            return False
        time.sleep(every)
    return True


def _started(pid: int) -> int | None:
    """When a process began; None when there is none, or only its remains."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
