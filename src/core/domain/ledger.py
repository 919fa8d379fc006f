"""What a turn did and what it cost: the TURN item, from which replay works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from core.domain.handoff import HandoffRequest
from core.domain.llm import CallPurpose, LLMFailure
from core.domain.reply import AgentReply


class CallOutcome(StrEnum):
    """What became of a model call. All but `used` and `silent` are wasted."""

    USED = "used"
    SILENT = "silent"
    FAILED = "failed"
    UNPARSEABLE = "unparseable"
    REJECTED = "rejected"
    OVERTAKEN = "overtaken"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One HTTP request to a model. `rerun` is the run of the turn that made it, from 0: a newcomer starts another.
    `cost_usd` is None when the price list does not know the model. `LLMAttempt` says what `rung`, `fallback_reason` and
    `skipped` are.
    """

    sequence: int
    purpose: CallPurpose
    attempt: int
    provider: str
    requested_model: str
    outcome: CallOutcome
    latency_ms: int
    rerun: int = 0
    returned_model: str | None = None
    raw_reply: str | None = None
    failure: LLMFailure | None = None
    status: int | None = None
    request_id: str | None = None
    input_hash: str = ""
    tokens_input: int = 0
    tokens_cached: int = 0
    tokens_cache_written: int = 0
    tokens_output: int = 0
    tokens_reasoning: int = 0
    audio_seconds: int = 0
    usage_missing: bool = False
    cost_usd: Decimal | None = None
    rung: int = 0
    fallback_reason: str = ""
    skipped: tuple[str, ...] = ()

    @property
    def wasted(self) -> bool:
        """Whether the customer got nothing for it."""
        return self.outcome not in (CallOutcome.USED, CallOutcome.SILENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """USD per million tokens: `cached` are read from the cache, `cache_write` written to it (None: as any input).
    `minute` of audio, for models that are billed by its length.
    """

    input: Decimal
    cached: Decimal
    output: Decimal
    minute: Decimal = Decimal(0)
    cache_write: Decimal | None = None

    def cost(
        self,
        *,
        tokens_input: int,
        tokens_cached: int,
        tokens_output: int,
        audio_seconds: int = 0,
        tokens_cache_written: int = 0,
    ) -> Decimal:
        """What a call cost. Reasoning tokens are billed as output and counted there."""
        write = self.input if self.cache_write is None else self.cache_write
        fresh = tokens_input - tokens_cached - tokens_cache_written
        tokens = fresh * self.input + tokens_cached * self.cached + tokens_output * self.output
        tokens += tokens_cache_written * write
        return tokens / Decimal(1_000_000) + audio_seconds * self.minute / Decimal(60)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """`T#<ms>#<turn>` (docs/turn.md).

    `head_before` and `state_before` are what the turn read, `state_after` what it left: `Head` and `ConversationState`
    when a turn is written, and their plain forms (the table adapter's `plain_to_state` reads them) when one is read:
    writing them down is the table's work. `parts_before` are the states of the parts that it read and that were not
    `sent`, by key; `forced` is a handoff that no message asked for.
    """

    sk: str
    turn: str
    inbound: tuple[str, ...]
    decided_at_ms: int
    started_at_ms: int
    wall_ms: int
    outcome: str
    reply: AgentReply | None
    codes: tuple[int, ...] = ()
    stage_before: str = ""
    stage_after: str = ""
    calls: tuple[ModelCall, ...] = ()
    guard: Mapping[str, Any] = field(default_factory=dict)
    repair_method: str | None = None
    dropped_prefix: str | None = None
    egress_findings: tuple[str, ...] = ()
    handoff_reason: str | None = None
    handoff_detail: str = ""
    packages: tuple[str, ...] = ()
    action_errors: tuple[str, ...] = ()
    reruns: int = 0
    session_start_ms: int = 0
    forced: HandoffRequest | None = None
    parts_before: Mapping[str, str] = field(default_factory=dict)
    head_before: Any = None
    state_before: Any = None
    state_after: Any = None
    fingerprints: Mapping[str, str] = field(default_factory=dict)
