"""From nothing to a running stack, and back."""

from __future__ import annotations

import fcntl
import secrets
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from .build import architecture, built_template, fingerprint
from .company_files import check_company_files
from .deploy import deploy, put_secrets
from .emulator import endpoint_of, start_emulator
from .environment import forget_user_accounts
from .errors import StackError
from .first_calls import start_functions
from .http_calls import call_json
from .local_settings import checkout_settings, setting_overrides
from .places import HOME, Places
from .processes import Process, free_ports
from .progress import Progress
from .stack import Stack
from .standins import start_standins
from .state import read_state, write_state
from .tools import NAMES, tool
from .wishes import Wish, first_state, parameters_of, secrets_of, with_outputs

PHASES = 6


@contextmanager
def running_stack(
    progress: Progress | None = None,
    *,
    name: str = "demo",
    real_model: bool = False,
    parameters: Mapping[str, str] | None = None,
) -> Iterator[Stack]:
    """A stack of one's own for the time of the block; it is gone afterwards, whatever happens. Raises `StackError`.

    Stacks of different names run side by side. `real_model` uses the OPENAI_API_KEY of the environment.
    """
    key = forget_user_accounts()
    asked = setting_overrides() | dict(parameters or {})
    wish = Wish(api_key=key_for(real_model=real_model, key=key), parameters=tuple(sorted(asked.items())))
    with ended_by_sigterm(), nobody_else(Places(name)):
        try:
            yield bring_up(Places(name), wish, progress or Progress(PHASES))
        finally:
            take_down(Places(name))


def bring_up(places: Places, wish: Wish, progress: Progress) -> Stack:
    """Start everything; what was started is stopped again when something fails. Raises `StackError`."""
    architecture()
    check_company_files()
    take_down(places)
    places.scratch.mkdir(parents=True)
    HOME.mkdir(parents=True, exist_ok=True)
    started: list[Process] = []
    try:
        return _start(places, wish, progress, started)
    except BaseException:
        _stop(started)
        take_down(places)
        raise


def bring_up_to_date(places: Places, stack: Stack, progress: Progress) -> Stack:
    """Deploy the current sources to a running stack; its data stay. Raises `StackError`."""
    check_company_files()
    with progress.phase("build"):
        tools = {name: tool(name) for name in NAMES}
        template = built_template(tools["sam"])
    build = template.parent.name
    state = replace(stack.state, build=build, parameters=stack.state.parameters | {"CodeVersion": build})
    # until it answers nobody knows what it serves: a start that fails must not look current once the files are mended
    write_state(places, replace(stack.state, build=""))
    with progress.phase("deploy"):
        deploy(places, state.endpoint, template, state.parameters, tools["sam"])
    with progress.phase("first call"):
        start_functions(places, stack, tools["ministack"] / "python")
    write_state(places, state)
    return Stack(state)


def is_current(stack: Stack) -> bool:
    """Whether it runs the sources as they are now."""
    return stack.state.build == fingerprint()


def take_down(places: Places) -> bool:
    """Stop what runs under this name and tidy up; whether there was anything."""
    state = read_state(places)
    _stop(state.processes if state else ())
    places.state_file.unlink(missing_ok=True)
    shutil.rmtree(places.scratch, ignore_errors=True)
    return state is not None


def _start(places: Places, wish: Wish, progress: Progress, started: list[Process]) -> Stack:
    with progress.phase("tools"):
        tools = {name: tool(name) for name in NAMES}
    with progress.phase("build"):
        template = built_template(tools["sam"])
    emulator_port, whatsapp_port, model_port, console_port, egestor_port = free_ports(5)
    real = bool(wish.api_key)
    endpoint = endpoint_of(emulator_port)
    access_token = secrets.token_hex(16)
    with progress.phase("emulator"):
        emulator = start_emulator(
            places, emulator_port, tools["ministack"], reach_internet=real, ends_with_us=wish.ends_with_us
        )
        started.append(emulator)
    with progress.phase("stand-ins"):
        standins = start_standins(
            places,
            whatsapp_port=whatsapp_port,
            console_port=console_port,
            egestor_port=egestor_port,
            model_port=None if real else model_port,
            access_token=access_token,
            ends_with_us=wish.ends_with_us,
        )
        started.append(standins)
    whatsapp = f"http://127.0.0.1:{whatsapp_port}"
    model = None if real else f"http://127.0.0.1:{model_port}"
    state = first_state(places, whatsapp, model, endpoint, access_token, build=template.parent.name)
    state = replace(state, console=f"http://127.0.0.1:{console_port}/console")
    state = replace(state, egestor=f"http://127.0.0.1:{egestor_port}")
    state = replace(state, asked=dict(wish.parameters), parameters=parameters_of(state, wish))
    state = replace(state, processes=tuple(started))
    with progress.phase("deploy"):
        put_secrets(endpoint, secrets_of(state, wish))
        outputs = deploy(places, endpoint, template, state.parameters, tools["sam"])
        state = with_outputs(state, outputs)
        write_state(places, state)
    with progress.phase("first call"):
        stack = Stack(state)
        stack.control_whatsapp({"webhook_url": state.webhook, "app_secret": state.app_secret})
        call_json("POST", f"http://127.0.0.1:{console_port}/_target", {"api": state.attendants_api})
        start_functions(places, stack, tools["ministack"] / "python")
    return stack


def _stop(processes: tuple[Process, ...] | list[Process]) -> None:
    for process in reversed(processes):
        process.stop()


def key_for(*, real_model: bool, key: str) -> str:
    """The key to use, of the environment or of .env: empty for the stand-in. Raises `StackError` when there is none."""
    key = key or checkout_settings().get("OPENAI_API_KEY", "")
    if real_model and not key:
        message = "the real model was asked for, but OPENAI_API_KEY is not set"
        raise StackError(message, next_step="export OPENAI_API_KEY (or write it in .env), or leave --real-model out")
    return key if real_model else ""


@contextmanager
def nobody_else(places: Places) -> Iterator[None]:
    """Only one command at a time starts or keeps the stack of a name. Raises `StackError` for the second."""
    places.lock.parent.mkdir(parents=True, exist_ok=True)
    with places.lock.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another command is using the local stack named {places.name}"
            raise StackError(message, next_step="wait for it, or stop it") from None
        yield


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """SIGTERM ends the block as Ctrl-C does, so that it cleans up. Only the main thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
