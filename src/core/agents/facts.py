"""The facts block: what the conversation knows, as JSON within `<fatos>` (contract.md, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from core.agents.untrusted_text import json_data
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest
from core.domain.catalogue.catalog import PREVIOUS_SESSION, SEGMENT, SERVICE, Catalog, FieldSpec, missing_fields
from core.domain.conversation import ConversationState
from core.domain.values.field_value import FieldScalar, FieldStatus

_STAGES = tuple(Agent)


def facts_text(request: AgentRequest, catalog: Catalog) -> str:
    """Keys in a fixed order; those that hold nothing are left out, but for `faltam`."""
    state = ConversationState(service=request.service, segment=request.segment, fields=request.known)
    known: dict[str, Any] = {}
    declined: list[str] = []
    for name, entry in request.known.items():
        if entry.status is FieldStatus.DECLINED:
            declined.append(name)
        elif entry.value is not None:
            known[name] = _plain(entry.value)
    facts = {
        "agente": request.agent.value,
        "servico": request.service,
        "segmento": request.segment,
        "conhecidos": known,
        "recusados": declined,
        "faltam": [*_choices(request, catalog), *_questions(missing_fields(catalog, state, request.agent))],
        "proxima_etapa": _next_stage(request, catalog, state),
        "observacoes": request.observations,
        "outros_pedidos": request.extra_requests,
        "sessao_anterior": bool(request.previous_session) and PREVIOUS_SESSION not in request.packages,
    }
    told = {key: value for key, value in facts.items() if value or key == "faltam"}
    return f"<fatos>\n{json_data(told)}\n</fatos>"


def _choices(request: AgentRequest, catalog: Catalog) -> list[str]:
    """Triagem's own work: `service`, then `segment` where the service asks for one. It words the question itself."""
    if request.agent is not Agent.TRIAGEM:
        return []
    service = catalog.service(request.service)
    if service is None:
        return [SERVICE]
    return [SEGMENT] if service.asks_segment and request.segment is None else []


def _questions(missing: Sequence[FieldSpec]) -> list[str | list[str]]:
    """One entry a question: a field, or the alternatives of a group. How it is asked stands in the catalogue."""
    groups: dict[str, list[str]] = {}
    for spec in missing:
        groups.setdefault(spec.one_of or spec.id, []).append(spec.id)
    return [names[0] if len(names) == 1 else names for names in groups.values()]


def _next_stage(request: AgentRequest, catalog: Catalog, state: ConversationState) -> dict[str, str] | None:
    """The first later stage that still asks something, with its first question; None while no service is known."""
    if request.service is None:
        return None
    for stage in _STAGES[_STAGES.index(request.agent) + 1 :]:
        if missing := missing_fields(catalog, state, stage):
            return {"agente": stage.value, "primeira_pergunta": missing[0].question}
    return None


def _plain(value: FieldScalar) -> str | int | float | bool:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
