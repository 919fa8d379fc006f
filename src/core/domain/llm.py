"""Words about model calls. The first five fields of `LLMCallResult` are document 002's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CallPurpose(StrEnum):
    """Why a model was called."""

    AGENT = "agent"
    CONTEXT_ROUND = "context_round"
    ACTION_RETRY = "action_retry"
    REPAIR = "repair"
    SUMMARY = "summary"
    TRANSCRIPTION = "transcription"


class LLMFailure(StrEnum):
    """How a model call failed; the `detail` of a handoff `llm_timeout`."""

    TIMEOUT = "timeout"
    CONNECTION = "connection"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    SERVER_ERROR = "server_error"
    INCOMPLETE = "incomplete"
    REFUSED = "refused"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMAttempt:
    """One HTTP request to the provider. `failure` is None for the one that succeeded."""

    number: int
    latency_ms: int
    failure: LLMFailure | None = None
    status: int | None = None
    request_id: str | None = None
    tokens_input: int = 0
    tokens_output: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMCallResult:
    """A model's answer. `latency_ms` is the successful attempt's; `attempts` holds them all, in order.

    `tokens_cached` is a part of `tokens_input`, `tokens_reasoning` of `tokens_output`; `audio_seconds` is what a
    transcription is billed by where it tells no tokens. Without usage in the response the counts are zero and
    `usage_missing` is set.
    """

    raw_response: str
    model: str
    tokens_input: int
    tokens_output: int
    latency_ms: int
    tokens_cached: int = 0
    tokens_reasoning: int = 0
    audio_seconds: int = 0
    usage_missing: bool = False
    request_id: str | None = None
    attempts: tuple[LLMAttempt, ...] = ()
