"""The project's own client over one provider, as tests want it: `LLMClient` with the limits of a `CascadePolicy`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import openai

from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from core.integrations.openai_provider.endpoint import OpenAIEndpoint


def openai_client(
    sdk: openai.OpenAI,
    *,
    timeout_seconds: float = 30.0,
    retry_max: int = 1,
    monotonic: Callable[[], float] | None = None,
    **settings: Any,
) -> Cascade:
    """What a deployment with OpenAI alone has."""
    policy = CascadePolicy(timeout_seconds=timeout_seconds, retry_max=retry_max)
    clock = {"monotonic": monotonic} if monotonic else {}
    return Cascade({"openai": OpenAIEndpoint(sdk, **settings)}, policy, **clock)
