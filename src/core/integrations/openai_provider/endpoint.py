"""`ModelEndpoint` over the Responses API (document 002)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import openai

from core.domain.llm import LLMCallResult, ModelRequest
from core.integrations.model_calls.provider_key import ProviderKey
from core.integrations.openai_provider.response_reading import read_response
from core.integrations.openai_sdk.failures import SDK_ERRORS, fault_of

_FAMILY = re.compile(r"gpt-(\d+)(?:\.(\d+))?(?:-|$)")
# From this family on a cached prefix is found only where a breakpoint marks its end; older ones refuse the mark.
_BREAKPOINTS_SINCE = (5, 6)


class OpenAIEndpoint:
    """Transports a request and converts its result and errors; knows nothing of the reply's format."""

    title = "OpenAI"

    def __init__(
        self,
        client: openai.OpenAI,
        *,
        reasoning_effort: str = "",
        max_output_tokens: int | None = None,
        reread_key: Callable[[], str] | None = None,
    ) -> None:
        self._client = client
        self.key = ProviderKey(client, reread_key)
        self._fixed: dict[str, Any] = {"store": False}
        if reasoning_effort:
            self._fixed["reasoning"] = {"effort": reasoning_effort}
        if max_output_tokens:
            self._fixed["max_output_tokens"] = max_output_tokens

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult:
        """See `ModelEndpoint.attempt`."""
        body = self._body(request)
        try:
            response = self._client.responses.create(**body, timeout=seconds)
        except SDK_ERRORS as error:
            raise fault_of(error) from None
        return read_response(response, model=request.model)

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        messages = request.messages
        body: dict[str, Any] = {"model": request.model, **self._fixed}
        if request.cache_key:
            body["prompt_cache_key"] = request.cache_key
            if takes_breakpoints(request.model):
                messages = [_mark_breakpoint(messages[0]), *messages[1:]]
                # else the changing end of every prompt would be written to the cache too, at 1.25 times its price
                body["prompt_cache_options"] = {"mode": "explicit"}
        if request.safety_identifier:
            body["safety_identifier"] = request.safety_identifier
        if request.output_schema:
            body["text"] = {"format": {"type": "json_schema", "strict": True, **request.output_schema}}
        # As `extra_body`, `input` is sent as it is. Otherwise the SDK first looks through every message for keys to
        # rename, where there are none: two fifths of what a call costs.
        body["extra_body"] = {"input": messages}
        return body


def takes_breakpoints(model: str) -> bool:
    """Whether a model's prompt cache needs its breakpoints marked (OpenAI, prompt caching guide)."""
    match = _FAMILY.match(model)
    return match is not None and (int(match[1]), int(match[2] or 0)) >= _BREAKPOINTS_SINCE


def _mark_breakpoint(message: dict[str, Any]) -> dict[str, Any]:
    part = {"type": "input_text", "text": message["content"], "prompt_cache_breakpoint": {"mode": "explicit"}}
    return {"role": message["role"], "content": [part]}
