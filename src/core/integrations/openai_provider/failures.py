"""The SDK's exceptions in our words.

OpenAIError
├── APIError
│   ├── APIConnectionError            connection     (repeated)
│   │   └── APITimeoutError           timeout        (repeated)
│   ├── APIStatusError  5xx           server_error   (repeated)
│   │   │               4xx           at once: bad_request, auth (401, 403), timeout (408)
│   │   └── RateLimitError  429       at once: quota when `code` says so, else rate_limited
│   └── APIResponseValidationError    server_error   (repeated)
├── LengthFinishReasonError           incomplete
├── ContentFilterFinishReasonError    refused
├── SubjectTokenProviderError         auth
└── the rest (sockets of the realtime API, webhooks): bad_request, since no call of ours raises them

Anything that is no OpenAIError and still comes out of a call (a body that says JSON and is none) is a server_error.
Messages hold status and `code` alone: the API quotes keys and prompts in its own.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

import openai

from core.domain.llm import CallPurpose, LLMFailure

_log = logging.getLogger(__name__)

# https://developers.openai.com/api/docs/guides/error-codes: money, not speed; waiting does not help.
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "access_terminated"})
# Nobody waits these out: the key, or the money, is somebody's to mend.
_REFUSALS = frozenset({LLMFailure.AUTH, LLMFailure.QUOTA})
RATE_LIMIT_CODES = frozenset({"rate_limit_exceeded"})

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One failed attempt. `repeat` says whether the wrapper may try again; `event` is its log event."""

    failure: LLMFailure
    label: str
    repeat: bool
    event: str
    status: int | None = None
    request_id: str | None = None


# In order: subclasses before their parents. Status errors are read apart.
_BY_CLASS: tuple[tuple[type[Exception], Fault], ...] = (
    (openai.APITimeoutError, Fault(failure=LLMFailure.TIMEOUT, label="timeout", repeat=True, event="llm_timeout")),
    (
        openai.APIConnectionError,
        Fault(failure=LLMFailure.CONNECTION, label="connection error", repeat=True, event="llm_5xx"),
    ),
    (
        openai.LengthFinishReasonError,
        Fault(failure=LLMFailure.INCOMPLETE, label="incomplete", repeat=False, event="llm_4xx"),
    ),
    (
        openai.ContentFilterFinishReasonError,
        Fault(failure=LLMFailure.REFUSED, label="content_filter", repeat=False, event="llm_4xx"),
    ),
)


def fault_of(error: Exception) -> Fault:
    """Classify whatever a call of the SDK raised."""
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error)
    for kind, fault in _BY_CLASS:
        if isinstance(error, kind):
            return fault
    if isinstance(error, openai.OpenAIError) and not isinstance(error, openai.APIError):
        failure = LLMFailure.AUTH if "Token" in type(error).__name__ else LLMFailure.BAD_REQUEST
        return Fault(failure=failure, label=type(error).__name__, repeat=False, event="llm_4xx")
    return Fault(failure=LLMFailure.SERVER_ERROR, label="unreadable response", repeat=True, event="llm_5xx")


def failure_of_code(code: str | None) -> LLMFailure:
    """The kind behind `response.error.code` of a response whose status is `failed`."""
    if code in QUOTA_CODES:
        return LLMFailure.QUOTA
    if code in RATE_LIMIT_CODES:
        return LLMFailure.RATE_LIMITED
    return LLMFailure.SERVER_ERROR if code in (None, "server_error") else LLMFailure.BAD_REQUEST


def tell_refusal(fault: Fault, *, model: str, purpose: CallPurpose) -> None:
    """The event to ring for, where a call that failed for good says that the provider refuses them all."""
    if fault.failure in _REFUSALS:
        extra = {"failure": fault.failure.value, "status": fault.status, "model": model, "purpose": purpose.value}
        _log.error("provider_refused", extra=extra)


def safe_identifier(value: object) -> str:
    """A provider's code if it looks like one, else nothing: free text may quote a prompt or a key."""
    return value if isinstance(value, str) and _IDENTIFIER.fullmatch(value) else ""


def _status_fault(error: openai.APIStatusError) -> Fault:
    status = error.status_code
    code = safe_identifier(error.code) or safe_identifier(error.type)
    if status == 429:
        failure = LLMFailure.QUOTA if error.code in QUOTA_CODES else LLMFailure.RATE_LIMITED
    elif status in (401, 403):
        failure = LLMFailure.AUTH
    elif status == 408:
        failure = LLMFailure.TIMEOUT
    else:
        failure = LLMFailure.SERVER_ERROR if status >= 500 else LLMFailure.BAD_REQUEST
    return Fault(
        failure=failure,
        label=f"{status}: {code or type(error).__name__}",
        repeat=status >= 500,
        event="llm_5xx" if status >= 500 else "llm_4xx",
        status=status,
        request_id=error.request_id,
    )
