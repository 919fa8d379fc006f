"""Bytes of a prompt that are the same from turn to turn of one agent ÷ its bytes before history.

Two turns of one conversation: nothing known and nothing said yet, then a conversation under way with its facts. The
worst agent counts. What is compared is what the provider's cache compares: the beginning of the input.
"""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from core.agents.prompt_assembly import PromptAssembler
from core.config.catalog_file import load_catalog
from core.config.prompt_files import load_prompts
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.values.field_value import FieldStatus, FieldValue

LIMITS = {"prompt_prefix": 0.90}
AT_LEAST = frozenset({"prompt_prefix"})
PROMPTS_DIR = Path(__file__).resolve().parents[1] / "prompts"
COMPANY_DIR = PROMPTS_DIR / "companies" / "laboratorio"
_KNOWN = {
    "tipo_amostra": FieldValue(status=FieldStatus.KNOWN, value="água de poço"),
    "numero_amostras": FieldValue(status=FieldStatus.KNOWN, value=3),
    "finalidade": FieldValue(status=FieldStatus.KNOWN, value="potabilidade"),
    "municipio_coleta": FieldValue(status=FieldStatus.KNOWN, value="Campinas"),
    "parametros": FieldValue(status=FieldStatus.DECLINED),
}


def measure() -> dict[str, float]:
    """`prompt_prefix`, of the worst agent."""
    assembler = PromptAssembler(load_prompts(PROMPTS_DIR, COMPANY_DIR), load_catalog(COMPANY_DIR / "catalog.toml"))
    return {"prompt_prefix": min(_share(assembler, agent) for agent in Agent)}


def _share(assembler: PromptAssembler, agent: Agent) -> float:
    first, later = (_before_history(assembler, _request(agent, under_way=each)) for each in (False, True))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, later, strict=False)))
    return same / max(len(first), len(later))


def _before_history(assembler: PromptAssembler, request: AgentRequest) -> bytes:
    """What an agent is told before the first line of the conversation."""
    without = AgentRequest(
        agent=request.agent,
        service=request.service,
        segment=request.segment,
        known=request.known,
        packages=request.packages,
        history=(),
        pending_text="",
    )
    told = assembler.assemble(without)[:-2]  # less the reminder and the pending messages, which follow history
    return "\x1e".join(str(message["content"]) for message in told).encode()


def _request(agent: Agent, *, under_way: bool) -> AgentRequest:
    return AgentRequest(
        agent=agent,
        service="analise_agua" if under_way else None,
        segment="condominio" if under_way else None,
        known=_KNOWN if under_way else {},
        packages=(),
        history=(HistoryLine(role="user", text="oi"),) if under_way else (),
        pending_text="oi",
    )
