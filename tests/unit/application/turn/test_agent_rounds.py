"""How often an agent may be silent, what each round brings, what an answer leaves behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.actions import Agent
from core.domain.handoff import HandoffReason
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose
from core.integrations.dynamodb import codec
from tests.desk import Desk

HELLO = '{"s":1}Olá! Como posso ajudar?'
ASKS = [f'{{"s":99,"context_needed":"{name}"}}' for name in ("COMPANY_INFO", "SERVICES", "VISITS", "PRICES_POLICY")]
REFUSES = '{"s":3,"reason":"out_of_scope"}Isso eu não consigo.'
FAULTY = '{"s":1,"service":"nada_disso"}Certo.'


@pytest.mark.parametrize(("silent", "answered"), [(3, True), (4, False)])
def test_three_silent_rounds_are_answered_and_a_fourth_goes_to_a_person(silent: int, answered: bool) -> None:
    desk = Desk(*ASKS[:silent], HELLO)

    result = desk.says("oi")

    assert result.reason == ("" if answered else HandoffReason.SILENT_LOOP_EXCEEDED.value)
    assert desk.agent.calls == 4
    assert [request.round for request in desk.agent.requests] == [1, 2, 3, 4]
    purposes = [request.purpose for request in desk.agent.requests]
    assert purposes == [CallPurpose.AGENT, *[CallPurpose.CONTEXT_ROUND] * 3]


def test_each_round_is_told_what_the_earlier_ones_asked_for() -> None:
    desk = Desk(*ASKS[:2], HELLO)

    desk.says("oi")

    assert [request.packages for request in desk.agent.requests] == [
        (),
        ("COMPANY_INFO",),
        ("COMPANY_INFO", "SERVICES"),
    ]
    assert desk.last_turn.packages == ("COMPANY_INFO", "SERVICES")
    assert desk.state.packages_served == ("COMPANY_INFO", "SERVICES")
    assert [call.outcome for call in desk.last_turn.calls] == [
        CallOutcome.SILENT,
        CallOutcome.SILENT,
        CallOutcome.USED,
    ]


def test_an_agent_that_asks_for_what_it_has_is_told_so() -> None:
    desk = Desk(ASKS[0], ASKS[0], HELLO)

    desk.says("oi")

    first, second, third = desk.agent.requests
    assert (first.observations, second.observations) == ((), ())
    assert len(third.observations) == 1


def refused(desk: Desk, times: int) -> list[str]:
    desk.agent.script(*[REFUSES] * times)
    return [desk.says(f"pergunta {n}").reason for n in range(times)]


def test_the_third_refusal_running_goes_to_a_person() -> None:
    desk = Desk()

    assert refused(desk, 3) == ["", "", HandoffReason.REFUSALS.value]
    assert desk.replies[-1].startswith("Isso eu não consigo.")


def test_an_answer_between_refusals_begins_the_count_anew() -> None:
    desk = Desk()
    refused(desk, 2)
    assert desk.state.refusals_running == 2
    desk.agent.script(HELLO)
    desk.says("e isto?")

    assert desk.state.refusals_running == 0
    assert refused(desk, 2) == ["", ""]


def test_a_turn_without_progress_is_counted_and_progress_begins_anew() -> None:
    desk = Desk(HELLO, HELLO, '{"s":1,"service":"instalacao_ar"}Ar de quantos BTU?')
    counted = []
    for text in ("oi", "então", "água"):
        desk.says(text)
        counted.append(desk.state.guard.turns_without_progress)

    assert counted == [1, 2, 0]


def test_progress_forgets_that_a_loop_was_named_and_nothing_else_does() -> None:
    desk = Desk(HELLO, HELLO, '{"s":1,"service":"instalacao_ar"}Ar de quantos BTU?')
    desk.says("oi")
    state = replace(desk.state, guard=replace(desk.state.guard, loop_answers=1))
    desk.store._put(codec.state_to_item(desk.conversation, state))

    desk.says("então")
    assert desk.state.guard.loop_answers == 1
    desk.says("água")
    assert desk.state.guard.loop_answers == 0


def test_a_fault_of_state_costs_one_call_and_is_told_once() -> None:
    desk = Desk(FAULTY, HELLO)

    assert desk.says("oi").outcome == "answered"

    first, second = desk.agent.requests
    assert (first.purpose, second.purpose) == (CallPurpose.AGENT, CallPurpose.ACTION_RETRY)
    assert (second.round, len(second.observations)) == (1, 1)
    assert [call.outcome for call in desk.last_turn.calls] == [CallOutcome.REJECTED, CallOutcome.USED]
    assert desk.state.stage is Agent.TRIAGEM


@pytest.mark.parametrize(("silent", "reason"), [(3, ""), (4, HandoffReason.SILENT_LOOP_EXCEEDED.value)])
def test_a_fault_is_no_silent_round(silent: int, reason: str) -> None:
    desk = Desk(FAULTY, *ASKS[:silent], HELLO)

    assert desk.says("oi").reason == reason


def test_debris_of_a_reply_never_reaches_the_customer() -> None:
    desk = Desk('{"s":1}}Olá!', '{"s":1}Tudo certo.')

    desk.says("oi")
    desk.says("e então")

    assert desk.replies == ["Olá!", "Tudo certo."]
    assert desk.turns[0].egress_findings == ("leading_debris",)


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        ('{"s":1,"service":"nada_disso"}Certo.', "service"),
        ('{"s":1,"collection_data":{"cpf":"11111111111"}}Certo.', "cpf"),
        ('{"s":99,"context_needed":"SEGREDO_DO_CLIENTE"}', None),
    ],
    ids=["the contract's", "the catalogue's", "made up"],
)
def test_a_fault_of_state_is_logged_by_the_names_that_we_know(
    caplog: pytest.LogCaptureFixture, reply: str, field: str | None
) -> None:
    Desk(reply, HELLO).says("11111111111")

    told = [vars(record)["field"] for record in caplog.records if record.message == "action_error"]
    assert told == [field]


def test_what_was_good_in_a_faulty_reply_is_known_in_the_next_round_and_is_progress() -> None:
    desk = Desk('{"s":1,"service":"nada_disso","collection_data":{"nome":"Lia Prado"}}Certo.', HELLO)

    desk.says("sou a Lia Prado")

    first, second = desk.agent.requests
    assert "nome" not in first.known
    assert second.known["nome"].value == desk.state.fields["nome"].value == "Lia Prado"
    assert desk.state.guard.turns_without_progress == 0
