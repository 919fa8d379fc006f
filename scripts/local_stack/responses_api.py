"""Bodies of the Responses API, as the real one words them. Token counts are estimates: four characters each."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

CHARACTERS_PER_TOKEN = 4
# https://developers.openai.com/api/docs/guides/prompt-caching: from 1024 tokens on, in steps of 128
CACHE_FROM_TOKENS = 1024
CACHE_STEP_TOKENS = 128


def tokens_of(text: str) -> int:
    """An estimate."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def prompt_of(request: Mapping[str, Any]) -> str:
    """What the model reads of a request, in order, as one text."""
    parts = [request.get("instructions") or "", request.get("input")]
    return "\n".join(part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in parts if part)


def cached_tokens_of(prompt: str, earlier: list[str]) -> int:
    """How much of the prompt an earlier one had begun with, as the API would bill it."""
    shared = max((_shared_length(prompt, other) for other in earlier), default=0)
    tokens = shared // CHARACTERS_PER_TOKEN
    return 0 if tokens < CACHE_FROM_TOKENS else tokens - tokens % CACHE_STEP_TOKENS


def _shared_length(one: str, other: str) -> int:
    """The length of the common beginning, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def text_content(text: str) -> dict[str, Any]:
    """Content that is text."""
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def refusal_content(text: str) -> dict[str, Any]:
    """Content that is a refusal."""
    return {"type": "refusal", "refusal": text}


def response_body(
    request: Mapping[str, Any],
    content: Mapping[str, Any],
    *,
    cached_tokens: int = 0,
    incomplete: str = "",
    failed_code: str = "",
    thinking: str = "",
) -> dict[str, Any]:
    """A response whose one message holds `content`; cut short for a reason, or failed with a code. `thinking` is told
    before it.
    """
    status = "failed" if failed_code else "incomplete" if incomplete else "completed"
    message = {
        "id": f"msg_{secrets.token_hex(16)}",
        "type": "message",
        "role": "assistant",
        "status": "incomplete" if incomplete else "completed",
        "phase": "final_answer",
        "content": [content],
    }
    return {
        "id": f"resp_{secrets.token_hex(16)}",
        "object": "response",
        "created_at": int(time.time()),
        "status": status,
        "background": False,
        "error": {"code": failed_code, "message": "The model failed to answer."} if failed_code else None,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "instructions": request.get("instructions"),
        "max_output_tokens": request.get("max_output_tokens"),
        "metadata": request.get("metadata") or {},
        "model": request["model"],
        "output": [] if failed_code else [*_reasoning(thinking), message],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "prompt_cache_key": request.get("prompt_cache_key"),
        "reasoning": request.get("reasoning") or {"effort": None, "summary": None},
        "safety_identifier": request.get("safety_identifier"),
        "service_tier": "default",
        "store": request.get("store", True),
        "temperature": 1.0,
        "text": request.get("text") or {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": _usage(request, content, cached_tokens, thinking),
        "user": None,
    }


def _reasoning(thinking: str) -> list[dict[str, Any]]:
    if not thinking:
        return []
    summary = [{"type": "summary_text", "text": thinking}]
    return [{"id": f"rs_{secrets.token_hex(16)}", "type": "reasoning", "summary": summary}]


def error_body(status: int, code: str = "", message: str = "") -> dict[str, Any]:
    """The body of an HTTP error. The default code is what the API uses for the status."""
    kind, usual = {
        400: ("invalid_request_error", "invalid_value"),
        401: ("invalid_request_error", "invalid_api_key"),
        403: ("invalid_request_error", "unsupported_country_region_territory"),
        404: ("invalid_request_error", "model_not_found"),
        429: ("requests", "rate_limit_exceeded"),
    }.get(status, ("server_error", "server_error"))
    shown = message or f"The stand-in was told to answer {status}."
    return {"error": {"message": shown, "type": kind, "param": None, "code": code or usual}}


def _usage(request: Mapping[str, Any], content: Mapping[str, Any], cached_tokens: int, thinking: str) -> dict[str, Any]:
    tokens_input = tokens_of(prompt_of(request))
    tokens_output = tokens_of(str(content.get("text") or content.get("refusal") or "")) + tokens_of(thinking)
    return {
        "input_tokens": tokens_input,
        "input_tokens_details": {"cached_tokens": cached_tokens, "cache_write_tokens": 0},
        "output_tokens": tokens_output,
        "output_tokens_details": {"reasoning_tokens": tokens_of(thinking)},
        "total_tokens": tokens_input + tokens_output,
    }
