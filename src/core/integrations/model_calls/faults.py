"""What every provider's failures have in common: kinds by status, and what may be said of them.

Messages hold statuses and codes alone: providers quote keys and prompts in their own.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping

from core.domain.errors import ModelAttemptError
from core.domain.llm import CallPurpose, LLMFailure

_log = logging.getLogger(__name__)

# Nobody waits these out: the key, or the money, is somebody's to mend.
_REFUSALS = frozenset({LLMFailure.AUTH, LLMFailure.QUOTA})
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,60}")
# Groq's "flex tier capacity exceeded": of speed, though it is no 429.
_CAPACITY = 498


def failure_of_status(status: int, *, quota: bool = False) -> LLMFailure:
    """The kind of an HTTP error; `quota` where the body says that a 429 is about money."""
    if status in (429, _CAPACITY):
        return LLMFailure.QUOTA if quota else LLMFailure.RATE_LIMITED
    if status in (401, 403):
        return LLMFailure.AUTH
    if status == 408:
        return LLMFailure.TIMEOUT
    return LLMFailure.SERVER_ERROR if status >= 500 else LLMFailure.BAD_REQUEST


def timed_out() -> ModelAttemptError:
    """No answer came in time."""
    return ModelAttemptError("timeout", failure=LLMFailure.TIMEOUT)


def repeats(fault: ModelAttemptError) -> bool:
    """Whether the same request to the same provider may do better at once."""
    if fault.failure is LLMFailure.TIMEOUT:
        return fault.status is None
    return fault.failure in (LLMFailure.CONNECTION, LLMFailure.SERVER_ERROR)


def report(fault: ModelAttemptError, *, provider: str, model: str, attempt: int, purpose: CallPurpose) -> None:
    """The event of one failed request (document 002)."""
    _log.warning(
        _event(fault),
        extra={
            "provider": provider,
            "model": model,
            "status": fault.status,
            "attempt": attempt,
            "failure": fault.failure.value,
            "purpose": purpose.value,
            "request_id": fault.request_id,
        },
    )


def tell_refusal(fault: ModelAttemptError, *, provider: str, model: str, purpose: CallPurpose) -> None:
    """The event to ring for, where a provider refuses all our calls, whoever answers in its place."""
    if fault.failure in _REFUSALS:
        extra = {"failure": fault.failure.value, "status": fault.status, "purpose": purpose.value}
        _log.error("provider_refused", extra={**extra, "provider": provider, "model": model})


def safe_identifier(value: object) -> str:
    """A provider's code if it looks like one, else nothing: free text may quote a prompt or a key."""
    return value if isinstance(value, str) and _IDENTIFIER.fullmatch(value) else ""


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds that a provider asks for, where it says so as a number."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def count_of(value: object) -> int:
    """A count of tokens as it may be trusted: what is no number, or negative, is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _event(fault: ModelAttemptError) -> str:
    if fault.failure is LLMFailure.TIMEOUT and fault.status is None:
        return "llm_timeout"
    broke = fault.failure in (LLMFailure.CONNECTION, LLMFailure.SERVER_ERROR)
    return "llm_5xx" if broke else "llm_4xx"
