"""The models as the settings ask for them: one client over every provider that is configured, and no other."""

from __future__ import annotations

from collections.abc import Callable

from core.config.secrets import SecretSource, fits_a_header
from core.config.settings import ModelSettings
from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from core.integrations.openai_provider.endpoint import OpenAIEndpoint
from core.integrations.wiring.channel import sdk_client


def build_llm(models: ModelSettings, secrets: SecretSource | None = None) -> Cascade:
    """With `secrets`, a key that is refused is read once more."""
    reread = key_reader(secrets) if secrets else None
    openai = OpenAIEndpoint(
        sdk_client(models),
        reasoning_effort=models.reasoning_effort,
        max_output_tokens=models.max_output_tokens,
        reread_key=reread,
    )
    policy = CascadePolicy(timeout_seconds=models.timeout_seconds, retry_max=models.retry_max)
    return Cascade({"openai": openai}, policy)


def key_reader(secrets: SecretSource, name: str = "OPENAI_API_KEY") -> Callable[[], str]:
    """Reads a provider's key anew; "" for one that no request can carry."""

    def reread() -> str:
        key = secrets.refresh(name)
        return key if fits_a_header(key) else ""

    return reread
