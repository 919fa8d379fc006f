"""Whole dialogues through the real prompts, catalogue, invoker and turn; the stand-in model plays the agent.

What is asserted is what a company would check afterwards: where the work stands, what is known, who has the conversation.
"""

from __future__ import annotations

import pytest

from core.agents.invoker import AgentInvokerImpl
from core.application.turn.decision import TurnOutcome
from core.domain.actions import Agent
from core.domain.conversation import EffectKind, Mode
from core.domain.handoff import HandoffReason
from core.domain.reply import ReplyKind
from core.domain.values.field_value import FieldStatus
from tests.desk import Desk
from tests.fakes.stand_in_model import StandInModel
from tests.neutral_company import catalog, prompts

REQUEST_TO_COLLECTION = (
    "Oi, bom dia! Vocês fazem instalação de ar-condicionado?",
    "É para uma loja",
    "Um split da marca Vento Norte",
    "São 3 aparelhos",
    "acabei de comprar",
    "ainda não sei os detalhes",
    "sim",
    "A loja fica em Contagem",
    "sem pressa",
)
CUSTOMER_DATA = (
    "Meu nome é Lara Quintela",
    "lara@vilaserena.example",
    "Administradora Vila Serena",
    "o CNPJ é 11.222.333/0001-81",
)


@pytest.fixture
def desk() -> Desk:
    """The company's desk with the stand-in model behind every call."""
    desk = Desk()
    model = StandInModel()
    desk.llm = model  # type: ignore[assignment]
    desk.invoker = AgentInvokerImpl(llm=model, prompts=prompts(), catalog=catalog(), models=desk.settings.models)
    return desk


def say(desk: Desk, *lines: str) -> None:
    for line in lines:
        desk.says(line)
        assert not any("{" in reply or "}" in reply for reply in desk.replies)


def known(desk: Desk) -> dict[str, object]:
    return {name: v.value for name, v in desk.state.fields.items() if v.status is FieldStatus.KNOWN}


def summary(desk: Desk) -> dict[str, object]:
    return next(e for e in desk.store.effects(desk.conversation) if e.kind is EffectKind.HANDOFF).payload["summary"]


def test_the_whole_way_ends_with_a_person_who_need_not_ask_again(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA)
    assert (desk.head.mode, desk.head.handoff_reason) == (Mode.HUMAN, HandoffReason.COMPLETED)
    assert desk.state.service == "instalacao_ar"
    assert known(desk)["numero_aparelhos"] == 3
    assert known(desk)["cnpj"] == "11222333000181"
    assert summary(desk)["dados_coletados"]["e-mail"] == "lara@vilaserena.example"
    assert [turn.stage_after for turn in desk.turns if turn.stage_before != turn.stage_after] == [
        Agent.QUALIFICACAO,
        Agent.COLETA,
    ]


def test_nothing_is_asked_twice(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA)
    questions = [reply for reply in desk.replies if "?" in reply]
    assert len(questions) == len(set(questions))


def test_a_burst_of_fragments_is_one_question_with_one_answer(desk: Desk) -> None:
    pointers = []
    for fragment in ("oi", "bom dia", "queria instalar um", "ar-condicionado", "é pra uma loja"):
        pointers.append(desk.record(desk.message(fragment)))
        desk.clock.advance(seconds=1)
    outcomes = [desk.process(pointer).outcome for pointer in pointers]
    assert outcomes == [TurnOutcome.ANSWERED, *[TurnOutcome.ALREADY_ANSWERED] * 4]
    assert len(desk.replies) == 1
    assert (desk.state.service, desk.state.segment) == ("instalacao_ar", "comercio")


def test_a_change_of_service_half_way_clears_what_belonged_to_the_old_one(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION[:4])
    assert known(desk)["numero_aparelhos"] == 3
    say(desk, "na verdade não é ar-condicionado, quero a manutenção de um ventilador")
    assert desk.state.service == "manutencao_ventilador"
    assert "numero_aparelhos" not in known(desk)
    assert desk.head.mode is Mode.BOT


def test_a_customer_who_will_not_give_the_cnpj_is_not_asked_again(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA[:3], "prefiro não informar CPF nem CNPJ")
    declined = {name for name, value in desk.state.fields.items() if value.status is FieldStatus.DECLINED}
    assert declined & {"cpf", "cnpj"}
    assert desk.head.mode is Mode.HUMAN
    assert not any("CNPJ" in reply for reply in desk.replies[-1:])


def test_an_off_topic_question_is_refused_and_the_work_goes_on(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION[:2], "quem ganhou o jogo ontem?")
    assert desk.last_turn.reply.kind is ReplyKind.REFUSAL
    assert desk.state.stage is Agent.QUALIFICACAO
    say(desk, *REQUEST_TO_COLLECTION[2:4])
    assert known(desk)["numero_aparelhos"] == 3


def test_a_price_question_gets_the_policy_and_no_number(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION[:2], "quanto custa?")
    assert "PRICES_POLICY" in desk.last_turn.packages
    assert "R$" not in desk.replies[-1]
    assert desk.head.mode is Mode.BOT


def test_two_services_in_one_message_are_one_at_a_time_and_none_is_forgotten(desk: Desk) -> None:
    say(desk, "quero instalar um ar-condicionado e também uma cortina na sala")
    assert desk.state.service in {"instalacao_ar", "montagem_cortina"}
    assert desk.state.extra_requests


def test_an_interpretation_is_refused(desk: Desk) -> None:
    say(desk, "o laudo do eletricista deu alterado, o que isso significa?")
    assert desk.last_turn.reply.kind in {ReplyKind.REFUSAL, ReplyKind.ESCALATION}


def test_who_comes_back_after_completion_is_with_the_person_until_handed_back(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA)
    assert desk.says("e o orçamento?").outcome is TurnOutcome.FORWARDED
    desk.clock.advance(hours=25)
    desk.sweep()
    say(desk, "oi, agora quero uma cortina")
    assert (desk.head.mode, desk.state.service) == (Mode.BOT, "montagem_cortina")
    assert known(desk)["email"] == "lara@vilaserena.example"
    assert "numero_aparelhos" not in known(desk)


def test_who_comes_back_after_a_close_gets_one_courtesy_then_a_new_session(desk: Desk) -> None:
    say(desk, "Oi, vocês montam cortina?", "tchau")
    assert desk.head.mode is Mode.CLOSED
    before = len(desk.replies)
    desk.says("obrigado")
    desk.says("valeu")
    assert len(desk.replies) == before + 1
    say(desk, "quero instalar ar-condicionado")
    assert (desk.head.mode, desk.state.service, desk.state.stage) == (Mode.BOT, "instalacao_ar", Agent.TRIAGEM)


def test_who_comes_back_after_the_sessions_end_begins_again_with_what_is_theirs(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA[:2])
    desk.clock.advance(hours=30)
    say(desk, "oi, voltei")
    assert (desk.state.stage, desk.state.service) == (Agent.TRIAGEM, None)
    assert known(desk)["nome"] == "Lara Quintela"
    assert desk.state.previous_session


def test_stages_whose_fields_are_known_are_skipped(desk: Desk) -> None:
    say(desk, *REQUEST_TO_COLLECTION, *CUSTOMER_DATA)
    desk.clock.advance(hours=25)
    desk.sweep()
    say(desk, *REQUEST_TO_COLLECTION)
    assert desk.head.handoff_reason == HandoffReason.COMPLETED
