"""What an agent's rounds may end with instead of an answer, and which handoff each becomes."""

from __future__ import annotations

from core.application.parser import LLMResponseParseError
from core.application.turn.agent_rounds import SilentLoopError, UnsafeTextError
from core.domain.errors import ActionError, DeadlineError, LLMError
from core.domain.handoff import HandoffReason, HandoffRequest

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
