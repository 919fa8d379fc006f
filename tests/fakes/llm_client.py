"""Faithful to `LLMClient`: it answers with every attempt told, or raises `LLMTimeoutError` or `LLMProviderError`, never anything else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.errors import LLMError, LLMProviderError
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure, ModelRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCall:
    """What was asked of the model."""

    model: str
    messages: Sequence[dict[str, Any]]
    timeout_seconds: float | None
    purpose: CallPurpose
    cache_key: str | None
    safety_identifier: str | None
    output_schema: Mapping[str, Any] | None
    route: ModelRoute = ()


Reply = str | LLMCallResult | LLMError | Callable[[ChatCall], str]


class FakeLLMClient:
    """Answers what was scripted, in order; with nothing left it is a provider that cannot be reached."""

    def __init__(self, *replies: Reply) -> None:
        self.calls: list[ChatCall] = []
        self._script: deque[Reply] = deque(replies)

    def script(self, *replies: Reply) -> None:
        """Further answers: a raw text, a whole result, a failure to raise, or a function of the call."""
        self._script.extend(replies)

    def chat(
        self,
        *,
        model: str,
        messages: Sequence[dict[str, Any]],
        timeout_seconds: float | None = None,
        purpose: CallPurpose = CallPurpose.AGENT,
        cache_key: str | None = None,
        safety_identifier: str | None = None,
        output_schema: Mapping[str, Any] | None = None,
        route: ModelRoute = (),
    ) -> LLMCallResult:
        call = ChatCall(
            model=model,
            messages=messages,
            timeout_seconds=timeout_seconds,
            purpose=purpose,
            cache_key=cache_key,
            safety_identifier=safety_identifier,
            output_schema=output_schema,
            route=route,
        )
        self.calls.append(call)
        reply = self._script.popleft() if self._script else unreachable()
        if isinstance(reply, LLMError):
            raise reply
        if isinstance(reply, LLMCallResult):
            return reply
        return result_of(reply if isinstance(reply, str) else reply(call), model=model)


def result_of(raw: str, *, model: str = "gpt-5.6-luna") -> LLMCallResult:
    """A successful call that said `raw`."""
    return LLMCallResult(
        raw_response=raw,
        model=model,
        tokens_input=400,
        tokens_output=20,
        latency_ms=700,
        attempts=(LLMAttempt(number=1, latency_ms=700, status=200, tokens_input=400, tokens_output=20),),
    )


def unreachable() -> LLMProviderError:
    """A provider that never answered, its one attempt told."""
    attempt = LLMAttempt(number=1, latency_ms=5, failure=LLMFailure.CONNECTION)
    return LLMProviderError("OpenAI connection error", failure=LLMFailure.CONNECTION, attempts=(attempt,))
