"""What the Messages API answers, errors included. Everything is read defensively: a proxy may answer anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMCallResult, LLMFailure
from core.integrations.model_calls.answer_made import AnswerMade
from core.integrations.model_calls.faults import failure_of_status, retry_after_of, safe_identifier
from core.integrations.model_calls.usage import Usage

_COMPLETE = ("end_turn", "stop_sequence")
# platform.claude.com/docs/en/api/errors
_BY_TYPE = {
    "authentication_error": LLMFailure.AUTH,
    "permission_error": LLMFailure.AUTH,
    "billing_error": LLMFailure.QUOTA,
    "rate_limit_error": LLMFailure.RATE_LIMITED,
    "invalid_request_error": LLMFailure.BAD_REQUEST,
    "not_found_error": LLMFailure.BAD_REQUEST,
    "request_too_large": LLMFailure.BAD_REQUEST,
}
# Told as a rate limit, and over only with the month.
_SPENT = "enforced_spend_limit_reached"


def read_message(body: Any, *, model: str, request_id: str | None) -> LLMCallResult:
    """The text and its telemetry. Raises `ModelAttemptError` for what is cut, refused, empty or an error."""
    if not isinstance(body, Mapping):
        raise ModelAttemptError("no message object", failure=LLMFailure.SERVER_ERROR, status=200, request_id=request_id)
    made = AnswerMade(_usage(body.get("usage")), request_id)
    if body.get("type") == "error" or body.get("error"):
        kind = _type_of(body)
        raise made.unusable(_BY_TYPE.get(kind, LLMFailure.SERVER_ERROR), f"failed: {kind or 'no type'}")
    content, reason = body.get("content"), body.get("stop_reason")
    if not isinstance(content, list):
        raise made.unusable(LLMFailure.SERVER_ERROR, "no message object")
    if reason == "refusal":
        raise made.unusable(LLMFailure.REFUSED, "refused")
    if reason not in _COMPLETE:
        failure = LLMFailure.INCOMPLETE if isinstance(reason, str) else LLMFailure.SERVER_ERROR
        raise made.unusable(failure, f"{failure}: {safe_identifier(reason) or 'unknown'}")
    return made.result("".join(_texts(content)), asked=model, returned=body.get("model"))


def status_fault(status: int, body: Any, headers: Mapping[str, str]) -> ModelAttemptError:
    """An HTTP error. Its label holds the status and the error's type alone."""
    kind = _type_of(body)
    quota = kind == "billing_error" or _details_of(body) == _SPENT
    failure = LLMFailure.QUOTA if quota else failure_of_status(status)
    return ModelAttemptError(
        f"{status}: {kind or 'no type'}",
        failure=failure,
        status=status,
        request_id=headers.get("request-id"),
        retry_after_seconds=retry_after_of(headers),
    )


def _texts(content: list[Any]) -> list[str]:
    """Thinking and whatever else stands between is no answer."""
    blocks = (block for block in content if isinstance(block, Mapping) and block.get("type") == "text")
    return [text for block in blocks if isinstance(text := block.get("text"), str)]


def _usage(raw: Any) -> Usage:
    """`input_tokens` are only what the cache neither held nor took."""
    if not isinstance(raw, Mapping):
        return Usage()
    details = raw.get("output_tokens_details")
    return Usage.told(
        input=raw.get("input_tokens"),
        output=raw.get("output_tokens"),
        cached=raw.get("cache_read_input_tokens"),
        cache_written=raw.get("cache_creation_input_tokens"),
        reasoning=details.get("thinking_tokens") if isinstance(details, Mapping) else 0,
        excludes_cache=True,
    )


def _type_of(body: Any) -> str:
    error = body.get("error") if isinstance(body, Mapping) else None
    return safe_identifier(error.get("type")) if isinstance(error, Mapping) else ""


def _details_of(body: Any) -> str:
    error = body.get("error") if isinstance(body, Mapping) else None
    details = error.get("details") if isinstance(error, Mapping) else None
    return safe_identifier(details.get("error_code")) if isinstance(details, Mapping) else ""
