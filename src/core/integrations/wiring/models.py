"""The models as the settings ask for them: one client over every provider that is configured; no other is imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.application.ports import ModelEndpoint
from core.config.providers import KEY_SETTINGS, ModelProvider, ProviderSettings
from core.config.secrets import SecretSource, fits_a_header
from core.config.settings import ModelSettings
from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from core.integrations.wiring.channel import sdk_client


def build_llm(models: ModelSettings, secrets: SecretSource | None = None) -> Cascade:
    """With `secrets`, a key that is refused is read once more."""
    endpoints = {each.provider.value: _endpoint(each, models, secrets) for each in models.in_order}
    policy = CascadePolicy(
        timeout_seconds=models.timeout_seconds,
        retry_max=models.retry_max,
        fallback_seconds=models.fallback_seconds,
        on_auth=models.fallback_on_auth,
    )
    return Cascade(endpoints, policy)


def key_reader(secrets: SecretSource, name: str = KEY_SETTINGS[ModelProvider.OPENAI]) -> Callable[[], str]:
    """Reads a provider's key anew; "" for one that no request can carry."""

    def reread() -> str:
        key = secrets.refresh(name)
        return key if fits_a_header(key) else ""

    return reread


def _endpoint(settings: ProviderSettings, models: ModelSettings, secrets: SecretSource | None) -> ModelEndpoint:
    provider = settings.provider
    if provider is ModelProvider.STUB:
        from core.integrations.stub_provider.endpoint import StubEndpoint

        return StubEndpoint()
    options: dict[str, Any] = {
        "max_output_tokens": models.max_output_tokens,
        "reread_key": key_reader(secrets, KEY_SETTINGS[provider]) if secrets else None,
    }
    if provider is ModelProvider.ANTHROPIC:
        from core.integrations.anthropic_provider.endpoint import ANTHROPIC_URL, AnthropicEndpoint, AnthropicHttp

        http = AnthropicHttp(api_key=settings.api_key, base_url=settings.base_url or ANTHROPIC_URL)
        return AnthropicEndpoint(http, **options)
    if provider is ModelProvider.CHAT_COMPLETIONS:
        from core.integrations.chat_completions.endpoint import ChatCompletionsEndpoint
        from core.integrations.openai_sdk.sdk_client import build_sdk_client

        sdk = build_sdk_client(
            api_key=settings.api_key, base_url=settings.base_url, timeout_seconds=models.timeout_seconds
        )
        return ChatCompletionsEndpoint(sdk, **options)
    from core.integrations.openai_provider.endpoint import OpenAIEndpoint

    return OpenAIEndpoint(sdk_client(models), reasoning_effort=models.reasoning_effort, **options)
