"""What a customer corrects after completion: kept like any other value, and on the card that people read."""

from __future__ import annotations

import json

import pytest

from core.domain.conversation import EffectKind, Mode
from core.domain.errors import LLMProviderError
from core.domain.handoff import HandoffReason
from core.domain.llm import LLMAttempt, LLMFailure
from tests.desk import Desk

ASKED = (
    "Oi, sou Lara Quintela, da Vila Serena, CNPJ 11.222.333/0001-81, lara@vilaserena.example. Quero arrumar 2 "
    "ventiladores de teto em Betim, em uma semana."
)
COMPLETE = json.dumps(
    {
        "s": 2,
        "service": "manutencao_ventilador",
        "triage_data": {
            "aparelho": "ventiladores de teto",
            "numero_aparelhos": 2,
            "cidade_do_servico": "Betim",
            "prazo": "em uma semana",
            "nome": "Lara Quintela",
            "empresa": "Vila Serena",
            "cnpj": "11.222.333/0001-81",
            "email": "lara@vilaserena.example",
        },
    }
)
CORRECTS = '{"s":1,"collection_data":{"numero_aparelhos":3}}Certo, são três.'


@pytest.fixture
def desk() -> Desk:
    desk = Desk(COMPLETE + "Ficou tudo anotado: 2 ventiladores. A equipe continua daqui.")
    desk.llm.script('{"resumo_texto":"Quer arrumar ventiladores."}')
    desk.says(ASKED)
    assert (desk.head.mode, desk.head.handoff_reason) == (Mode.HUMAN, HandoffReason.COMPLETED)
    return desk


def card(desk: Desk) -> dict[str, str]:
    effect = next(each for each in desk.store.effects(desk.conversation) if each.kind is EffectKind.HANDOFF)
    return dict(effect.payload["summary"]["dados_coletados"])


def number(desk: Desk) -> int:
    return int(str(desk.state.fields["numero_aparelhos"].value))


def test_a_correction_is_stored_and_people_read_it_without_a_word_to_the_customer(desk: Desk) -> None:
    assert "2" in card(desk).values()
    replies, desk_read = list(desk.replies), len(desk.sender.read_marks)
    desk.agent.script(CORRECTS)

    desk.says("são 3 e não 2")

    assert number(desk) == 3
    assert "3" in card(desk).values()
    assert (desk.replies, len(desk.sender.read_marks), desk.head.mode) == (replies, desk_read, Mode.HUMAN)


@pytest.mark.parametrize("text", ["obrigada!", "ok", "👍"])
def test_thanks_ask_no_model(desk: Desk, text: str) -> None:
    desk.says(text)

    assert desk.agent.calls == 1


@pytest.mark.parametrize(
    "reply",
    [
        "São três.",
        '{"s":1,"collection_data":{"numero_aparelhos":40}}Certo.',
        '{"s":98,"agent":"triagem"}',
        LLMProviderError("x", failure=LLMFailure.SERVER_ERROR, attempts=(LLMAttempt(number=1, latency_ms=1),)),
    ],
    ids=["no object", "not what was said", "silent", "no provider"],
)
def test_a_reply_of_no_use_leaves_the_message_with_people(desk: Desk, reply: str | Exception) -> None:
    desk.agent.script(reply)

    desk.says("são 3 e não 2")

    assert (desk.agent.calls, desk.head.mode, len(desk.replies)) == (2, Mode.HUMAN, 1)
    assert desk.head.pending == frozenset()


def test_a_message_whose_turns_keep_failing_asks_no_model(desk: Desk) -> None:
    pointer = desk.record(desk.message("são 3 e não 2"))
    desk.keeps_failing(pointer, "internal_error")

    desk.process(pointer)

    assert (desk.agent.calls, desk.head.pending) == (1, frozenset())


def test_after_any_other_handoff_no_model_is_asked() -> None:
    desk = Desk('{"s":6,"reason":"boleto"}Vou chamar alguém.')
    desk.llm.script('{"resumo_texto":"Boleto."}')
    desk.says("meu boleto veio errado")

    desk.says("o valor é 3 e não 2")

    assert desk.agent.calls == 1
