"""What each code does to a conversation, and what counts as progress."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.actions.action_mapping import Transition
from core.domain.actions import Agent
from core.domain.conversation import ConversationState
from core.domain.handoff import HandoffReason
from core.domain.reply import ReplyKind
from tests.cases.actions import (
    COLETA,
    IN_COLLECTION,
    IN_QUALIFICATION,
    IN_TRIAGE,
    QUALIFICACAO,
    QUALIFIED,
    QUALIFIED_VALUES,
    REGISTERED,
    TRIAGEM,
    act,
    fault,
)
from tests.cases.small_catalog import at, declined, known

# 1 and 3


def test_continue_stays_and_answers() -> None:
    transition = act(IN_QUALIFICATION, 1)
    assert transition == Transition(state=IN_QUALIFICATION)
    assert transition.kind is ReplyKind.ANSWER


def test_a_refusal_stays_and_is_no_progress() -> None:
    transition = act(IN_QUALIFICATION, 3, reason="out_of_scope")
    assert (transition.kind, transition.refused, transition.progress) == (ReplyKind.REFUSAL, True, False)
    assert transition.state == IN_QUALIFICATION


# 2

ADVANCES = [
    pytest.param(IN_TRIAGE, {"service": "alfa", "segment": "casa"}, QUALIFICACAO, id="service and segment given"),
    pytest.param(
        IN_TRIAGE, {"service": "Serviço Alfa", "segment": "INDUSTRIA"}, QUALIFICACAO, id="by name and synonym"
    ),
    pytest.param(at(TRIAGEM, service="alfa"), {"segment": "casa"}, QUALIFICACAO, id="the service was known"),
    pytest.param(at(TRIAGEM, service="alfa", segment="casa"), {}, QUALIFICACAO, id="both were known"),
    pytest.param(IN_TRIAGE, {"service": "beta"}, QUALIFICACAO, id="a service without segment"),
    pytest.param(IN_TRIAGE, {"service": "beta", "modelo": "x"}, COLETA, id="over a stage whose fields are known"),
    pytest.param(IN_TRIAGE, {"service": "gama"}, COLETA, id="over a stage that asks nothing"),
    pytest.param(IN_QUALIFICATION, {"tipo": "poço", "quantos": 3}, COLETA, id="qualified in this reply"),
]


@pytest.mark.parametrize(("state", "keys", "stage"), ADVANCES)
def test_advance_goes_to_the_next_stage_with_something_to_ask(
    state: ConversationState, keys: dict[str, Any], stage: Agent
) -> None:
    transition = act(state, 2, **keys)
    assert (transition.next_stage, transition.state.stage) == (stage, stage)
    assert (transition.progress, transition.completed, transition.handoff) == (True, False, None)


COMPLETIONS = [
    pytest.param(at(COLETA, service="alfa", segment="casa", **QUALIFIED, **REGISTERED), {}, id="from Coleta"),
    pytest.param(at(COLETA, service="alfa", **REGISTERED), {}, id="from Coleta, whatever an earlier stage lacks"),
    pytest.param(at(QUALIFICACAO, service="alfa", segment="casa", **REGISTERED), QUALIFIED_VALUES, id="nothing left"),
    pytest.param(at(TRIAGEM, **REGISTERED), {"service": "gama"}, id="from Triagem, nothing left"),
    pytest.param(at(COLETA, service="gama", **known(nome="L", cnpj="1"), **declined("email")), {}, id="with a refusal"),
]


@pytest.mark.parametrize(("state", "keys"), COMPLETIONS)
def test_advance_completes_the_work_when_nothing_is_left(state: ConversationState, keys: dict[str, Any]) -> None:
    transition = act(state, 2, **keys)
    assert transition.completed
    assert transition.handoff is not None
    assert transition.handoff.reason is HandoffReason.COMPLETED
    assert (transition.kind, transition.state.stage) == (ReplyKind.ANSWER, state.stage)


INCOMPLETE = [
    pytest.param(IN_TRIAGE, {}, "service", "serviço", id="no service"),
    pytest.param(IN_TRIAGE, {"service": "alfa"}, "segment", "segmento", id="no segment"),
    pytest.param(IN_TRIAGE, {"service": None}, "service", "serviço", id="null service"),
    pytest.param(IN_QUALIFICATION, {}, "tipo", "TIPO (tipo); QUANTOS (quantos)", id="nothing qualified"),
    pytest.param(IN_QUALIFICATION, {"tipo": "poço"}, "quantos", "QUANTOS (quantos)", id="half qualified"),
    pytest.param(IN_COLLECTION, {"nome": "L"}, "cpf", "CPF (cpf) ou CNPJ (cnpj); EMAIL (email)", id="no document"),
    pytest.param(IN_COLLECTION, {"nome": "L", "declined": ["cpf"]}, "cnpj", "CNPJ", id="the alternative is left"),
]


@pytest.mark.parametrize(("state", "keys", "field", "words"), INCOMPLETE)
def test_advance_with_something_missing_is_told_to_the_agent(
    state: ConversationState, keys: dict[str, Any], field: str, words: str
) -> None:
    error = fault(state, 2, **keys)
    assert (error.kind, error.field) == ("missing_field", field)
    assert words in error.reason


def test_an_unknown_service_is_told_with_those_that_there_are() -> None:
    error = fault(IN_TRIAGE, 2, service="delta")
    assert (error.kind, error.field, error.reason) == ("unknown_service", "service", "use um destes: alfa, beta, gama")


def test_an_unknown_segment_is_told_where_the_service_asks_for_one_and_dropped_elsewhere() -> None:
    error = fault(IN_TRIAGE, 2, service="alfa", segment="marte")
    assert (error.kind, error.field) == ("unknown_segment", "segment")
    transition = act(IN_TRIAGE, 2, service="beta", segment="marte")
    assert (transition.state.segment, transition.dropped_fields) == (None, ("segment",))


# 4


@pytest.mark.parametrize(
    ("state", "agent"), [(IN_QUALIFICATION, TRIAGEM), (IN_COLLECTION, TRIAGEM), (IN_COLLECTION, QUALIFICACAO)]
)
def test_return_goes_to_an_earlier_stage_and_keeps_the_data(state: ConversationState, agent: Agent) -> None:
    transition = act(state, 4, agent=agent.value)
    assert transition.state == replace(state, stage=agent)
    assert (transition.next_stage, transition.silent, transition.progress) == (agent, False, True)


@pytest.mark.parametrize(
    ("state", "agent"), [(IN_QUALIFICATION, COLETA), (IN_QUALIFICATION, QUALIFICACAO), (IN_COLLECTION, COLETA)]
)
def test_return_to_the_same_or_a_later_stage_is_told_to_the_agent(state: ConversationState, agent: Agent) -> None:
    error = fault(state, 4, agent=agent.value)
    assert (error.kind, error.field) == ("return_forward", "agent")


# 5 and 6


@pytest.mark.parametrize("state", [IN_TRIAGE, IN_QUALIFICATION, IN_COLLECTION])
def test_close_ends_the_session_with_an_answer(state: ConversationState) -> None:
    transition = act(state, 5, reason="cliente desistiu")
    assert (transition.closed, transition.kind, transition.handoff) == (True, ReplyKind.ANSWER, None)
    assert transition.state == state


@pytest.mark.parametrize("state", [IN_TRIAGE, IN_QUALIFICATION, IN_COLLECTION])
def test_handoff_escalates_with_the_agent_s_reason(state: ConversationState) -> None:
    transition = act(state, 6, reason="Segunda-via")
    assert transition.kind is ReplyKind.ESCALATION
    assert transition.handoff is not None
    assert (transition.handoff.reason, transition.handoff.detail) == (HandoffReason.AGENT_REQUESTED, "segunda_via")


@pytest.mark.parametrize("reason", ["a Lara Quintela pediu", "39053344705", "lara@exemplo.com.br", ""])
def test_a_reason_that_could_hold_a_customer_s_words_is_not_passed_on(reason: str) -> None:
    handoff = act(IN_TRIAGE, 6, reason=reason).handoff
    assert handoff is not None
    assert handoff.detail == "unspecified"


def test_a_refusal_of_a_field_does_not_keep_a_customer_from_leaving() -> None:
    transition = act(IN_COLLECTION, 5, declined=["nome"])
    assert (transition.closed, transition.handoff) == (True, None)


# 98


@pytest.mark.parametrize(
    ("state", "agent", "keys"),
    [
        pytest.param(IN_QUALIFICATION, TRIAGEM, {}, id="back"),
        pytest.param(IN_COLLECTION, TRIAGEM, {}, id="back by two"),
        pytest.param(at(TRIAGEM, service="alfa", segment="casa"), QUALIFICACAO, {}, id="forward, requirements known"),
        pytest.param(IN_TRIAGE, QUALIFICACAO, {"service": "beta"}, id="forward, requirements in the reply"),
        pytest.param(IN_TRIAGE, COLETA, {"service": "gama"}, id="forward by two"),
    ],
)
def test_reroute_silently_gives_the_message_to_another_agent(
    state: ConversationState, agent: Agent, keys: dict[str, Any]
) -> None:
    transition = act(state, 98, agent=agent.value, **keys)
    assert (transition.silent, transition.next_stage, transition.state.stage) == (True, agent, agent)


@pytest.mark.parametrize(
    ("state", "agent", "field"),
    [
        pytest.param(IN_TRIAGE, QUALIFICACAO, "service", id="no service"),
        pytest.param(at(TRIAGEM, service="alfa"), QUALIFICACAO, "segment", id="no segment"),
        pytest.param(IN_QUALIFICATION, COLETA, "tipo", id="not qualified"),
        pytest.param(at(TRIAGEM, service="alfa", segment="casa"), COLETA, "tipo", id="over an open stage"),
    ],
)
def test_reroute_forward_too_early_is_told_to_the_agent(state: ConversationState, agent: Agent, field: str) -> None:
    error = fault(state, 98, agent=agent.value)
    assert (error.kind, error.field) == ("reroute_too_early", field)


@pytest.mark.parametrize("state", [IN_TRIAGE, IN_QUALIFICATION, IN_COLLECTION])
def test_reroute_to_oneself_is_told_to_the_agent(state: ConversationState) -> None:
    assert fault(state, 98, agent=state.stage.value).kind == "reroute_same_agent"


# 99


def test_context_silently_adds_packages() -> None:
    transition = act(IN_TRIAGE, 99, context_needed=["company_info", "PRICES_POLICY"])
    assert (transition.silent, transition.packages) == (True, ("COMPANY_INFO", "PRICES_POLICY"))
    assert (transition.state.packages_served, transition.progress) == (("COMPANY_INFO", "PRICES_POLICY"), True)


def test_a_package_served_before_in_the_session_is_served_again_and_is_no_progress() -> None:
    state = replace(IN_TRIAGE, packages_served=("COMPANY_INFO",))
    transition = act(state, 99)
    assert (transition.packages, transition.progress) == (("COMPANY_INFO",), False)


def test_a_package_that_the_agent_already_has_is_not_added_twice() -> None:
    transition = act(IN_TRIAGE, 99, supplied=("COMPANY_INFO",))
    assert (transition.silent, transition.packages) == (True, ())


def test_an_unknown_package_is_told_with_those_that_there_are() -> None:
    error = fault(IN_TRIAGE, 99, context_needed=["COMPANY_INFO", "HOROSCOPE"])
    assert (error.kind, error.field) == ("unknown_package", "HOROSCOPE")
    assert error.reason == "use um destes: COMPANY_INFO, PRICES_POLICY, PREVIOUS_SESSION"


def test_the_previous_session_can_only_be_served_when_there_was_one() -> None:
    assert fault(IN_TRIAGE, 99, context_needed="PREVIOUS_SESSION").field == "PREVIOUS_SESSION"
    state = replace(IN_TRIAGE, previous_session="Pediu análise de água em outubro.")
    assert act(state, 99, context_needed="PREVIOUS_SESSION").packages == ("PREVIOUS_SESSION",)


# Citations and progress


def test_only_packages_that_were_supplied_can_be_cited() -> None:
    cited = ["prices_policy", "COMPANY_INFO", "PRICES_POLICY", "HOROSCOPE"]
    assert act(IN_TRIAGE, 1, citations=cited, supplied=("PRICES_POLICY",)).citations == ("PRICES_POLICY",)
    assert act(IN_TRIAGE, 1, citations=cited).citations == ()


@pytest.mark.parametrize(
    ("code", "keys", "progress"),
    [
        pytest.param(1, {}, False, id="words alone"),
        pytest.param(1, {"tipo": "poço"}, False, id="a value said again"),
        pytest.param(1, {"tipo": "rio"}, True, id="a corrected value"),
        pytest.param(1, {"nome": "Lara"}, True, id="a new value"),
        pytest.param(1, {"declined": ["email"]}, True, id="a refusal of a field"),
        pytest.param(1, {"service": "beta"}, True, id="another service"),
        pytest.param(1, {"cor": "azul"}, False, id="an unknown field"),
        pytest.param(1, {"extra_requests": ["solo"]}, False, id="a further request"),
        pytest.param(3, {}, False, id="a refusal"),
        pytest.param(4, {}, True, id="an earlier stage"),
        pytest.param(6, {}, False, id="a handoff"),
        pytest.param(99, {}, True, id="a package for the first time"),
    ],
)
def test_progress_is_a_value_a_refused_field_a_stage_or_a_package(
    code: int, keys: dict[str, Any], *, progress: bool
) -> None:
    assert act(IN_COLLECTION, code, **keys).progress is progress
