"""Functions started once: a wrong setting or a missing package shows here, and the first customer need not wait."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .environment import closed_environment, emulated_account
from .errors import StackError
from .places import BUILDS, Places
from .processes import run
from .stack import Stack

CHALLENGE = "4815162342"
NEXT_STEP = "fix it and run the same command again"
IMPORT_SECONDS = 60.0
_HANDLERS = {"webhook": "handlers.webhook", "process": "handlers.process_message", "sweep": "handlers.sweep"}


def start_functions(places: Places, stack: Stack, python: Path) -> None:
    """Those that a customer waits for, at the same time. The webhook twice: statuses and messages meet there.

    The sweep is left to its schedule. Raises `StackError`.
    """
    since_ms = int(time.time() * 1000)
    calls: list[Callable[[], None]] = [lambda: _take_nothing(stack), *[lambda: _shake_hands(stack)] * 2]
    pool = ThreadPoolExecutor(max_workers=len(calls))
    try:
        for call in [pool.submit(call) for call in calls]:
            call.result()
    except StackError as error:
        for function in _HANDLERS:
            _import_here(places, stack, python, function)
        log = places.log("functions")
        log.write_text("".join(line.readable() + "\n" for line in stack.logs(since_ms=since_ms)), "utf-8")
        raise StackError(error.what, log=log, next_step=NEXT_STEP) from None
    finally:
        pool.shutdown(wait=False)  # an interruption does not wait for what is about to be stopped


def _shake_hands(stack: Stack) -> None:
    reply = stack.handshake(challenge=CHALLENGE)
    if (reply.status, reply.body) != (200, CHALLENGE.encode()):
        message = f"the webhook answers its handshake with HTTP {reply.status}"
        raise StackError(message)


def _take_nothing(stack: Stack) -> None:
    stack.invoke("process", {"Records": []})


def _import_here(places: Places, stack: Stack, python: Path, function: str) -> None:
    """The emulator keeps no traceback of a function that cannot start; this raises `StackError` with one."""
    name = stack.function_names()[function]
    variables = stack.client("lambda").get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    environment = closed_environment(first_on_path=python.parent, scratch=places.scratch)
    run(
        [str(python), "-c", f"import {_HANDLERS[function]}"],
        environment=environment | emulated_account(stack.state.endpoint) | variables,
        log=places.log(f"import-{function}"),
        directory=BUILDS / "sam" / f"{function.capitalize()}Function",
        seconds=IMPORT_SECONDS,
        what=f"starting the {function} function",
        next_step=NEXT_STEP,
    )
