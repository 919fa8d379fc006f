"""What the model provider says: each configured model is there, and answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.config.prompt_files import read_prices
from core.config.providers import GROQ_URL, KEY_SETTINGS, ModelProvider
from core.config.secrets import clean_secret
from core.config.settings import OPENAI_URL
from core.domain.llm import ModelRef
from core.domain.prompts import price_in
from core.integrations.anthropic_provider.endpoint import ANTHROPIC_URL
from deployment.web import request

from .deployed import Deployed
from .results import Area, Check, Result

_PROVIDER = Area("provider")
_AGENTS = ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY")
# A question of a word, and an answer cut off at the least that every API takes.
_QUESTION, _TOKENS_IN, _TOKENS_OUT = "ok?", 10, 16
_MENDS = {
    401: "make a key and put it with scripts/deploy.py --put-secrets",
    403: "the key's project may not use this model: allow it, or name another",
    404: "correct the name of the model, or ask for access to it",
    429: "raise the limit or pay at the provider; then ask again",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Api:
    """How one provider is asked: where its models are listed, where and with what one answers."""

    own_address: str
    version: str  # of the path, where the configured address does not hold it
    answers: str
    tokens: str
    message: str  # the parameter that holds the question

    def headers(self, key: str) -> dict[str, str]:
        """What signs a request."""
        if self.answers == "messages":
            return {"x-api-key": key, "anthropic-version": "2023-06-01"}
        return {"authorization": f"Bearer {key}"}

    def question(self, model: str) -> dict[str, Any]:
        """The least that can be asked."""
        asked = _QUESTION if self.message == "input" else [{"role": "user", "content": _QUESTION}]
        return {"model": model, self.message: asked, self.tokens: _TOKENS_OUT}


_APIS = {
    ModelProvider.OPENAI: _Api(
        own_address=OPENAI_URL, version="", answers="responses", tokens="max_output_tokens", message="input"
    ),
    ModelProvider.CHAT_COMPLETIONS: _Api(
        own_address=GROQ_URL, version="", answers="chat/completions", tokens="max_completion_tokens", message="messages"
    ),
    ModelProvider.ANTHROPIC: _Api(
        own_address=ANTHROPIC_URL, version="/v1", answers="messages", tokens="max_tokens", message="messages"
    ),
}


class ProviderChecks:
    """`free`: only whether the models are there, which costs nothing."""

    def __init__(self, deployed: Deployed, prompts: Path, *, free: bool = False) -> None:
        self._deployed = deployed
        self._prompts = prompts
        self._free = free

    def checks(self) -> list[tuple[Area, str, Check]]:
        """For each provider that is asked: its models, then whether they answer."""
        names = (self._deployed.variables.get("LLM_PROVIDERS") or ModelProvider.OPENAI).split(",")
        asked = [ModelProvider(name.strip()) for name in names]
        found: list[tuple[Area, str, Check]] = []
        for provider in asked:
            if provider is ModelProvider.STUB:
                found.append((_PROVIDER, "stub", _stub))
            else:
                found.append((_PROVIDER, f"models of {provider}", partial(self._models, provider)))
                found.append((_PROVIDER, f"answers of {provider}", partial(self._answers, provider)))
        if self._deployed.is_on("TRANSCRIPTION_ENABLED"):
            found.append((_PROVIDER, "voice notes", self._transcription))
        return found

    def _models(self, provider: ModelProvider) -> Iterator[Result]:
        """The key may use each of them."""
        for model in self._agent_models(provider):
            yield self._model(provider, model)

    def _transcription(self) -> Iterator[Result]:
        yield self._model(ModelProvider.OPENAI, self._deployed.variables.get("OPENAI_MODEL_TRANSCRIPTION", ""))

    def _model(self, provider: ModelProvider, model: str) -> Result:
        status = request("GET", f"{self._address(provider)}/models/{model}", headers=self._headers(provider)).status
        return _PROVIDER.judged(f"model {model}", "" if status == 200 else f"HTTP {status}", _mend(status))

    def _answers(self, provider: ModelProvider) -> Iterator[Result]:
        """Each agent's model answers a question of a word, with the configured effort."""
        if self._free:
            yield _PROVIDER.skipped(f"answers of {provider}", "--free")
            return
        api, extra = _APIS[provider], self._extra(provider)
        for model in self._agent_models(provider):
            address = f"{self._address(provider)}/{api.answers}"
            answer = request("POST", address, headers=self._headers(provider), data=api.question(model) | extra)
            told = answer.json()
            error = told.get("error") if isinstance(told, dict) else None
            code = error.get("code") or error.get("type") if isinstance(error, dict) else ""
            fault = "" if answer.status == 200 else f"HTTP {answer.status} {code or ''}".strip()
            yield _PROVIDER.judged(f"answer of {model}", fault, _mend(answer.status), found=self._cost(model))

    def _extra(self, provider: ModelProvider) -> dict[str, Any]:
        """What the desk itself sends along to OpenAI."""
        if provider is not ModelProvider.OPENAI:
            return {}
        effort = self._deployed.variables.get("OPENAI_REASONING_EFFORT", "")
        return {"store": False} | ({"reasoning": {"effort": effort}} if effort else {})

    def _address(self, provider: ModelProvider) -> str:
        configured = self._deployed.variables.get(f"{provider.value.upper()}_BASE_URL") or _APIS[provider].own_address
        return configured.rstrip("/") + _APIS[provider].version

    def _headers(self, provider: ModelProvider) -> dict[str, str]:
        return _APIS[provider].headers(clean_secret(self._deployed.secret(KEY_SETTINGS[provider])))

    def _agent_models(self, provider: ModelProvider) -> list[str]:
        variables, begins = self._deployed.variables, f"{provider.value.upper()}_MODEL_"
        return list(dict.fromkeys(variables.get(begins + agent, "") for agent in _AGENTS))

    def _cost(self, model: str) -> str:
        price = price_in(read_prices(self._prompts), ModelRef(provider="openai", model=model))
        if price is None:
            return "at no known price"
        cost = price.cost(tokens_input=_TOKENS_IN, tokens_cached=0, tokens_output=_TOKENS_OUT)
        return f"for about US$ {cost:.6f}"


def _stub() -> Iterator[Result]:
    yield _PROVIDER.skipped("stub", "a fixed answer: no provider is asked")


def _mend(status: int) -> str:
    return _MENDS.get(status, "docs/operations.md, ProviderAuthAlarm and ProviderQuotaAlarm; then ask again")
