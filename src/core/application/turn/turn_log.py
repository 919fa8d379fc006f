"""The one line of a turn in the log: what became of it, what it cost and how long each of its steps took."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.application.journal import TurnJournal
from core.application.turn.decision import TurnResult
from core.application.turn.opening import OpenTurn

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTimes:
    """When a run's steps were over, in milliseconds since 1970."""

    started_ms: int
    committed_ms: int
    sent_ms: int
    finished_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFigures:
    """What a run did, in numbers and names of ours. Money counts every call, wasted ones too."""

    tokens_input: int = 0
    tokens_cached: int = 0
    tokens_output: int = 0
    micro_usd: int = 0
    reruns: int = 0
    repair: str = ""
    guard: str = ""
    second_chances: tuple[str, ...] = ()
    latency_ms: Mapping[str, int] = field(default_factory=dict)


def figures_of(turn: OpenTurn, journal: TurnJournal, times: TurnTimes) -> TurnFigures:
    """`wait` is the oldest message's, from its receipt to the start; `model` is the share of `decide` that calls took;
    `answer` is all that the customer waited for.
    """
    waits_since_ms = min((entry.received_at_ms for entry in turn.inbounds), default=times.started_ms)
    latency_ms = {
        "wait": times.started_ms - waits_since_ms,
        "decide": times.committed_ms - times.started_ms,
        "model": sum(call.latency_ms for call in journal.calls),
        "send": times.sent_ms - times.committed_ms,
        "finish": times.finished_ms - times.sent_ms,
        "answer": times.sent_ms - waits_since_ms,
    }
    return TurnFigures(
        tokens_input=sum(call.tokens_input for call in journal.calls),
        tokens_cached=sum(call.tokens_cached for call in journal.calls),
        tokens_output=sum(call.tokens_output for call in journal.calls),
        micro_usd=journal.cost,
        reruns=journal.reruns,
        repair=journal.repair_method or "",
        guard=str(journal.guard.get("kind") or ""),
        second_chances=tuple(journal.second_chances),
        latency_ms={stage: max(ms, 0) for stage, ms in latency_ms.items()},
    )


def tell_turn(conversation: str, result: TurnResult, figures: TurnFigures | None = None) -> None:
    """One line; without `figures`, of a turn that had nothing to do."""
    extra: dict[str, Any] = {
        "conversation": conversation,
        "turn": result.turn_id,
        "outcome": result.outcome.value,
        "reason": result.reason,
        "detail": result.detail,
        "model_calls": result.model_calls,
        "sent_parts": result.sent_parts,
    }
    if figures is not None:
        extra |= {
            "tokens_input": figures.tokens_input,
            "tokens_cached": figures.tokens_cached,
            "tokens_output": figures.tokens_output,
            "micro_usd": figures.micro_usd,
            "reruns": figures.reruns,
            "repair": figures.repair,
            "guard": figures.guard,
            "second_chances": list(figures.second_chances),
            **{f"{stage}_ms": ms for stage, ms in figures.latency_ms.items()},
        }
    _log.info("turn_done", extra=extra)
