"""The commands of scripts/stack.py."""

from __future__ import annotations

import argparse
import sys
import time

from .environment import forget_user_accounts
from .errors import StackError
from .function_logs import LogLine
from .lifecycle import (
    PHASES,
    bring_up,
    bring_up_to_date,
    ended_by_sigterm,
    is_current,
    key_for,
    nobody_else,
    take_down,
)
from .local_settings import setting_overrides
from .places import Places
from .progress import Progress
from .stack import Stack, attach
from .state import read_state
from .wishes import Wish

FOLLOW_SECONDS = 0.5
PHASES_OF_UPDATE = 3
# Systems beside WhatsApp and the model, and the parameters that switch them on.
_BESIDE = {"egestor": "EgestorEnabled"}


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status."""
    options = _parser().parse_args(arguments)
    commands = {"up": _up, "down": _down, "status": _status, "logs": _logs, "run": _run}
    try:
        with ended_by_sigterm():
            return commands[options.command](options)
    except StackError as error:
        print(error.report(), file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/stack.py",
        description="The real template.yaml on an AWS emulator here, with stand-ins for WhatsApp and the model.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    up = commands.add_parser("up", help="start it and leave it running; bring it up to date if it runs")
    run = commands.add_parser("run", help="start it here, show its logs, stop it with Ctrl-C")
    for command in (up, run):
        command.add_argument("--real-model", action="store_true", help="use OpenAI with your OPENAI_API_KEY")
        command.add_argument(
            "--set", metavar="Parameter=value", action="append", default=[], help="a parameter of template.yaml"
        )
        command.add_argument(
            "--with",
            dest="beside",
            metavar="SYSTEMS",
            default="",
            help=f"other systems, separated by commas, which are played here: {', '.join(_BESIDE)}",
        )
    commands.add_parser("down", help="stop it")
    commands.add_parser("status", help="whether it runs, and where; exit status 3 if not")
    logs = commands.add_parser("logs", help="what the functions logged")
    logs.add_argument("--follow", action="store_true", help="go on until Ctrl-C")
    logs.add_argument("--raw", action="store_true", help="as they logged it")
    return parser


def _wish(options: argparse.Namespace, *, ends_with_us: bool) -> Wish:
    parameters = list(setting_overrides().items())
    for system in filter(None, options.beside.split(",")):
        if system not in _BESIDE:
            message = f"--with {system}: nobody plays it here, only {', '.join(_BESIDE)}"
            raise StackError(message)
        parameters.append((_BESIDE[system], "true"))
    for item in options.set:
        name, equals, value = item.partition("=")
        if not equals:
            message = f"--set {item}: write it as Parameter=value"
            raise StackError(message)
        parameters.append((name, value))
    key = forget_user_accounts()
    return Wish(
        api_key=key_for(real_model=options.real_model, key=key),
        parameters=tuple(sorted(dict(parameters).items())),
        ends_with_us=ends_with_us,
    )


def _up(options: argparse.Namespace) -> int:
    places, wish = Places(), _wish(options, ends_with_us=False)
    with nobody_else(places):
        stack = _running(places)
        if stack is None or not stack.serves(wish.parameters, real_model=bool(wish.api_key)):
            stack = bring_up(places, wish, Progress(PHASES))
        elif not is_current(stack):
            stack = bring_up_to_date(places, stack, Progress(PHASES_OF_UPDATE))
    print(_summary(stack))
    return 0


def _run(options: argparse.Namespace) -> int:
    places, wish = Places(), _wish(options, ends_with_us=True)
    if _running(places) is not None:
        message = "the local stack is running already"
        raise StackError(message, next_step="scripts/stack.py down, or look at it with scripts/stack.py logs --follow")
    with nobody_else(places):
        try:
            stack = bring_up(places, wish, Progress(PHASES))
            print(_summary(stack), flush=True)
            _follow(stack, raw=False)
        finally:
            take_down(places)
    message = "a process of the stack ended by itself"
    raise StackError(message, log=places.log("emulator"), next_step="make stack")


def _running(places: Places) -> Stack | None:
    state = read_state(places)
    stack = Stack(state) if state is not None and state.is_running() else None
    return stack if stack is not None and stack.answers() else None


def _down(_options: argparse.Namespace) -> int:
    forget_user_accounts()
    print("stopped" if take_down(Places()) else "nothing was running")
    return 0


def _status(_options: argparse.Namespace) -> int:
    try:
        stack = attach()
    except StackError as error:
        print(f"{error.what}; start it with: {error.next_step}")
        return 3
    print(_summary(stack))
    print(f"queue     {stack.queue_depth()} messages, {stack.queue_depth(dead=True)} given up on")
    for process in stack.state.processes:
        print(f"process   {process.name} {process.pid}")
    return 0


def _logs(options: argparse.Namespace) -> int:
    stack = attach()
    if options.follow:
        _follow(stack, raw=options.raw)
    else:
        _print(stack.logs(), raw=options.raw)
    return 0


def _follow(stack: Stack, *, raw: bool) -> None:
    seen: set[str] = set()
    since_ms = 0
    while stack.state.is_running():
        fresh = [line for line in stack.logs(since_ms=since_ms) if line.key() not in seen]
        _print(fresh, raw=raw)
        seen |= {line.key() for line in fresh}
        since_ms = max([since_ms, *(line.at_ms - 5_000 for line in fresh)])
        time.sleep(FOLLOW_SECONDS)


def _print(lines: list[LogLine], *, raw: bool) -> None:
    for line in lines:
        print(line.message.rstrip() if raw else line.readable(), flush=True)


def _summary(stack: Stack) -> str:
    state = stack.state
    return "\n".join(
        [
            f"company   {stack.company}",
            f"webhook   {state.webhook}",
            f"whatsapp  {state.whatsapp_outbox}",
            f"model     {state.model_calls or 'OpenAI'}",
            f"console   {state.console}",
            f"          token of its attendant: {state.attendant_token}",
            *([f"egestor   {state.egestor}/outbox"] if state.asked.get("EgestorEnabled") == "true" else []),
            f"aws       {state.endpoint} ({state.region}), table {state.table}",
            f"details   {Places(state.name).state_file}",
            "next      make chat, scripts/stack.py logs, scripts/stack.py down",
        ]
    )
