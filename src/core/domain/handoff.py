"""Why and how a conversation goes to a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class HandoffReason(StrEnum):
    """docs/contract.md, "Handoff reasons"."""

    HUMAN_REQUESTED = "human_requested"
    FRUSTRATED = "frustrated"
    LOOP = "loop"
    AGENT_REQUESTED = "agent_requested"
    COMPLETED = "completed"
    LLM_INVALID_JSON = "llm_invalid_json"
    LLM_TIMEOUT = "llm_timeout"
    LLM_INVALID_CONTRACT = "llm_invalid_contract"
    LLM_UNSAFE_TEXT = "llm_unsafe_text"
    SILENT_LOOP_EXCEEDED = "silent_loop_exceeded"
    DEADLINE = "deadline"
    STALE = "stale"
    OUTSIDE_WINDOW = "outside_window"
    MEDIA_NOT_SUPPORTED = "media_not_supported"
    TURN_LIMIT = "turn_limit"
    INTERNAL_ERROR = "internal_error"


# Handoffs that an outage causes: unacknowledged, the customer's next message resumes the bot.
TECHNICAL_REASONS = frozenset(
    {
        HandoffReason.LLM_INVALID_JSON,
        HandoffReason.LLM_TIMEOUT,
        HandoffReason.LLM_INVALID_CONTRACT,
        HandoffReason.LLM_UNSAFE_TEXT,
        HandoffReason.SILENT_LOOP_EXCEEDED,
        HandoffReason.DEADLINE,
        HandoffReason.INTERNAL_ERROR,
    }
)

# Handoffs in which the agent's own text is what the customer reads; every other reason has a fixed text.
AGENT_WORDED_REASONS = frozenset({HandoffReason.AGENT_REQUESTED, HandoffReason.COMPLETED})


# Details of `agent_requested` that code, not a model, has written.
OUR_DETAILS = frozenset({"promised_in_text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffRequest:
    """`detail` narrows the reason (a provider failure's kind, a code); never personal data."""

    reason: HandoffReason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationalSummary:
    """Document 000's summary object, so that a person need not ask again. `failed` marks the minimal form."""

    motivo_encerramento: str
    servico_identificado: str = ""
    segmento: str = ""
    pontos_chave: tuple[str, ...] = ()
    dados_coletados: Mapping[str, Any] = field(default_factory=dict)
    proxima_acao: str = ""
    resumo_texto: str = ""
    failed: bool = False
