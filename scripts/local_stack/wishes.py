"""What is asked of a stack, and what that means in parameters, secrets and addresses."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.config.attendants import Registration, checked_attendant, hash_of, new_token, write_attendants
from core.domain.attendant import Role

from .build import RUNTIME, architecture
from .egestor_standin import PERSONAL_TOKEN as EGESTOR_TOKEN
from .environment import REGION
from .places import Places
from .state import StackState
from .whatsapp_standin import DISPLAY_PHONE_NUMBER, PHONE_NUMBER_ID

_SECRET_NAMES = {
    "OpenAiApiKeySsmParam": "/balcao/openai-api-key",
    "ChatCompletionsApiKeySsmParam": "/balcao/chat-completions-api-key",
    "AnthropicApiKeySsmParam": "/balcao/anthropic-api-key",
    "EgestorPersonalTokenSsmParam": "/balcao/egestor-personal-token",
    "AttendantsSsmParam": "/balcao/attendants",
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


def first_state(
    places: Places, whatsapp: str, model: str | None, endpoint: str, access_token: str, *, build: str
) -> StackState:
    """Of a stack that is not deployed yet. Its secrets are made up here."""
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
        attendants_function="",
        attendants_api="",
        attendant_token=new_token(),
        whatsapp=whatsapp,
        whatsapp_outbox=f"{whatsapp}/outbox",
        whatsapp_control=f"{whatsapp}/control",
        model="stand-in" if model else "openai",
        model_base_url=f"{model}/v1" if model else None,
        model_control=f"{model}/control" if model else None,
        model_calls=f"{model}/calls" if model else None,
        console=None,
        egestor=None,
        verify_token=secrets.token_hex(16),
        app_secret=secrets.token_hex(16),
        access_token=access_token,
        phone_number_id=PHONE_NUMBER_ID,
        display_phone_number=DISPLAY_PHONE_NUMBER,
        identity_key=secrets.token_hex(32),
        build=build,
    )


def parameters_of(state: StackState, wish: Wish) -> dict[str, str]:
    """The parameters of template.yaml, local ones and those wished for."""
    local = {
        "LambdaRuntime": RUNTIME,
        "LambdaArchitecture": architecture(),
        "CodeVersion": state.build,
        "WhatsAppApiBaseUrl": state.whatsapp,
        "WhatsAppPhoneNumberId": state.phone_number_id,
        **_SECRET_NAMES,
    }
    if state.egestor:
        local["EgestorBaseUrl"] = f"{state.egestor}/api"
    if state.model_base_url:
        local["OpenAiBaseUrl"] = local["ChatCompletionsBaseUrl"] = state.model_base_url
        local["AnthropicBaseUrl"] = state.model_base_url.removesuffix("/v1")
    return local | dict(wish.parameters)


def secrets_of(state: StackState, wish: Wish) -> dict[str, str]:
    """The values of the SSM parameters, by name."""
    values = {
        "OpenAiApiKeySsmParam": wish.api_key or "sk-stand-in",
        "ChatCompletionsApiKeySsmParam": "sk-stand-in",
        "AnthropicApiKeySsmParam": "sk-stand-in",
        "EgestorPersonalTokenSsmParam": EGESTOR_TOKEN,
        "AttendantsSsmParam": registered(state.attendant_token),
        "IdentityKeySsmParam": state.identity_key,
        "WhatsAppAccessTokenSsmParam": state.access_token,
        "WhatsAppAppSecretSsmParam": state.app_secret,
        "WhatsAppVerifyTokenSsmParam": state.verify_token,
    }
    return {_SECRET_NAMES[parameter]: value for parameter, value in values.items()}


def registered(token: str) -> str:
    """Who attends at a stack on this machine."""
    attendant = checked_attendant("local", "Atendente local", Role.RESPONSAVEL)
    return write_attendants((Registration(attendant=attendant, token_sha256=hash_of(token)),))


def with_outputs(state: StackState, outputs: Mapping[str, str]) -> StackState:
    """The state, with where things were deployed."""
    return replace(
        state,
        webhook=f"{state.endpoint}/_aws/execute-api/{outputs['ApiId']}/$default/webhook",
        queue=outputs["QueueUrl"],
        dead_letter_queue=outputs["DeadLetterQueueUrl"],
        table=outputs["TableName"],
        webhook_function=outputs["WebhookFunctionName"],
        process_function=outputs["ProcessFunctionName"],
        sweep_function=outputs["SweepFunctionName"],
        attendants_function=outputs["AttendantsFunctionName"],
        attendants_api=f"{state.endpoint}/_aws/execute-api/{outputs['AttendantsApiId']}/$default",
    )
