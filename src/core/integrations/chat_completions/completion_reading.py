"""What a `ChatCompletion` says. Fields are read defensively: the SDK builds its models without validating them."""

from __future__ import annotations

from typing import Any

from core.domain.llm import LLMCallResult, LLMFailure
from core.integrations.model_calls.answer_made import AnswerMade
from core.integrations.model_calls.faults import safe_identifier
from core.integrations.model_calls.usage import Usage
from core.integrations.openai_sdk.failures import failure_of_code

_ENDS = {"length": LLMFailure.INCOMPLETE, "content_filter": LLMFailure.REFUSED}
_COMPLETE = ("stop", None)


def read_completion(completion: Any, *, model: str) -> LLMCallResult:
    """The first choice's text and its telemetry. Raises `ModelAttemptError` for what is cut, refused or empty."""
    made = AnswerMade(_usage(getattr(completion, "usage", None)), getattr(completion, "_request_id", None))
    error = getattr(completion, "error", None)
    if error:
        code = _code_of(error)
        raise made.unusable(failure_of_code(code), f"failed: {code or 'no code'}")
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list):  # a proxy's HTML page comes back as a plain string
        raise made.unusable(LLMFailure.SERVER_ERROR, "no completion object")
    choice = choices[0] if choices else None
    message, reason = getattr(choice, "message", None), getattr(choice, "finish_reason", None)
    if getattr(message, "refusal", None):
        raise made.unusable(LLMFailure.REFUSED, "refused")
    if reason not in _COMPLETE:
        failure = _ENDS.get(reason, LLMFailure.INCOMPLETE) if isinstance(reason, str) else LLMFailure.SERVER_ERROR
        raise made.unusable(failure, f"{failure}: {safe_identifier(reason) or 'unknown'}")
    return made.result(getattr(message, "content", None), asked=model, returned=getattr(completion, "model", None))


def _usage(raw: Any) -> Usage:
    """`prompt_tokens` include what the cache held."""
    if raw is None:
        return Usage()
    details = getattr(raw, "prompt_tokens_details", None)
    return Usage.told(
        input=getattr(raw, "prompt_tokens", None),
        output=getattr(raw, "completion_tokens", None),
        cached=getattr(details, "cached_tokens", None),
        cache_written=getattr(details, "cache_write_tokens", None),
        reasoning=getattr(getattr(raw, "completion_tokens_details", None), "reasoning_tokens", None),
    )


def _code_of(error: Any) -> str | None:
    code = error.get("code") if isinstance(error, dict) else getattr(error, "code", None)
    return safe_identifier(code) or None
