"""The summary that lets a person take over without asking again (document 000, docs/contract.md)."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.application.journal import TurnJournal
from core.application.ports import LLMClient
from core.domain.agent_call import HistoryLine
from core.domain.errors import LLMError
from core.domain.handoff import OperationalSummary
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose, ModelRoute

_log = logging.getLogger(__name__)

_FENCE = re.compile(r"^\s*(?:```|~~~)[\w-]*\s*\n?|\n?\s*(?:```|~~~)\s*$")
_TEXT_MAX_CHARS = 2_000
_POINTS_MAX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput:
    """What the summary is made of. `data` are the session's typed fields: the model does not get to invent them."""

    motive: str
    service: str
    segment: str
    data: Mapping[str, Any]
    history: Sequence[HistoryLine]
    extra_requests: Sequence[str] = ()


def generate_operational_summary(
    facts: SummaryInput,
    *,
    llm: LLMClient,
    route: ModelRoute,
    instructions: str,
    timeout_seconds: float,
    journal: TurnJournal,
) -> OperationalSummary:
    """One model call; any failure whatever gives the minimal object. Never raises, never blocks a handoff."""
    model = route[0].model
    try:
        result = llm.chat(
            model=model,
            route=route,
            messages=_messages(facts, instructions),
            timeout_seconds=timeout_seconds,
            purpose=CallPurpose.SUMMARY,
        )
    except LLMError as error:
        journal.failed(error, model, CallPurpose.SUMMARY)
        _log.warning("summary_llm_failed", extra={"failure": error.failure.value})
        return minimal_summary(facts)
    written = _read_object(result.raw_response)
    journal.called(
        result, model, CallPurpose.SUMMARY, CallOutcome.USED if written is not None else CallOutcome.UNPARSEABLE
    )
    if written is None:
        _log.warning("summary_parse_failed", extra={"chars": len(result.raw_response)})
        return minimal_summary(facts)
    return OperationalSummary(
        motivo_encerramento=facts.motive,
        servico_identificado=facts.service or _text(written.get("servico_identificado")),
        segmento=facts.segment or _text(written.get("segmento")),
        pontos_chave=_points(written.get("pontos_chave")) + tuple(facts.extra_requests),
        dados_coletados=dict(facts.data),
        proxima_acao=_text(written.get("proxima_acao")),
        resumo_texto=_text(written.get("resumo_texto")),
    )


def minimal_summary(facts: SummaryInput) -> OperationalSummary:
    """What is known without a model. It says that the summary failed, so that nobody waits for more."""
    return OperationalSummary(
        motivo_encerramento=facts.motive,
        servico_identificado=facts.service,
        segmento=facts.segment,
        pontos_chave=tuple(facts.extra_requests),
        dados_coletados=dict(facts.data),
        proxima_acao="Ler a conversa e continuar o atendimento.",
        resumo_texto="O resumo automático falhou. Os dados coletados acima estão corretos; leia a conversa.",
        failed=True,
    )


def _messages(facts: SummaryInput, instructions: str) -> list[dict[str, Any]]:
    known = {
        "motivo_encerramento": facts.motive,
        "servico_identificado": facts.service,
        "segmento": facts.segment,
        "dados_coletados": {name: str(value) for name, value in facts.data.items()},
        "pedidos_adicionais": list(facts.extra_requests),
    }
    talk = [{"papel": line.role, "texto": line.text} for line in facts.history]
    content = json.dumps({"fatos": known, "conversa": talk}, ensure_ascii=False)
    return [{"role": "system", "content": instructions}, {"role": "user", "content": content}]


def _read_object(raw: str) -> dict[str, Any] | None:
    """Pure JSON; a fence around it is tolerated."""
    try:
        value = json.loads(_FENCE.sub("", raw))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()[:_TEXT_MAX_CHARS]
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _points(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else [value]
    return tuple(text for item in items[:_POINTS_MAX] if (text := _text(item)))
