"""The providers' APIs that the model stand-in speaks, each with its address, its key, its bodies and its errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import chat_completions_api, messages_api, responses_api

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelApi:
    """`required` are the parameters without which a request is refused; `as_responses` gives it as brains read it;
    `answer` makes the body of a good answer, `error` that of a failed one.
    """

    required: tuple[str, ...]
    key_of: Callable[[Mapping[str, str]], str]
    as_responses: Callable[[Body], dict[str, Any]]
    answer: Callable[..., dict[str, Any]]
    error: Callable[..., dict[str, Any]]
    request_id_header: str = "x-request-id"
    usage_names: tuple[str, str] = ("input_tokens", "output_tokens")


def _bearer(headers: Mapping[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ").strip()


def _api_key(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key", "").strip()


MODEL_APIS: Mapping[str, ModelApi] = {
    "/v1/responses": ModelApi(
        required=("model", "input"),
        key_of=_bearer,
        as_responses=dict,
        answer=responses_api.response_body,
        error=responses_api.error_body,
    ),
    "/v1/chat/completions": ModelApi(
        required=("model", "messages"),
        key_of=_bearer,
        as_responses=chat_completions_api.as_responses,
        answer=chat_completions_api.completion_body,
        error=chat_completions_api.error_body,
        usage_names=("prompt_tokens", "completion_tokens"),
    ),
    "/v1/messages": ModelApi(
        required=("model", "messages", "max_tokens"),
        key_of=_api_key,
        as_responses=messages_api.as_responses,
        answer=messages_api.message_body,
        error=messages_api.error_body,
        request_id_header="request-id",
    ),
}
