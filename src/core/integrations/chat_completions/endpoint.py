"""`ModelEndpoint` over Chat Completions: Groq, and whatever else answers at such an address (docs/providers.md).

OpenAI's own SDK with another base URL: it is in the bundle already, and Groq's adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import openai

from core.domain.llm import LLMCallResult, ModelRequest
from core.integrations.chat_completions.completion_reading import read_completion
from core.integrations.model_calls.provider_key import ProviderKey
from core.integrations.openai_sdk.failures import SDK_ERRORS, fault_of

# Whose schemas are kept to the letter; the others take one as advice (console.groq.com/docs/structured-outputs).
_STRICT = re.compile(r"(openai/)?(gpt-|o\d)")


class ChatCompletionsEndpoint:
    """Transports a request and converts its result and errors. What only some such addresses know is not sent."""

    title = "Chat Completions"

    def __init__(
        self,
        client: openai.OpenAI,
        *,
        max_output_tokens: int | None = None,
        reread_key: Callable[[], str] | None = None,
    ) -> None:
        self._client = client
        self.key = ProviderKey(client, reread_key)
        self._fixed: dict[str, Any] = {"max_completion_tokens": max_output_tokens} if max_output_tokens else {}

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult:
        """See `ModelEndpoint.attempt`."""
        # As `extra_body`, messages are sent as they are, without the SDK's look through every one of them.
        body: dict[str, Any] = {"model": request.model, "messages": [], **self._fixed}
        body["extra_body"] = {"messages": request.messages}
        if request.output_schema:
            body["response_format"] = _response_format(request.output_schema, request.model)
        try:
            completion = self._client.chat.completions.create(**body, timeout=seconds)
        except SDK_ERRORS as error:
            raise fault_of(error) from None
        return read_completion(completion, model=request.model)


def _response_format(schema: Mapping[str, Any], model: str) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"strict": _STRICT.match(model) is not None, **schema}}
