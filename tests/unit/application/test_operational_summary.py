"""The summary that people read, and what the ledger says of the call that wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.application.journal import TurnJournal
from core.application.operational_summary import SummaryInput, generate_operational_summary
from core.domain.agent_call import HistoryLine
from core.domain.handoff import OperationalSummary
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose, ModelRef
from tests.fakes.llm_client import FakeLLMClient, unreachable

WRITTEN = {
    "servico_identificado": "o que o modelo leu",
    "segmento": "o que o modelo leu",
    "pontos_chave": ["tem pressa"],
    "proxima_acao": " Ligar. ",
    "resumo_texto": "Quer um laudo.",
}


def facts(**changes: Any) -> SummaryInput:
    given: dict[str, Any] = {
        "motive": "o assunto é de uma pessoa: boleto",
        "service": "Análise de água",
        "segment": "Condomínio",
        "data": {"pontos": 3},
        "history": (HistoryLine(role="user", text="oi"),),
        "extra_requests": ("solo",),
    }
    return SummaryInput(**given | changes)


def summary(reply: Any, **changes: Any) -> tuple[OperationalSummary, list[CallOutcome]]:
    llm, journal = FakeLLMClient(reply), TurnJournal(lambda _model: None)
    written = generate_operational_summary(
        facts(**changes),
        llm=llm,
        route=(ModelRef(provider="openai", model="m"),),
        instructions="Resuma.",
        timeout_seconds=9,
        journal=journal,
    )
    assert [call.purpose for call in llm.calls] == [CallPurpose.SUMMARY]
    return written, [call.outcome for call in journal.calls]


def test_typed_facts_stand_whatever_the_model_wrote() -> None:
    written, outcomes = summary(json.dumps(WRITTEN))

    assert written == OperationalSummary(
        motivo_encerramento="o assunto é de uma pessoa: boleto",
        servico_identificado="Análise de água",
        segmento="Condomínio",
        pontos_chave=("tem pressa", "solo"),
        dados_coletados={"pontos": 3},
        proxima_acao="Ligar.",
        resumo_texto="Quer um laudo.",
    )
    assert outcomes == [CallOutcome.USED]


def test_what_nobody_knew_is_what_the_model_read() -> None:
    written, _ = summary(json.dumps(WRITTEN), service="", segment="")

    assert (written.servico_identificado, written.segmento) == ("o que o modelo leu", "o que o modelo leu")


@pytest.mark.parametrize("fence", ["```json\n%s\n```", "~~~\n%s\n~~~", "  ```\n%s```  "])
def test_a_fence_around_the_object_is_no_fault(fence: str) -> None:
    written, outcomes = summary(fence % json.dumps(WRITTEN))

    assert (written.failed, outcomes) == (False, [CallOutcome.USED])


@pytest.mark.parametrize("reply", ["Segue o resumo.", "[]", '"texto"', "", "[" * 100_000])
def test_what_is_no_object_is_paid_for_and_told_as_unreadable(reply: str) -> None:
    written, outcomes = summary(reply)

    assert (written.failed, outcomes) == (True, [CallOutcome.UNPARSEABLE])
    assert (written.servico_identificado, written.pontos_chave, written.dados_coletados) == (
        "Análise de água",
        ("solo",),
        {"pontos": 3},
    )


def test_a_call_that_failed_leaves_the_facts_and_its_attempt() -> None:
    written, outcomes = summary(unreachable())

    assert (written.failed, outcomes) == (True, [CallOutcome.FAILED])
    assert written.motivo_encerramento == "o assunto é de uma pessoa: boleto"


@pytest.mark.parametrize(
    ("points", "kept"),
    [
        ("um só", ("um só",)),
        ([1, 2.5, True, None, {}, " ", "a"], ("1", "2.5", "a")),
        ([str(n) for n in range(20)], tuple(str(n) for n in range(12))),
        (None, ()),
    ],
)
def test_points_of_any_shape_are_a_short_list_of_texts(points: Any, kept: tuple[str, ...]) -> None:
    written, _ = summary(json.dumps({**WRITTEN, "pontos_chave": points}), extra_requests=())

    assert written.pontos_chave == kept


def test_a_text_without_end_is_cut() -> None:
    written, _ = summary(json.dumps({**WRITTEN, "resumo_texto": "a" * 5_000}))

    assert written.resumo_texto == "a" * 2_000


def test_the_model_is_told_the_facts_and_the_talk() -> None:
    llm = FakeLLMClient("{}")
    generate_operational_summary(
        facts(),
        llm=llm,
        route=(ModelRef(provider="openai", model="m"),),
        instructions="Resuma.",
        timeout_seconds=9,
        journal=TurnJournal(lambda _m: None),
    )

    (call,) = llm.calls
    assert call.messages[0] == {"role": "system", "content": "Resuma."}
    assert json.loads(call.messages[1]["content"]) == {
        "fatos": {
            "motivo_encerramento": "o assunto é de uma pessoa: boleto",
            "servico_identificado": "Análise de água",
            "segmento": "Condomínio",
            "dados_coletados": {"pontos": "3"},
            "pedidos_adicionais": ["solo"],
        },
        "conversa": [{"papel": "user", "texto": "oi"}],
    }
    assert call.timeout_seconds == 9
