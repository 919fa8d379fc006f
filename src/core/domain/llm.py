"""Words about model calls. The first five fields of `LLMCallResult` are document 002's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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
class ModelRef:
    """A model of a provider: one rung of a route (docs/providers.md)."""

    provider: str
    model: str

    def __str__(self) -> str:
        """As the ledger names it."""
        return f"{self.provider}/{self.model}"


# Of calls that do not say whom they asked: those of turns recorded by older code.
DEFAULT_PROVIDER = "openai"

ModelRoute = tuple[ModelRef, ...]
"""Who is asked, in order: each rung only where the one before it could not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What one request asks of a model, in nobody's words. `messages` are `{"role", "content"}` with plain text.

    `cache_key` names the first message, which is the same from request to request; `output_schema` is
    `{"name", "schema"}`; `safety_identifier` stands for the customer and is no personal datum.
    """

    model: str
    messages: Sequence[dict[str, Any]]
    purpose: CallPurpose = CallPurpose.AGENT
    cache_key: str | None = None
    safety_identifier: str | None = None
    output_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMAttempt:
    """One HTTP request to a provider. `failure` is None for the one that succeeded.

    `rung` counts from 0; `fallback_reason` says why the rung before it did not answer (a failure's name, `breaker` or
    `turn`), and `skipped` which rungs were not asked at all. `provider` and `model` are "" where nobody chose them.
    """

    number: int
    latency_ms: int
    failure: LLMFailure | None = None
    status: int | None = None
    request_id: str | None = None
    tokens_input: int = 0
    tokens_output: int = 0
    provider: str = ""
    model: str = ""
    rung: int = 0
    fallback_reason: str = ""
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMCallResult:
    """A model's answer. `latency_ms` is the successful attempt's; `attempts` holds them all, in order.

    `tokens_cached` (read from the cache) and `tokens_cache_written` are parts of `tokens_input`, whatever the provider
    counts, and `tokens_reasoning` of `tokens_output`; `audio_seconds` is what a
    transcription is billed by where it tells no tokens. Without usage in the response the counts are zero and
    `usage_missing` is set.
    """

    raw_response: str
    model: str
    tokens_input: int
    tokens_output: int
    latency_ms: int
    tokens_cached: int = 0
    tokens_cache_written: int = 0
    tokens_reasoning: int = 0
    audio_seconds: int = 0
    usage_missing: bool = False
    request_id: str | None = None
    attempts: tuple[LLMAttempt, ...] = ()

    def asked(self, model: str) -> ModelRef:
        """Whose model was asked for what came: the last attempt's, or else `model`, of the provider by default."""
        last = self.attempts[-1] if self.attempts else None
        return ModelRef(provider=(last and last.provider) or DEFAULT_PROVIDER, model=(last and last.model) or model)
