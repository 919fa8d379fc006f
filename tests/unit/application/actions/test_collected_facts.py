"""What a reply tells of the customer: values, refusals of fields, further requests, another service."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.actions.action_mapping import read_action
from core.domain.actions import ActionCode, Agent
from core.domain.handoff import HandoffReason
from core.domain.reply import ReplyKind
from core.domain.values.field_value import FieldStatus
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
    reply,
    values,
)
from tests.cases.small_catalog import at, declined, known

# Data


@pytest.mark.parametrize("code", [code for code in ActionCode if code is not ActionCode.RETURN])
@pytest.mark.parametrize("stage", Agent)
def test_any_data_map_is_legal_with_every_code(stage: Agent, code: ActionCode) -> None:
    state = at(stage, service="alfa", segment="casa", **QUALIFIED, **REGISTERED)
    target = TRIAGEM if stage is not TRIAGEM else QUALIFICACAO
    extra = {"agent": target.value} if code is ActionCode.REROUTE else {}
    for key in ("triage_data", "qualification_data", "collection_data"):
        after = act(state, code, **extra, **{key: {"detalhe": "raso"}}).state
        assert after.fields["detalhe"].value == "raso", key


def test_data_may_lie_flat_beside_the_reply_s_own_keys() -> None:
    action = read_action(
        reply(2, service="alfa", segment="casa", tipo="poço", kind="answer", rationale="x", message="y"), agent=TRIAGEM
    )
    assert action.data == {"tipo": "poço"}


def test_a_null_in_one_map_does_not_hide_a_value_in_another() -> None:
    action = read_action(reply(1, tipo="poço", qualification_data={"tipo": None}), agent=QUALIFICACAO)
    assert action.data == {"tipo": "poço"}


def test_service_and_segment_are_found_among_the_data_too() -> None:
    transition = act(IN_TRIAGE, 2, triage_data={"service": "alfa", "segment": "casa"})
    assert (transition.state.service, transition.state.segment, transition.next_stage) == ("alfa", "casa", QUALIFICACAO)
    assert transition.dropped_fields == ()


def test_unknown_fields_are_dropped_named_and_never_kept() -> None:
    transition = act(IN_QUALIFICATION, 1, matriz="solo", qualification_data={"tipo": "poço", "cor": "azul"})
    assert values(transition.state) == {"tipo": "poço"}
    assert transition.dropped_fields == ("matriz", "cor")


def test_a_key_that_looks_like_a_customer_s_words_is_not_named() -> None:
    transition = act(IN_QUALIFICATION, 1, qualification_data={"Lara Quintela": 1, "39053344705": 2})
    assert transition.dropped_fields == ("?",)


def test_a_field_is_known_by_its_id_whatever_the_case_and_separators() -> None:
    assert (
        values(act(IN_QUALIFICATION, 1, qualification_data={"Tipo": "poço", "QUANTOS": "3"}).state) == QUALIFIED_VALUES
    )


@pytest.mark.parametrize("empty", [None, "", "  ", [], {}, "null", "não informado"])
def test_null_and_empty_never_overwrite_a_known_value(empty: Any) -> None:
    transition = act(IN_COLLECTION, 1, qualification_data={"tipo": empty})
    assert transition.state.fields == IN_COLLECTION.fields
    assert not transition.progress


def test_a_correction_overwrites_and_is_known_to_come_from_the_newer_message() -> None:
    entry = act(IN_COLLECTION, 1, source="M#2", qualification_data={"tipo": "rio"}).state.fields["tipo"]
    assert (entry.value, entry.source) == ("rio", "M#2")


def test_a_value_said_again_keeps_the_message_that_it_first_came_from() -> None:
    entry = act(IN_COLLECTION, 1, source="M#2", qualification_data={"tipo": "poço"}).state.fields["tipo"]
    assert (entry.value, entry.source) == ("poço", "M#0")


def test_an_identifier_counts_only_when_the_customer_wrote_it() -> None:
    data = {"cpf": "390.533.447-05"}
    assert values(act(IN_COLLECTION, 1, written="cpf 39053344705", collection_data=data).state)["cpf"] == "39053344705"
    error = fault(IN_COLLECTION, 1, written="prefiro não dizer", collection_data=data)
    assert (error.kind, error.field) == ("invalid_value", "cpf")


@pytest.mark.parametrize(
    ("raw", "field"),
    [("390.533.447-05", "cpf"), ("11.222.333/0001-81", "cnpj"), ({"cnpj": "11222333000181"}, "cnpj")],
)
def test_a_number_under_its_group_s_name_goes_to_the_field_that_takes_it(raw: Any, field: str) -> None:
    written = "390.533.447-05 e 11.222.333/0001-81"
    kept = values(act(IN_COLLECTION, 1, written=written, collection_data={"documento": raw}).state)
    assert field in kept
    assert {"cpf", "cnpj"} - {field} == {"cpf", "cnpj"} - set(kept)


def test_a_number_that_no_field_of_its_group_takes_is_refused_once() -> None:
    assert fault(IN_COLLECTION, 1, written="123", collection_data={"documento": "123"}).field == "cpf"


@pytest.mark.parametrize("key", ["nome_completo", "nome do cliente", "nomeContato", "Nome"])
def test_a_word_that_changes_nothing_may_stand_beside_a_field_s_name(key: str) -> None:
    assert values(act(IN_COLLECTION, 1, collection_data={key: "Lara Quintela"}).state)["nome"] == "Lara Quintela"


@pytest.mark.parametrize("key", ["do_cliente", "completo", "", "-"])
def test_words_that_change_nothing_are_no_field_by_themselves(key: str) -> None:
    transition = act(IN_COLLECTION, 1, collection_data={key: "Lara"})
    assert transition.state.fields == IN_COLLECTION.fields


@pytest.mark.parametrize("empty", [{}, {"motivo": None}])
def test_a_group_without_a_number_is_no_value(empty: dict[str, Any]) -> None:
    assert act(IN_COLLECTION, 1, collection_data={"documento": empty}).state.fields == IN_COLLECTION.fields


def test_of_a_value_told_twice_the_good_one_is_taken_and_the_bad_one_is_no_fault() -> None:
    assert values(act(IN_COLLECTION, 1, quantos="muitos", dados={"quantos": 4}).state)["quantos"] == 4


def test_the_name_of_something_else_is_no_field_s_name() -> None:
    transition = act(IN_COLLECTION, 1, collection_data={"nome_da_fazenda": "Boa Vista", "cliente": "Lara"})
    assert "nome" not in transition.state.fields
    assert transition.dropped_fields == ("nome_da_fazenda", "cliente")


@pytest.mark.parametrize("code", [code for code in ActionCode if code is not ActionCode.HANDOFF])
def test_an_invalid_value_goes_back_to_the_agent_whatever_the_code(code: ActionCode) -> None:
    error = fault(IN_COLLECTION, code, qualification_data={"quantos": 99})
    assert (error.kind, error.field, error.reason) == ("invalid_value", "quantos", "precisa ser no máximo 10")


def test_what_was_good_in_a_faulty_reply_is_kept() -> None:
    error = fault(IN_TRIAGE, 2, service="alfa", segment="casa", tipo="poço", quantos="muitos", declined=["email"])
    assert error.kept is not None
    assert (error.kept.stage, error.kept.service, error.kept.segment) == (TRIAGEM, "alfa", "casa")
    assert values(error.kept) == {"tipo": "poço"}
    assert error.kept.fields["email"].status is FieldStatus.DECLINED


def test_several_faults_are_told_together() -> None:
    error = fault(IN_COLLECTION, 1, quantos=99, email="lara@", cpf="1")
    assert error.field == "quantos"
    assert "email: " in error.reason
    assert "cpf: " in error.reason


def test_an_error_never_repeats_what_the_customer_wrote() -> None:
    error = fault(IN_COLLECTION, 1, written="lara@exemplo", email="lara@exemplo", cpf="39053344706")
    assert "lara" not in str(error)
    assert "39053344706" not in str(error)


def test_nothing_stands_between_a_customer_and_a_person() -> None:
    transition = act(IN_COLLECTION, 6, quantos=99, service="delta", tipo="rio")
    assert transition.handoff is not None
    assert values(transition.state) == {"tipo": "rio", "quantos": 3}


def test_further_requests_are_kept_once_each_and_not_without_end() -> None:
    first = act(IN_QUALIFICATION, 1, extra_requests=["e também solo", " ", "E TAMBÉM SOLO"]).state
    second = act(first, 1, extra_requests=["um laudo antigo", "e também  solo"]).state
    assert second.extra_requests == ("e também solo", "um laudo antigo")
    flooded = act(second, 1, extra_requests=[f"pedido {n} " + "x" * 500 for n in range(50)]).state
    assert len(flooded.extra_requests) == 10
    assert max(map(len, flooded.extra_requests)) == 200


# Refusals of fields


def test_a_declined_field_is_kept_as_declined_with_its_message() -> None:
    transition = act(IN_COLLECTION, 1, source="M#7", declined=["email"])
    entry = transition.state.fields["email"]
    assert (entry.status, entry.value, entry.source) == (FieldStatus.DECLINED, None, "M#7")
    assert (transition.progress, transition.handoff) == (True, None)


def test_a_declined_field_may_be_given_later() -> None:
    state = replace(IN_COLLECTION, fields={**IN_COLLECTION.fields, **declined("nome")})
    assert values(act(state, 1, nome="Lara").state)["nome"] == "Lara"


def test_a_refusal_does_not_take_back_what_is_known() -> None:
    state = at(COLETA, service="alfa", segment="casa", **QUALIFIED, **REGISTERED)
    transition = act(state, 1, declined=["nome"])
    assert (transition.state, transition.progress) == (state, False)


def test_a_field_both_given_and_declined_in_one_reply_is_given() -> None:
    transition = act(IN_COLLECTION, 1, nome="Lara", declined=["nome"])
    assert values(transition.state)["nome"] == "Lara"
    assert transition.handoff is None


@pytest.mark.parametrize(
    ("before", "names", "detail"),
    [
        pytest.param({}, ["email"], None, id="accepted"),
        pytest.param({}, ["cpf"], None, id="an alternative is left"),
        pytest.param(declined("cpf"), ["cnpj"], "declined_cnpj", id="no alternative is left"),
        pytest.param({}, ["cpf", "cnpj"], "declined_cpf", id="all alternatives at once"),
        pytest.param({}, ["documento"], "declined_cpf", id="the group by its name"),
        pytest.param(known(cpf="39053344705"), ["cnpj"], None, id="the alternative is known"),
        pytest.param({}, ["nome"], "declined_nome", id="a person decides"),
        pytest.param({}, ["telefone"], None, id="nothing that was needed"),
    ],
)
def test_a_refusal_means_what_the_catalogue_says(before: dict[str, Any], names: list[str], detail: str | None) -> None:
    state = replace(IN_COLLECTION, fields={**IN_COLLECTION.fields, **before})
    transition = act(state, 1, declined=names)
    assert (transition.handoff and transition.handoff.detail) == detail
    if transition.handoff:
        assert (transition.handoff.reason, transition.kind) == (HandoffReason.AGENT_REQUESTED, ReplyKind.ESCALATION)


def test_a_refusal_that_only_a_person_can_settle_goes_before_what_is_missing() -> None:
    assert act(IN_COLLECTION, 2, declined=["nome"]).handoff is not None


def test_of_many_unknown_fields_the_first_twenty_are_named_each_once() -> None:
    names = [f"campo_{n}" for n in range(21)]
    named = act(IN_COLLECTION, 1, collection_data=dict.fromkeys(names, 1), declined=names).dropped_fields
    assert named == tuple(names[:20])


def test_declining_an_unknown_field_is_dropped() -> None:
    assert act(IN_COLLECTION, 1, declined=["signo"]).dropped_fields == ("signo",)


# A change of service


def test_a_change_of_service_clears_what_was_said_of_the_old_one_and_keeps_the_customer_s_own() -> None:
    state = at(TRIAGEM, service="alfa", segment="casa", **QUALIFIED, **REGISTERED, **declined("detalhe"))
    after = act(state, 2, service="beta").state
    assert (after.service, after.stage) == ("beta", QUALIFICACAO)
    assert dict(after.fields) == REGISTERED


def test_a_change_of_service_keeps_what_the_same_reply_says_of_the_new_one() -> None:
    state = at(TRIAGEM, service="alfa", segment="casa", **QUALIFIED)
    assert values(act(state, 1, service="beta", modelo="X", tipo="rio").state) == {"modelo": "X", "tipo": "rio"}


def test_naming_the_same_service_again_or_the_first_one_clears_nothing() -> None:
    assert values(act(at(TRIAGEM, **QUALIFIED), 1, service="alfa").state) == QUALIFIED_VALUES
    assert values(act(at(TRIAGEM, service="alfa", **QUALIFIED), 1, service="Serviço Alfa").state) == QUALIFIED_VALUES


@pytest.mark.parametrize(
    ("code", "service", "stage"),
    [(1, "beta", QUALIFICACAO), (3, "beta", QUALIFICACAO), (1, "gama", COLETA)],
)
def test_a_change_of_service_half_way_goes_back_to_what_the_new_one_still_asks(
    code: int, service: str, stage: Agent
) -> None:
    assert act(IN_COLLECTION, code, service=service).state.stage is stage


def test_a_change_of_service_half_way_does_not_complete_the_work_unasked() -> None:
    state = at(COLETA, service="alfa", segment="casa", **QUALIFIED, **REGISTERED)
    transition = act(state, 2, service="beta")
    assert (transition.completed, transition.next_stage) == (False, QUALIFICACAO)
