"""The models that a live lane may ask. What they need is imported when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.application.ports import LLMClient
from core.domain.llm import LLMAttempt, LLMCallResult
from core.domain.prompts import PromptSet

from .errors import CommandError

if TYPE_CHECKING:
    from core.config.settings import ModelSettings


def check_live_model() -> None:
    """Raises `CommandError` where there is no key for the provider that is asked by default: told before anything is
    played.
    """
    if not os.environ.get("OPENAI_API_KEY", "").strip():
        message = "--model live needs OPENAI_API_KEY in the environment"
        raise CommandError(message)


def live_model(_prompts: PromptSet) -> LLMClient:
    """OpenAI, with the key of OPENAI_API_KEY."""
    from core.config.settings import ModelSettings
    from core.integrations.wiring.models import build_llm

    key = os.environ.get("OPENAI_API_KEY", "").strip()
    base_url = os.environ.get("OPENAI_BASE_URL", "").strip()
    models = ModelSettings(api_key=key, **({"base_url": base_url} if base_url else {}))
    return build_llm(models)


def chosen_models(provider: str) -> ModelSettings:
    """What `--provider` asks for. Raises `CommandError` for what cannot be asked: told before anything is played."""
    from model_choice import ModelChoiceError, read_choice

    try:
        return read_choice(provider).models(os.environ)
    except ModelChoiceError as error:
        raise CommandError(str(error)) from error


def live_model_of(models: ModelSettings, _prompts: PromptSet) -> LLMClient:
    """The provider of `--provider`."""
    from core.integrations.wiring.models import build_llm

    return build_llm(models)


def local_model(_prompts: PromptSet) -> LLMClient:
    """The local stack's stand-in, in this process."""
    return LocalModel()


class LocalModel:
    """Answers from the very prompt that would be sent; costs nothing and takes no time."""

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **_rest: Any) -> LLMCallResult:
        """Never fails."""
        from local_stack.model_brain import answer

        request: Mapping[str, Any] = {"model": model, "input": list(messages)}
        return LLMCallResult(
            raw_response=answer(request),
            model=model,
            tokens_input=0,
            tokens_output=0,
            latency_ms=0,
            usage_missing=True,
            attempts=(LLMAttempt(number=1, latency_ms=0, status=200),),
        )


MODELS = {"recorded": None, "live": live_model, "local": local_model}
