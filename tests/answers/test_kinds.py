"""Kinds of slips that no labelled row holds, at companies of several trades: what reaches the customer, what is kept."""

from __future__ import annotations

import pytest

from core.application.reply.egress_check import check_egress
from core.application.reply.transfer_check import announces_transfer
from core.domain.conversation import Mode
from core.domain.values.deferral import is_deferral
from tests.desk import Desk
from tests.shipped_companies import NAMES, PROMPTS_DIR, read_company

FINE = '{"s":1}Certo! O que você precisa?'


@pytest.mark.parametrize(
    "text",
    [
        *("null", "None", "N/A", '""', "[]", "{{", ".", "...", "---", "**", "(sem mensagem)", "[mensagem ao cliente]"),
        *("Vou usar s=2 agora", "[CONTINUE] Certo", "Agora sou o agente de qualificação", "&lt;b&gt;Certo&lt;/b&gt;"),
        *("De acordo com o pacote COMPANY_INFO, atendemos aqui.", "instalacao_ar anotado.", "Isso é out_of_scope."),
    ],
)
def test_what_says_nothing_or_speaks_of_the_system_is_asked_for_again(text: str) -> None:
    desk = Desk('{"s":1}' + text, FINE)
    desk.says("oi")

    assert desk.replies == ["Certo! O que você precisa?"]


@pytest.mark.parametrize("text", ["👍", "❤️", "Sim", "1", "😉", "São 3 kWh"])
def test_what_is_short_says_something(text: str) -> None:
    assert not check_egress(text).ask_again


@pytest.mark.parametrize("name", NAMES)
def test_a_company_may_ask_in_its_own_words(name: str) -> None:
    company = read_company(PROMPTS_DIR, name)
    for spec in company.catalog.fields:
        desk = Desk('{"s":1}' + spec.question, FINE, company=company)
        desk.says("oi")

        assert desk.agent.calls == 1, spec.id


@pytest.mark.parametrize(
    "text",
    [
        "I am transferring you to a human agent now.",
        "I'll connect you with our team.",
        "Te paso con una persona del equipo ahora mismo.",
    ],
)
def test_a_transfer_is_one_in_the_customers_language(text: str) -> None:
    assert announces_transfer(text)


@pytest.mark.parametrize("text", ["quanto demora?", "qto demora?", "e quanto demora", "quanto que demora"])
def test_a_question_of_how_long_is_the_agents(text: str) -> None:
    desk = Desk(FINE)
    desk.says(text)

    assert desk.agent.calls == 1


@pytest.mark.parametrize(
    "text", ["remove meu número por favor", "Stop please", "cancelar inscrição", "tirem meu contato daí"]
)
def test_stop_is_heard_in_its_shorter_forms(text: str) -> None:
    assert Desk().says(text).outcome == "opt_out"


@pytest.mark.parametrize(
    "text",
    [
        "avisar quando ele comer",
        "mandar foto de noite",
        "olhar ele de noite",
        "saber se dá pra beber",
        "saber para vender",
    ],
)
def test_what_somebody_else_shall_do_is_a_value(text: str) -> None:
    assert not is_deferral(text)


@pytest.mark.parametrize(
    "text", ["a lista eu mando depois", "vou ver com o síndico", "te passo amanhã", "depois envio"]
)
def test_what_the_customer_puts_off_is_none(text: str) -> None:
    assert is_deferral(text)


def test_keys_in_camel_case_are_read() -> None:
    desk = Desk('{"s":1,"service":"manutencao_ventilador","triageData":{"numeroAparelhos":3}}Certo. Em que cidade?')
    desk.says("arrumar 3 ventiladores")

    assert desk.state.fields["numero_aparelhos"].value == 3


def test_what_was_good_in_two_refused_replies_is_kept_for_people() -> None:
    faulty = '{"s":1,"service":"manutencao_ventilador","triage_data":{"aparelho":"ventilador","numero_aparelhos":"2 ou 3"}}Ok.'
    desk = Desk(faulty, faulty)
    desk.llm.script("{}")
    desk.says("arrumar ventilador, são 2 ou 3")

    assert desk.head.mode is Mode.HUMAN
    assert desk.state.service == "manutencao_ventilador"
    assert desk.state.fields["aparelho"].value == "ventilador"
