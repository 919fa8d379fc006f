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
    CHANNEL_REFUSED = "channel_refused"
    MEDIA_NOT_SUPPORTED = "media_not_supported"
    TURN_LIMIT = "turn_limit"
    SPEND_LIMIT = "spend_limit"
    TOO_MANY_MESSAGES = "too_many_messages"
    REFUSALS = "refusals"
    INTERNAL_ERROR = "internal_error"


# As people read them.
REASON_NAMES = {
    HandoffReason.HUMAN_REQUESTED: "o cliente pediu uma pessoa",
    HandoffReason.FRUSTRATED: "o cliente se irritou",
    HandoffReason.LOOP: "a conversa não saía do lugar",
    HandoffReason.AGENT_REQUESTED: "o assunto é de uma pessoa",
    HandoffReason.COMPLETED: "atendimento concluído",
    HandoffReason.LLM_INVALID_JSON: "o modelo respondeu fora do formato",
    HandoffReason.LLM_TIMEOUT: "o modelo não respondeu",
    HandoffReason.LLM_INVALID_CONTRACT: "o modelo respondeu fora do contrato",
    HandoffReason.LLM_UNSAFE_TEXT: "o texto do modelo não podia ser enviado",
    HandoffReason.SILENT_LOOP_EXCEEDED: "o modelo não chegou a uma resposta",
    HandoffReason.DEADLINE: "o tempo da resposta acabou",
    HandoffReason.STALE: "a mensagem chegou tarde demais",
    HandoffReason.OUTSIDE_WINDOW: "passou a janela de 24 horas",
    HandoffReason.CHANNEL_REFUSED: "o WhatsApp não aceita as nossas mensagens",
    HandoffReason.MEDIA_NOT_SUPPORTED: "o cliente mandou o que não se abre",
    HandoffReason.TURN_LIMIT: "a conversa ficou longa demais",
    HandoffReason.SPEND_LIMIT: "a assistente chegou ao limite de gasto",
    HandoffReason.TOO_MANY_MESSAGES: "o cliente mandou mensagens demais de uma vez",
    HandoffReason.REFUSALS: "o cliente insistiu no que a assistente não pode atender",
    HandoffReason.INTERNAL_ERROR: "erro interno",
}

# Handoffs that an outage causes: unacknowledged, the customer's next message resumes the bot.
TECHNICAL_REASONS = frozenset(
    {
        HandoffReason.LLM_INVALID_JSON,
        HandoffReason.LLM_TIMEOUT,
        HandoffReason.LLM_INVALID_CONTRACT,
        HandoffReason.LLM_UNSAFE_TEXT,
        HandoffReason.SILENT_LOOP_EXCEEDED,
        HandoffReason.DEADLINE,
        HandoffReason.STALE,
        HandoffReason.SPEND_LIMIT,
        HandoffReason.CHANNEL_REFUSED,
        HandoffReason.INTERNAL_ERROR,
    }
)

# Handoffs after which no model is paid for: the card is what is known without one.
UNPAID_REASONS = frozenset({HandoffReason.SPEND_LIMIT})

# Handoffs in which the agent's own text is what the customer reads; every other reason has a fixed text.
AGENT_WORDED_REASONS = frozenset({HandoffReason.AGENT_REQUESTED, HandoffReason.COMPLETED, HandoffReason.REFUSALS})


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
