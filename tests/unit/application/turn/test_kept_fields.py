"""Numbers are recycled and data ages: what a turn may still use of what a customer said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.turn.decision import TurnOutcome
from core.domain.conversation import Mode
from core.domain.head_transitions import paused_by_person
from core.domain.messages import Sender
from core.domain.policy import ConversationPolicy
from tests.desk import CUSTOMER, Desk

DAY_HOURS = 24
FORMER = Sender(phone=CUSTOMER.phone, name="Lara Quintela")
CPF, NAME = "529.982.247-25", "Lara Quintela"
SAID = f"quero instalar um ar split, sou {NAME}, CPF {CPF}"


def gives(**fields: str) -> str:
    inner = ",".join(f'"{name}":"{value}"' for name, value in fields.items())
    return f'{{"s":1,"service":"instalacao_ar",{inner}}}Certo, e para quando?'


def desk(*replies: str, **policy: Any) -> Desk:
    """The former owner of a number said who they are."""
    it = Desk(gives(nome=NAME, cpf=CPF), *replies, policy=ConversationPolicy(**policy))
    it.says(SAID, sender=FORMER)
    assert {"nome", "cpf"} <= it.state.fields.keys()
    return it


def told(it: Desk) -> str:
    """All that the agent was told in its last round."""
    request = it.agent.requests[-1]
    known = {name: value.value for name, value in request.known.items()}
    return f"{known} {request.previous_session} {[line.text for line in request.history]}"


@pytest.mark.parametrize("sender", [FORMER, Sender(phone=FORMER.phone, bsuid="BR.99", name="Rui Prado")])
def test_after_months_a_number_may_be_anothers_and_nothing_of_the_former_owner_is_told(sender: Sender) -> None:
    it = desk('{"s":1}Olá! Como posso ajudar?')
    it.clock.advance(hours=120 * DAY_HOURS)

    it.says("oi", sender=sender)

    assert not any(secret in told(it) for secret in (NAME, CPF, "52998224725"))
    assert it.state.fields == {}
    assert {"nome", "cpf"} <= it.state.set_aside.keys()


@pytest.mark.parametrize(("hours", "trusted"), [(90 * DAY_HOURS - 1, True), (90 * DAY_HOURS + 1, False)])
def test_within_the_days_of_trust_a_customer_is_known(hours: int, trusted: bool) -> None:
    it = desk('{"s":1}Olá!')
    it.clock.advance(hours=hours)

    it.says("oi", sender=FORMER)

    assert (NAME in told(it)) is trusted


def test_who_says_the_document_again_is_the_same_person_and_all_of_it_is_known() -> None:
    it = desk('{"s":1}Olá!', gives(cpf="529 982 247 25"), '{"s":1}Certo.')
    it.clock.advance(hours=120 * DAY_HOURS)
    it.says("oi", sender=FORMER)

    it.says("instalar ar, meu CPF é 529 982 247 25", sender=FORMER)
    it.says("pode ser", sender=FORMER)

    assert "nome" in it.agent.requests[-1].known
    assert it.state.set_aside == {}


@pytest.mark.parametrize(
    "shared", [{"nome": "lara  quintela"}, {"telefone": "(11) 98000-0101"}], ids=["the name", "the number itself"]
)
def test_what_a_new_owner_may_say_too_proves_nothing(shared: dict[str, str]) -> None:
    """Whoever has the number gives it for their own, and learns the former owner's name from those who ring."""
    it = Desk(gives(nome=NAME, cpf=CPF, telefone="(11) 98000-0101"), '{"s":1}Olá!', gives(**shared), '{"s":1}Certo.')
    it.says(f"{SAID}, telefone (11) 98000-0101", sender=FORMER)
    assert {"nome", "cpf", "telefone"} <= it.state.fields.keys()
    it.clock.advance(hours=120 * DAY_HOURS)
    it.says("oi", sender=FORMER)

    it.says(f"instalar ar, {' '.join(shared.values())}", sender=FORMER)
    it.says("pode ser", sender=FORMER)

    assert set(it.agent.requests[-1].known) == set(shared)
    assert "cpf" in it.state.set_aside


def test_who_says_otherwise_is_another_person_and_the_rest_stays_aside() -> None:
    it = desk('{"s":1}Olá!', gives(nome="Rui Prado"), '{"s":1}Certo.')
    it.clock.advance(hours=120 * DAY_HOURS)
    it.says("oi", sender=FORMER)

    it.says("instalar ar, sou Rui Prado", sender=FORMER)
    it.says("pode ser", sender=FORMER)

    assert it.state.fields["nome"].value == "Rui Prado"
    assert "cpf" not in it.agent.requests[-1].known
    assert set(it.state.set_aside) == {"cpf"}


def test_set_aside_outlives_sessions() -> None:
    it = desk(*['{"s":1}Olá!'] * 2)
    it.clock.advance(hours=120 * DAY_HOURS)
    it.says("oi", sender=FORMER)
    it.clock.advance(hours=48)

    it.says("oi de novo", sender=FORMER)

    assert NAME not in told(it)
    assert {"nome", "cpf"} <= it.state.set_aside.keys()


def test_what_people_gave_back_after_months_is_no_history_of_a_new_owner() -> None:
    it = desk('{"s":1}Olá!', handoff_idle_hours=1)
    head = it.head
    people = replace(head, mode=Mode.HUMAN, handoff_since_ms=it.clock.now_ms(), handoff_acknowledged=True)
    it.store.update_head(it.conversation, seen=head, head=people)
    it.clock.advance(hours=120 * DAY_HOURS)
    seen = it.head
    it.store.update_head(it.conversation, seen=seen, head=replace(seen, mode=Mode.BOT, handoff_since_ms=None))

    it.says("oi", sender=FORMER)

    assert NAME not in told(it)


def test_a_new_owner_who_answers_a_person_reads_nothing_of_the_former_one_once_the_bot_is_back() -> None:
    it = desk('{"s":1}Olá!')
    it.clock.advance(hours=120 * DAY_HOURS)
    seen = it.head
    it.store.update_head(
        it.conversation,
        seen=seen,
        head=paused_by_person(seen, spoke_ms=it.clock.now_ms(), idle_ms=DAY_HOURS * 3_600_000),
    )
    it.clock.advance(hours=20)
    assert it.says("quem é?", sender=FORMER).outcome is TurnOutcome.FORWARDED
    it.clock.advance(hours=5)
    it.sweep()

    it.says("oi", sender=FORMER)

    assert NAME not in told(it)
    assert it.state.service is None


# Retention


def test_a_field_ages_with_the_message_that_it_came_from_however_often_the_customer_writes() -> None:
    it = desk(*['{"s":1}Olá!'] * 8, retention_days=30)
    for _ in range(3):
        it.clock.advance(hours=9 * DAY_HOURS)
        it.says("oi", sender=FORMER)
        assert "cpf" in it.agent.requests[-1].known

    it.clock.advance(hours=4 * DAY_HOURS)
    it.says("oi", sender=FORMER)

    assert NAME not in told(it)
    assert it.state.fields == {}
