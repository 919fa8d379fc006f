"""What a turn may end with instead of an answer, and which handoff each becomes, at once or when it goes on."""

from __future__ import annotations

from core.application.parser import LLMResponseParseError
from core.application.turn.agent_rounds import SilentLoopError, UnsafeTextError
from core.domain.conversation import Head
from core.domain.errors import ActionError, DeadlineError, LLMError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.llm import LLMFailure
from core.domain.policy import FAILING_SECONDS_BEFORE_HANDOFF, FAILURES_BEFORE_HANDOFF

AGENT_FAILURES = (
    LLMError,
    LLMResponseParseError,
    ActionError,
    UnsafeTextError,
    SilentLoopError,
    DeadlineError,
)


def handoff_for(error: Exception) -> HandoffRequest:
    """Document 002 files every provider failure under `llm_timeout`; `detail` says which it was."""
    match error:
        case LLMError():
            return HandoffRequest(reason=HandoffReason.LLM_TIMEOUT, detail=error.failure.value)
        case LLMResponseParseError():
            return HandoffRequest(reason=HandoffReason.LLM_INVALID_JSON, detail=error.kind.value)
        case ActionError():
            return HandoffRequest(reason=HandoffReason.LLM_INVALID_CONTRACT, detail=error.kind)
        case UnsafeTextError():
            return HandoffRequest(reason=HandoffReason.LLM_UNSAFE_TEXT, detail=",".join(error.findings))
        case SilentLoopError():
            return HandoffRequest(reason=HandoffReason.SILENT_LOOP_EXCEEDED)
    return HandoffRequest(reason=HandoffReason.DEADLINE, detail="no_time_for_a_model")


def passes_by_itself(error: Exception) -> bool:
    """Too many requests: the turn fails and comes back, since waiting helps. A quota does not pass."""
    return isinstance(error, LLMError) and error.failure is LLMFailure.RATE_LIMITED


def failure_kind(error: Exception) -> str:
    """What HEAD keeps of a turn that failed; `handoff_after_failures` reads it."""
    return LLMFailure.RATE_LIMITED.value if passes_by_itself(error) else HandoffReason.INTERNAL_ERROR.value


def handoff_after_failures(head: Head, *, now_ms: int) -> HandoffRequest | None:
    """Whether the turns of what is pending have failed so often and for so long that no model is asked any more."""
    if head.failures < FAILURES_BEFORE_HANDOFF or head.pending_since_ms is None:
        return None
    if now_ms - head.pending_since_ms < FAILING_SECONDS_BEFORE_HANDOFF * 1000:
        return None
    if head.failure_kind == LLMFailure.RATE_LIMITED.value:
        return HandoffRequest(reason=HandoffReason.LLM_TIMEOUT, detail=LLMFailure.RATE_LIMITED.value)
    return HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="repeated_failure")
