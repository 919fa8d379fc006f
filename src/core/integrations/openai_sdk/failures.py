"""The SDK's exceptions in our words.

OpenAIError
├── APIError
│   ├── APIConnectionError            connection     (repeated)
│   │   └── APITimeoutError           timeout        (repeated)
│   ├── APIStatusError  5xx           server_error   (repeated)
│   │   │               4xx           at once: bad_request, auth (401, 403), timeout (408)
│   │   └── RateLimitError  429       at once: quota when `code` says so, else rate_limited (498 too)
│   └── APIResponseValidationError    server_error   (repeated)
├── LengthFinishReasonError           incomplete
├── ContentFilterFinishReasonError    refused
├── SubjectTokenProviderError         auth
└── the rest (sockets of the realtime API, webhooks): bad_request, since no call of ours raises them

Anything that is no OpenAIError and still comes out of a call (a body that says JSON and is none) is a server_error.
"""

from __future__ import annotations

import openai

from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMFailure
from core.integrations.model_calls.faults import failure_of_status, retry_after_of, safe_identifier, timed_out

# https://developers.openai.com/api/docs/guides/error-codes: money, not speed; waiting does not help.
QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "access_terminated"})
RATE_LIMIT_CODES = frozenset({"rate_limit_exceeded"})

# Beside the SDK's own tree: what a body that is not the API's makes the SDK's decoding raise.
SDK_ERRORS = (
    openai.OpenAIError,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    OSError,
    RecursionError,
)


def fault_of(error: Exception) -> ModelAttemptError:
    """Classify whatever a call of the SDK raised."""
    match error:
        case openai.APIStatusError():
            return _status_fault(error)
        case openai.APITimeoutError():
            return timed_out()
        case openai.APIConnectionError():
            return ModelAttemptError("connection error", failure=LLMFailure.CONNECTION)
        case openai.OpenAIError() if not isinstance(error, openai.APIError):
            return _other_fault(error)
    return ModelAttemptError("unreadable response", failure=LLMFailure.SERVER_ERROR)


def failure_of_code(code: str | None) -> LLMFailure:
    """The kind behind an error's `code` that comes with status 200."""
    if code in QUOTA_CODES:
        return LLMFailure.QUOTA
    if code in RATE_LIMIT_CODES:
        return LLMFailure.RATE_LIMITED
    return LLMFailure.SERVER_ERROR if code in (None, "server_error") else LLMFailure.BAD_REQUEST


def _other_fault(error: openai.OpenAIError) -> ModelAttemptError:
    if isinstance(error, openai.LengthFinishReasonError):
        return ModelAttemptError("incomplete", failure=LLMFailure.INCOMPLETE)
    if isinstance(error, openai.ContentFilterFinishReasonError):
        return ModelAttemptError("content_filter", failure=LLMFailure.REFUSED)
    failure = LLMFailure.AUTH if "Token" in type(error).__name__ else LLMFailure.BAD_REQUEST
    return ModelAttemptError(type(error).__name__, failure=failure)


def _status_fault(error: openai.APIStatusError) -> ModelAttemptError:
    status = error.status_code
    code = safe_identifier(error.code) or safe_identifier(error.type)
    response = getattr(error, "response", None)
    return ModelAttemptError(
        f"{status}: {code or type(error).__name__}",
        failure=failure_of_status(status, quota=error.code in QUOTA_CODES),
        status=status,
        request_id=error.request_id,
        retry_after_seconds=retry_after_of(response.headers) if response is not None else None,
    )
