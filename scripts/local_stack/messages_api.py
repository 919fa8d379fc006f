"""Bodies of Anthropic's Messages API, as the real one words them. Token counts are estimates."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from .responses_api import prompt_of, tokens_of

_STOPS = {"": "end_turn", "max_output_tokens": "max_tokens", "content_filter": "refusal"}


def as_responses(request: Mapping[str, Any]) -> dict[str, Any]:
    """The request as the Responses API has it: what brains read."""
    system = [{"role": "system", "content": block["text"]} for block in request.get("system") or ()]
    spoken = [{"role": message["role"], "content": _words(message["content"])} for message in request["messages"]]
    return {"model": request["model"], "input": [*system, *spoken]}


def _words(content: str | list[Mapping[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(block["text"] for block in content)


def message_body(
    request: Mapping[str, Any],
    content: Mapping[str, Any],
    *,
    cached_tokens: int = 0,
    incomplete: str = "",
    thinking: str = "",
) -> dict[str, Any]:
    """A message that says `content`. `input_tokens` leave out what the cache held and what it took."""
    refusal = content.get("refusal")
    said = str(content.get("text") or refusal or "")
    blocks: list[dict[str, Any]] = [{"type": "text", "text": said}] if said else []
    if thinking:
        blocks.insert(0, {"type": "thinking", "thinking": thinking, "signature": secrets.token_hex(16)})
    prompt = tokens_of(prompt_of(as_responses(request)))
    marked = any("cache_control" in block for block in request.get("system") or ())
    written = tokens_of(request["system"][0]["text"]) if marked and not cached_tokens else 0
    written = min(written, prompt)
    return {
        "id": f"msg_{secrets.token_hex(12)}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": blocks,
        "stop_reason": "refusal" if refusal else _STOPS.get(incomplete, incomplete),
        "stop_sequence": None,
        "stop_details": {"type": "refusal", "category": None, "explanation": refusal} if refusal else None,
        "usage": {
            "input_tokens": max(prompt - cached_tokens - written, 0),
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": cached_tokens,
            "output_tokens": tokens_of(said) + tokens_of(thinking),
            "output_tokens_details": {"thinking_tokens": tokens_of(thinking)},
            "service_tier": "standard",
        },
    }


def error_body(status: int, code: str = "") -> dict[str, Any]:
    """The body of an HTTP error. `code` is what the API calls `details.error_code`, or an error's type."""
    kind = {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        529: "overloaded_error",
    }.get(status, "api_error")
    error: dict[str, Any] = {"type": kind, "message": f"The stand-in was told to answer {status}."}
    if code == "insufficient_quota":
        error["details"] = {"error_code": "enforced_spend_limit_reached"}
    elif code:
        error["type"] = code
    return {"type": "error", "error": error, "request_id": f"req_{secrets.token_hex(12)}"}
