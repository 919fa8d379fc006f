"""Bytes of a prompt that are the same from turn to turn of one agent ÷ its bytes before history.

Two turns of one conversation: nothing known and nothing said yet, then a conversation under way with its facts. The
worst agent counts. What is compared is what the provider's cache compares: the beginning of the input.
"""

from __future__ import annotations

from itertools import takewhile

from core.agents.prompt_assembly import PromptAssembler
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.values.field_value import FieldStatus, FieldValue
from tests.neutral_company import catalog, prompts

LIMITS = {"prompt_prefix": 0.90}
AT_LEAST = frozenset({"prompt_prefix"})
_KNOWN = {
    "aparelho": FieldValue(status=FieldStatus.KNOWN, value="split de 12 mil BTU"),
    "numero_aparelhos": FieldValue(status=FieldStatus.KNOWN, value=3),
    "motivo": FieldValue(status=FieldStatus.KNOWN, value="aparelho_novo"),
    "cidade_do_servico": FieldValue(status=FieldStatus.KNOWN, value="Contagem"),
    "detalhes": FieldValue(status=FieldStatus.DECLINED),
}


def measure() -> dict[str, float]:
    """`prompt_prefix`, of the worst agent."""
    assembler = PromptAssembler(prompts(), catalog())
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
        service="instalacao_ar" if under_way else None,
        segment="comercio" if under_way else None,
        known=_KNOWN if under_way else {},
        packages=(),
        history=(HistoryLine(role="user", text="oi"),) if under_way else (),
        pending_text="oi",
    )
