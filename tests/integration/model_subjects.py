"""Every provider's adapter before a stand-in that answers as the provider does, under one name each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.application.ports import ModelEndpoint
from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMFailure, ModelRequest
from core.integrations.anthropic_provider.endpoint import AnthropicEndpoint, AnthropicHttp
from core.integrations.chat_completions.endpoint import ChatCompletionsEndpoint
from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from core.integrations.openai_provider.endpoint import OpenAIEndpoint
from core.integrations.openai_sdk.sdk_client import build_sdk_client
from core.integrations.stub_provider.endpoint import StubEndpoint
from local_stack.model_standin import ModelStandIn

HTTP_PROVIDERS = ("openai", "chat_completions", "anthropic")
# Names that their providers would know, since what is sent follows from them.
MODELS = {
    "openai": "gpt-5.6-luna",
    "chat_completions": "openai/gpt-oss-120b",
    "anthropic": "claude-haiku-4-5",
    "stub": "ensaio",
}


def brain(request: Mapping[str, Any]) -> str:
    return f"pensado: {request['input'][-1]['content']}"


@dataclass
class Subject:
    """One provider: `endpoint` alone, or `client` as a deployment has it; `order` misbehaves, `requests` is what came."""

    provider: str
    endpoint: ModelEndpoint
    standin: ModelStandIn | None = None
    close: Callable[[], None] = lambda: None

    @property
    def model(self) -> str:
        return MODELS[self.provider]

    def client(self, **policy: Any) -> Cascade:
        return Cascade({self.provider: self.endpoint}, CascadePolicy(**{"retry_max": 0, **policy}))

    def order(self, **what: Any) -> None:
        assert self.standin is not None
        self.standin.control({"fail": what})

    @property
    def requests(self) -> list[dict[str, Any]]:
        assert self.standin is not None
        return [call["request"] for call in self.standin.calls()]


def open_subject(provider: str, standin: ModelStandIn, *, seconds: float = 5.0, **options: Any) -> Subject:
    """The adapter as the wiring makes it, spoken to over a socket."""
    endpoint, close = endpoint_of(provider, standin.base_url, seconds=seconds, **options)
    return Subject(provider, endpoint, standin, close)


def endpoint_of(
    provider: str, url: str, *, seconds: float = 5.0, key: str = "sk-x", **options: Any
) -> tuple[ModelEndpoint, Callable[[], None]]:
    """The adapter, and what lets go of its connections."""
    if provider == "anthropic":
        http = AnthropicHttp(api_key=key, base_url=url)
        return AnthropicEndpoint(http, **options), http.close
    sdk = build_sdk_client(api_key=key, base_url=f"{url}/v1", timeout_seconds=seconds)
    if provider == "openai":
        return OpenAIEndpoint(sdk, **options), sdk.close
    return ChatCompletionsEndpoint(sdk, **options), sdk.close


def stub_subject() -> Subject:
    """The stub says and fails what its caller decides."""

    def answer(request: ModelRequest) -> str | ModelAttemptError:
        said = request.messages[-1]["content"]
        if said == "cai":
            return ModelAttemptError("503: server_error", failure=LLMFailure.SERVER_ERROR, status=503)
        return f"pensado: {said}"

    return Subject("stub", StubEndpoint(answer))
