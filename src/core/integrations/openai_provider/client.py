"""`LLMClient` over the Responses API (document 002)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import openai

from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure
from core.integrations.openai_provider.bounded_call import AbandonedError, call_within
from core.integrations.openai_provider.failures import Fault, fault_of, tell_refusal
from core.integrations.openai_provider.provider_key import ProviderKey
from core.integrations.openai_provider.response_reading import UnusableResponseError, Usage, read_response

if TYPE_CHECKING:
    from openai.types.responses import Response

_log = logging.getLogger(__name__)

_TIMED_OUT = Fault(failure=LLMFailure.TIMEOUT, label="timeout", repeat=True, event="llm_timeout")
# Below this a request cannot bring an answer: the time is better spent on the handoff.
_LEAST_USEFUL_SECONDS = 0.2


def build_sdk_client(*, api_key: str, base_url: str, timeout_seconds: float) -> openai.OpenAI:
    """The SDK with its own retries off: it would wait up to 120 s on `retry-after`, inside our deadline."""
    return openai.OpenAI(api_key=api_key, base_url=base_url, timeout=timeout_seconds, max_retries=0)


class OpenAIClient:
    """Transports a call and converts its result and errors; knows nothing of the reply's format.

    `1 + retry_max` attempts: timeouts, connection errors and 5xx repeat; 4xx, 429 included, fail at once. One attempt
    more is made when the key was refused and `reread_key` knows another.
    """

    def __init__(
        self,
        client: openai.OpenAI,
        *,
        timeout_seconds: float = 30.0,
        retry_max: int = 1,
        reasoning_effort: str = "",
        max_output_tokens: int | None = None,
        reread_key: Callable[[], str] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._key = ProviderKey(client, reread_key)
        self._timeout_seconds = timeout_seconds
        self._attempts = 1 + max(retry_max, 0)
        self._monotonic = monotonic
        self._fixed: dict[str, Any] = {"store": False}
        if reasoning_effort:
            self._fixed["reasoning"] = {"effort": reasoning_effort}
        if max_output_tokens:
            self._fixed["max_output_tokens"] = max_output_tokens

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
    ) -> LLMCallResult:
        """See `LLMClient.chat`. `timeout_seconds` bounds all attempts together; None leaves each its own limit."""
        # As `extra_body`, `input` is sent as it is. Otherwise the SDK first looks through every message for keys to
        # rename, where there are none: two fifths of what a call costs.
        request: dict[str, Any] = {"model": model, "extra_body": {"input": messages}, **self._fixed}
        if cache_key:
            request["prompt_cache_key"] = cache_key
        if _marks_its_prefix(messages):
            # else the changing end of every prompt would be written to the cache too, at 1.25 times its price
            request["prompt_cache_options"] = {"mode": "explicit"}
        if safety_identifier:
            request["safety_identifier"] = safety_identifier
        if output_schema:
            request["text"] = {"format": {"type": "json_schema", **output_schema}}
        ends = None if timeout_seconds is None else self._monotonic() + timeout_seconds
        return self._with_retries(request, purpose=purpose, ends=ends)

    def _with_retries(self, request: dict[str, Any], *, purpose: CallPurpose, ends: float | None) -> LLMCallResult:
        attempts: list[LLMAttempt] = []
        fault, left, key_replaced = _TIMED_OUT, self._attempts, False
        for number in count(1):
            budget = self._timeout_seconds if ends is None else min(self._timeout_seconds, ends - self._monotonic())
            if number > 1 and budget < _LEAST_USEFUL_SECONDS:
                break
            started, key = self._monotonic(), self._key.current
            outcome = self._attempt(request, budget)
            latency_ms = round((self._monotonic() - started) * 1000)
            if isinstance(outcome, LLMCallResult):
                attempts.append(_attempt_that_answered(outcome, number, latency_ms))
                return replace(outcome, latency_ms=latency_ms, attempts=tuple(attempts))
            fault, usage = outcome
            attempts.append(_attempt_that_failed(fault, usage, number, latency_ms))
            _report(fault, model=request["model"], attempt=number, purpose=purpose)
            if fault.failure is LLMFailure.AUTH and not key_replaced and self._key.replaced(key):
                key_replaced = True
                continue
            left -= 1
            if not (fault.repeat and left):
                break
        tell_refusal(fault, model=request["model"], purpose=purpose)
        raise _error(fault, tuple(attempts))

    def _attempt(self, request: dict[str, Any], budget: float) -> LLMCallResult | tuple[Fault, Usage | None]:
        budget = max(budget, 0.001)

        def call() -> Response:
            response: Response = self._client.responses.create(**request, timeout=budget)
            return response

        try:
            return read_response(call_within(budget, call), model=request["model"], latency_ms=0)
        except AbandonedError:
            return _TIMED_OUT, None
        except UnusableResponseError as unusable:
            return unusable.fault, unusable.usage
        except (
            openai.OpenAIError,
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
            OSError,
            RecursionError,
        ) as error:
            # beside the SDK's own tree: what a body that is not the API's makes the SDK's decoding raise
            return fault_of(error), None


def _marks_its_prefix(messages: Sequence[dict[str, Any]]) -> bool:
    """Whether the first message ends in a cache breakpoint (gpt-5.6 and later; OpenAI, prompt caching guide)."""
    content = messages[0].get("content") if messages else None
    return isinstance(content, list) and any("prompt_cache_breakpoint" in part for part in content)


def _attempt_that_answered(result: LLMCallResult, number: int, latency_ms: int) -> LLMAttempt:
    return LLMAttempt(
        number=number,
        latency_ms=latency_ms,
        status=200,
        request_id=result.request_id,
        tokens_input=result.tokens_input,
        tokens_output=result.tokens_output,
    )


def _attempt_that_failed(fault: Fault, usage: Usage | None, number: int, latency_ms: int) -> LLMAttempt:
    return LLMAttempt(
        number=number,
        latency_ms=latency_ms,
        failure=fault.failure,
        status=fault.status,
        request_id=fault.request_id,
        tokens_input=usage.input if usage else 0,
        tokens_output=usage.output if usage else 0,
    )


def _report(fault: Fault, *, model: str, attempt: int, purpose: CallPurpose) -> None:
    _log.warning(
        fault.event,
        extra={
            "model": model,
            "status": fault.status,
            "attempt": attempt,
            "failure": fault.failure.value,
            "purpose": purpose.value,
            "request_id": fault.request_id,
        },
    )


def _error(fault: Fault, attempts: tuple[LLMAttempt, ...]) -> LLMError:
    kind = LLMTimeoutError if fault.failure is LLMFailure.TIMEOUT and fault.status is None else LLMProviderError
    return kind(f"OpenAI {fault.label}", failure=fault.failure, attempts=attempts)
