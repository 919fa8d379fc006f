"""From nothing to a running stack, and back."""

from __future__ import annotations

import secrets
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType

from .build import RUNTIME, architecture, built_template, fingerprint
from .deploy import deploy, put_secrets
from .emulator import endpoint_of, start_emulator
from .environment import REGION, forget_user_accounts
from .errors import StackError
from .first_calls import start_functions
from .places import HOME, Places
from .processes import Process, free_ports
from .progress import Progress
from .stack import Stack
from .standins import start_standins
from .state import StackState, read_state, write_state
from .tools import NAMES, tool
from .whatsapp_standin import DISPLAY_PHONE_NUMBER, PHONE_NUMBER_ID

PHASES = 6
_SECRET_NAMES = {
    "OpenAiApiKeySsmParam": "/balcao/openai-api-key",
    "IdentityKeySsmParam": "/balcao/identity-key",
    "WhatsAppAccessTokenSsmParam": "/balcao/whatsapp-access-token",
    "WhatsAppAppSecretSsmParam": "/balcao/whatsapp-app-secret",
    "WhatsAppVerifyTokenSsmParam": "/balcao/whatsapp-verify-token",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a stack. An empty `api_key`: the model stand-in. `parameters` of template.yaml win."""

    api_key: str = field(default="", repr=False)
    parameters: tuple[tuple[str, str], ...] = ()
    ends_with_us: bool = True


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
    wish = Wish(api_key=key_for(real_model=real_model, key=key), parameters=tuple(sorted((parameters or {}).items())))
    with ended_by_sigterm():
        try:
            yield bring_up(Places(name), wish, progress or Progress(PHASES))
        finally:
            take_down(Places(name))


def bring_up(places: Places, wish: Wish, progress: Progress) -> Stack:
    """Start everything; what was started is stopped again when something fails. Raises `StackError`."""
    architecture()
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
    with progress.phase("build"):
        tools = {name: tool(name) for name in NAMES}
        template = built_template(tools["sam"])
    build = template.parent.name
    state = replace(stack.state, build=build, parameters=stack.state.parameters | {"CodeVersion": build})
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
    emulator_port, whatsapp_port, model_port = free_ports(3)
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
            model_port=None if real else model_port,
            access_token=access_token,
            ends_with_us=wish.ends_with_us,
        )
        started.append(standins)
    whatsapp = f"http://127.0.0.1:{whatsapp_port}"
    model = None if real else f"http://127.0.0.1:{model_port}"
    state = _state(places, whatsapp, model, endpoint, access_token, build=template.parent.name)
    state = replace(state, asked=dict(wish.parameters), parameters=_parameters(state, wish))
    state = replace(state, processes=tuple(started))
    with progress.phase("deploy"):
        put_secrets(endpoint, _secrets(state, wish))
        outputs = deploy(places, endpoint, template, state.parameters, tools["sam"])
        state = _with_outputs(state, outputs)
        write_state(places, state)
    with progress.phase("first call"):
        stack = Stack(state)
        stack.control_whatsapp({"webhook_url": state.webhook, "app_secret": state.app_secret})
        start_functions(places, stack, tools["ministack"] / "python")
    return stack


def _state(
    places: Places, whatsapp: str, model: str | None, endpoint: str, access_token: str, *, build: str
) -> StackState:
    return StackState(
        name=places.name,
        webhook="",
        queue="",
        dead_letter_queue="",
        table="",
        region=REGION,
        endpoint=endpoint,
        webhook_function="",
        process_function="",
        sweep_function="",
        whatsapp=whatsapp,
        whatsapp_outbox=f"{whatsapp}/outbox",
        whatsapp_control=f"{whatsapp}/control",
        model="stand-in" if model else "openai",
        model_base_url=f"{model}/v1" if model else None,
        model_control=f"{model}/control" if model else None,
        model_calls=f"{model}/calls" if model else None,
        console=None,
        verify_token=secrets.token_hex(16),
        app_secret=secrets.token_hex(16),
        access_token=access_token,
        phone_number_id=PHONE_NUMBER_ID,
        display_phone_number=DISPLAY_PHONE_NUMBER,
        identity_key=secrets.token_hex(32),
        build=build,
    )


def _parameters(state: StackState, wish: Wish) -> dict[str, str]:
    local = {
        "LambdaRuntime": RUNTIME,
        "LambdaArchitecture": architecture(),
        "CodeVersion": state.build,
        "WhatsAppApiBaseUrl": state.whatsapp,
        "WhatsAppPhoneNumberId": state.phone_number_id,
        **_SECRET_NAMES,
    }
    if state.model_base_url:
        local["OpenAiBaseUrl"] = state.model_base_url
    return local | dict(wish.parameters)


def _secrets(state: StackState, wish: Wish) -> dict[str, str]:
    values = {
        "OpenAiApiKeySsmParam": wish.api_key or "sk-stand-in",
        "IdentityKeySsmParam": state.identity_key,
        "WhatsAppAccessTokenSsmParam": state.access_token,
        "WhatsAppAppSecretSsmParam": state.app_secret,
        "WhatsAppVerifyTokenSsmParam": state.verify_token,
    }
    return {_SECRET_NAMES[parameter]: value for parameter, value in values.items()}


def _with_outputs(state: StackState, outputs: Mapping[str, str]) -> StackState:
    return replace(
        state,
        webhook=f"{state.endpoint}/_aws/execute-api/{outputs['ApiId']}/$default/webhook",
        queue=outputs["QueueUrl"],
        dead_letter_queue=outputs["DeadLetterQueueUrl"],
        table=outputs["TableName"],
        webhook_function=outputs["WebhookFunctionName"],
        process_function=outputs["ProcessFunctionName"],
        sweep_function=outputs["SweepFunctionName"],
    )


def _stop(processes: tuple[Process, ...] | list[Process]) -> None:
    for process in reversed(processes):
        process.stop()


def key_for(*, real_model: bool, key: str) -> str:
    """The key to use: empty for the stand-in. Raises `StackError` when the real model has none."""
    if real_model and not key:
        message = "the real model was asked for, but OPENAI_API_KEY is not set"
        raise StackError(message, next_step="export OPENAI_API_KEY, or leave --real-model out")
    return key if real_model else ""


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
