"""Bodies of Chat Completions, as Groq and others like it word them. Token counts are estimates."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

from .responses_api import prompt_of, tokens_of

_FINISHES = {"": "stop", "max_output_tokens": "length", "content_filter": "content_filter"}


def as_responses(request: Mapping[str, Any]) -> dict[str, Any]:
    """The request as the Responses API has it: what brains read."""
    return {"model": request["model"], "input": request["messages"]}


def completion_body(
    request: Mapping[str, Any],
    content: Mapping[str, Any],
    *,
    cached_tokens: int = 0,
    incomplete: str = "",
    thinking: str = "",
) -> dict[str, Any]:
    """A completion whose one choice says `content`; `thinking` is told beside it, as reasoning models do."""
    refusal = content.get("refusal")
    message = {"role": "assistant", "content": None if refusal else content.get("text")}
    if refusal:
        message["refusal"] = refusal
    if thinking:
        message["reasoning"] = thinking
    tokens_input = tokens_of(prompt_of(as_responses(request)))
    tokens_output = tokens_of(str(content.get("text") or refusal or "")) + tokens_of(thinking)
    return {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": _FINISHES.get(incomplete, incomplete),
            }
        ],
        "usage": {
            "queue_time": 0.01,
            "prompt_tokens": tokens_input,
            "prompt_time": 0.01,
            "completion_tokens": tokens_output,
            "completion_time": 0.01,
            "total_tokens": tokens_input + tokens_output,
            "total_time": 0.02,
            "prompt_tokens_details": {"cached_tokens": cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": tokens_of(thinking)},
        },
        "system_fingerprint": "fp_standin",
        "service_tier": "on_demand",
        "x_groq": {"id": f"req_{secrets.token_hex(12)}"},
    }


def error_body(status: int, code: str = "") -> dict[str, Any]:
    """The body of an HTTP error."""
    kind, usual = {
        400: ("invalid_request_error", "invalid_value"),
        401: ("invalid_request_error", "invalid_api_key"),
        403: ("permissions_error", "permission_denied"),
        404: ("invalid_request_error", "model_not_found"),
        429: ("tokens", "rate_limit_exceeded"),
        498: ("capacity", "capacity_exceeded"),
    }.get(status, ("internal_server_error", "server_error"))
    return {"error": {"message": f"The stand-in was told to answer {status}.", "type": kind, "code": code or usual}}
