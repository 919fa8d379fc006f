"""`ModelEndpoint` over Anthropic's Messages API, by plain HTTP: docs/adr/0011-providers.md says why without its SDK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx2

from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMCallResult, LLMFailure, ModelRequest
from core.integrations.anthropic_provider.message_reading import read_message, status_fault
from core.integrations.anthropic_provider.request_writing import MAX_TOKENS, write_request
from core.integrations.http_client.deadline_client import DeadlineClients, deadline
from core.integrations.model_calls.faults import timed_out
from core.integrations.model_calls.provider_key import ProviderKey

ANTHROPIC_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"


class AnthropicHttp:
    """The connections and what requests are signed with; `api_key` may be replaced at any time."""

    def __init__(self, *, api_key: str, base_url: str = ANTHROPIC_URL, client: httpx2.Client | None = None) -> None:
        self.api_key = api_key
        self._url = f"{base_url.rstrip('/')}/v1/messages"
        self._client = client or DeadlineClients()()

    def post(self, body: dict[str, Any], seconds: float) -> httpx2.Response:
        """One request, which ends with its time even where the server drips; raises what httpx2 raises."""
        headers = {"x-api-key": self.api_key, "anthropic-version": _VERSION}
        with deadline(seconds):
            return self._client.post(self._url, json=body, headers=headers)

    def close(self) -> None:
        """Lets go of the connections."""
        self._client.close()


class AnthropicEndpoint:
    """Transports a request and converts its result and errors."""

    title = "Anthropic"

    def __init__(
        self,
        http: AnthropicHttp,
        *,
        max_output_tokens: int | None = None,
        reread_key: Callable[[], str] | None = None,
    ) -> None:
        self._http = http
        self.key = ProviderKey(http, reread_key)
        self._max_tokens = max_output_tokens or MAX_TOKENS

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult:
        """See `ModelEndpoint.attempt`."""
        try:
            response = self._http.post(write_request(request, max_tokens=self._max_tokens), seconds)
        except httpx2.TimeoutException:
            raise timed_out() from None
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, OSError):
            raise ModelAttemptError("connection error", failure=LLMFailure.CONNECTION) from None
        body = _json_of(response)
        if response.status_code != 200:
            raise status_fault(response.status_code, body, response.headers)
        return read_message(body, model=request.model, request_id=response.headers.get("request-id"))


def _json_of(response: httpx2.Response) -> Any:
    """The body; None for what is no JSON."""
    try:
        return response.json()
    except (ValueError, RecursionError):
        return None
