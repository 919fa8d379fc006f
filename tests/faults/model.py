"""The model at the line's other end: it answers the questions that it is shown, by number, and takes its time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from core.domain.llm import CallPurpose, LLMCallResult
from tests.fakes.clock import FakeClock
from tests.fakes.llm_client import result_of

THINKS_MS = 700
SUMMARY = json.dumps({"resumo_texto": "Cliente com perguntas.", "proxima_acao": "Responder."})

_EVERYTHING = (
    "Oi, sou Lara Quintela, da Vila Serena, CNPJ 11.222.333/0001-81, lara@vilaserena.example. Quero arrumar 2 "
    "ventiladores de teto em Betim, em uma semana."
)
_QUESTION = re.compile(r"pergunta (\d+)")

# What an agent says to the questions of a turn.
Agent = Callable[[Sequence[int]], str]


def question(number: int) -> str:
    """What customers ask here; the model, and who checks it, knows a question by its number."""
    return f"tenho a pergunta {number}: como funciona a visita para o aparelho {number}?"


def plainly(numbers: Sequence[int]) -> str:
    """The usual answer."""
    return '{"s":1}' + answer(numbers)


def says_all(number: int) -> str:
    """A question of somebody who says all that is asked for a quote."""
    return f"{question(number)} {_EVERYTHING}"


def completes(_numbers: Sequence[int]) -> str:
    """The agent has all that it asks for."""
    given = {
        "aparelho": "ventiladores de teto",
        "numero_aparelhos": 2,
        "cidade_do_servico": "Betim",
        "prazo": "em uma semana",
        "nome": "Lara Quintela",
        "empresa": "Vila Serena",
        "cnpj": "11.222.333/0001-81",
        "email": "lara@vilaserena.example",
    }
    asked = {"s": 2, "service": "manutencao_ventilador", "triage_data": given}
    return json.dumps(asked) + "Ficou tudo anotado. A equipe continua daqui."


def answer(numbers: Sequence[int]) -> str:
    """The text for the customer."""
    return f"Sobre {', '.join(map(str, numbers))}: funciona assim, por etapas."


class PlayedModel:
    """Implements `LLMClient`. `calls` counts what was asked, `agent_calls` all but summaries; `while_thinking` happens once, during the next answer."""

    def __init__(self, clock: FakeClock, agent: Agent = plainly) -> None:
        self.calls = self.agent_calls = 0
        self.agent = agent
        self.while_thinking: Callable[[], object] | None = None
        self._clock = clock

    def chat(
        self, *, model: str, messages: Sequence[dict[str, Any]], purpose: CallPurpose, **_rest: Any
    ) -> LLMCallResult:
        self.calls += 1
        self.agent_calls += purpose is not CallPurpose.SUMMARY
        self._clock.advance(THINKS_MS)
        happens, self.while_thinking = self.while_thinking, None
        if happens is not None:
            happens()
        return result_of(self._reply(messages, purpose), model=model)

    def _reply(self, messages: Sequence[dict[str, Any]], purpose: CallPurpose) -> str:
        if purpose is CallPurpose.SUMMARY:
            return SUMMARY
        numbers = [int(number) for number in _QUESTION.findall(str(messages[-1]["content"]))]
        if purpose is CallPurpose.REPAIR:
            return plainly(asked_in(messages))
        return self.agent(numbers)


def asked_in(messages: Sequence[dict[str, Any]]) -> list[int]:
    """The questions that a broken reply, shown for its repair, speaks of."""
    found = re.search(r"Sobre ([\d, ]+):", json.dumps(messages[-1], ensure_ascii=False))
    return [int(number) for number in found[1].split(",")] if found else []
