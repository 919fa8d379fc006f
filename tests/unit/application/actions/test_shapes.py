"""Outer shapes with one plain meaning are taken from where they are; nothing of them costs a call."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.application.actions.action_mapping import keep_facts, named_code, read_action
from core.application.parser import ParsedLLMResponse
from core.domain.actions import ActionCode
from core.domain.errors import ActionError
from core.domain.values.field_value import FieldStatus
from tests.cases.actions import (
    CATALOG,
    COLETA,
    IN_COLLECTION,
    IN_QUALIFICATION,
    IN_TRIAGE,
    QUALIFICACAO,
    TRIAGEM,
    act,
    fault,
    reply,
    values,
)

DATA = [
    pytest.param({"qualification_data": {"quantos": "3"}}, id="a number as text"),
    pytest.param({"qualification_data": {"quantos": ["três"]}}, id="a list of one"),
    pytest.param({"qualification_data": {"quantos": {"valor": 3}}}, id="an object of one"),
    pytest.param({"qualification_data": {"alfa": {"quantos": 3}}}, id="one level too deep"),
    pytest.param({"qualification_data": {"alfa": {"dados": {"quantos": 3}}}}, id="two levels too deep"),
    pytest.param({"qualification_data": [{"quantos": 3}]}, id="a list of one object"),
    pytest.param({"qualification_data": [{"campo": "quantos", "valor": 3}]}, id="field and value"),
    pytest.param({"qualification_data": '{"quantos": 3}'}, id="an object as text"),
    pytest.param({"qualification_data": {"qualification_data": {"quantos": 3}}}, id="the map within itself"),
    pytest.param({"collection_data": {"quantos": 3}}, id="another agent's map"),
    pytest.param({"triage_data": {"Quantos": 3}}, id="a capital letter"),
    pytest.param({"dados_qualificacao": {"quantos": 3}}, id="the map in Portuguese"),
    pytest.param({"payload": {"qualification_data": {"quantos": 3}}}, id="an envelope"),
    pytest.param({"quantos": 3, "qualification_data": None}, id="flat"),
    pytest.param({"a": {"b": {"c": {"d": {"quantos": 3}}}}}, id="four envelopes"),
    pytest.param({"qualification_data": [{"quantos": 3}, {"quantos": 3}]}, id="said twice in a list"),
    pytest.param({"qualification_data": '{"quantos": 3}'.ljust(20_000)}, id="an object as a text of 20,000 characters"),
    pytest.param({"quantos": 3, "qualification_data": {"quantos": None}}, id="a blank in the map does not hide it"),
    pytest.param({"quantos": 3, "qualification_data": {"QUANTOS": "muitos"}}, id="one spelling good, one not"),
]


@pytest.mark.parametrize("keys", DATA)
def test_a_value_is_taken_from_where_it_is(keys: dict[str, Any]) -> None:
    assert values(act(IN_QUALIFICATION, 1, **keys).state) == {"quantos": 3}


NOT_DATA = [
    pytest.param({"a": {"b": {"c": {"d": {"e": {"quantos": 3}}}}}}, id="five envelopes"),
    pytest.param({"qualification_data": '{"quantos": 3}'.ljust(20_001)}, id="an object as a text of 20,001 characters"),
    pytest.param({"qualification_data": "quantos: 3"}, id="a text that is no object"),
    pytest.param({"qualification_data": '{"quantos": 3'}, id="an object as text, cut"),
    pytest.param({"qualification_data": [{"quantos": 3}, {"quantos": 4}]}, id="two values in a list"),
    pytest.param(
        {"qualification_data": [{"campo": "quantos", "nome": "tipo", "valor": 3}]}, id="two names for one value"
    ),
]


@pytest.mark.parametrize("keys", NOT_DATA)
def test_a_value_that_cannot_be_placed_is_not_taken(keys: dict[str, Any]) -> None:
    try:
        state = act(IN_QUALIFICATION, 1, **keys).state
    except ActionError as error:
        state = error.kept or IN_QUALIFICATION
    assert "quantos" not in values(state)


DECLINED = [
    pytest.param("cpf", ["cpf"], id="a text"),
    pytest.param("cpf, email", ["cpf", "email"], id="several in a text"),
    pytest.param("CPF e EMAIL", ["cpf", "email"], id="by their names"),
    pytest.param({"cpf": True}, ["cpf"], id="true"),
    pytest.param({"cpf": True, "email": False}, ["cpf"], id="true and false"),
    pytest.param({"cpf": "prefere não dizer"}, ["cpf"], id="with why"),
    pytest.param([{"campo": "cpf", "motivo": "não quis"}], ["cpf"], id="objects"),
    pytest.param([["cpf"], None, 5], ["cpf"], id="a list in a list, with rubbish"),
    pytest.param([[[[["cpf"]]]]], [], id="five lists deep"),
    pytest.param([[[["cpf"]]]], ["cpf"], id="four lists deep"),
    pytest.param({"cpf": 1, "email": 0}, ["cpf"], id="one and zero"),
    pytest.param({"cpf": "sim", "email": "não"}, ["cpf"], id="yes and no"),
    pytest.param({"campo": "cpf", "email": True}, ["cpf"], id="a name beside a truth"),
    pytest.param({}, [], id="empty object"),
    pytest.param(False, [], id="false"),
    pytest.param(["signo"], [], id="no such field"),
]


@pytest.mark.parametrize(("given", "names"), DECLINED)
def test_declined_fields_are_known_in_any_plain_shape(given: Any, names: list[str]) -> None:
    fields = act(IN_COLLECTION, 1, declined=given).state.fields
    assert [name for name, entry in fields.items() if entry.status is FieldStatus.DECLINED] == names


def test_declined_fields_among_the_data_are_found() -> None:
    assert act(IN_COLLECTION, 1, collection_data={"declined": ["email"]}).state.fields["email"].value is None


CHOICES = [
    pytest.param({"service": ["alfa"], "segment": "casa"}, id="a list of one"),
    pytest.param({"service": {"id": "alfa", "name": "Serviço Alfa"}, "segment": {"casa": True}}, id="objects"),
    pytest.param({"serviço": "Serviço Alfa", "segmento": "CASA"}, id="keys in Portuguese"),
    pytest.param({"triage_data": {"service": "alfa", "segment": "casa"}}, id="among the data"),
    pytest.param({"dados": {"serviço": "alfa", "segment": "casa"}, "service": None}, id="in an envelope"),
    pytest.param({"service": "quero o primeiro serviço", "segment": "minha casa"}, id="as a customer says it"),
    pytest.param({"a": {"b": {"c": {"d": {"service": "alfa", "segment": "casa"}}}}}, id="in four envelopes"),
    pytest.param({"a": {"b": {"c": {"d": {"serviço": "alfa", "segmento": "casa"}}}}}, id="in four, in Portuguese"),
    pytest.param(
        {"serviço": ["?", "alfa"], "dados": {"serviço": "alfa"}, "segment": "casa"}, id="the first text of two"
    ),
    pytest.param({"serviço": "-", "dados": {"serviço": "alfa"}, "segment": "casa"}, id="a blank before it"),
    pytest.param({"service": "", "dados": {"service": "alfa", "segment": "casa"}}, id="a blank around it"),
]


@pytest.mark.parametrize("keys", CHOICES)
def test_service_and_segment_are_known_in_any_plain_shape(keys: dict[str, Any]) -> None:
    state = act(IN_TRIAGE, 2, **keys).state
    assert (state.service, state.segment) == ("alfa", "casa")


@pytest.mark.parametrize("given", ["Agente de Triagem", ["triagem"], {"id": "triagem"}, "triage", "TRIAGEM"], ids=repr)
def test_an_agent_is_known_in_any_plain_shape(given: Any) -> None:
    assert read_action(reply(98, agent=given), agent=COLETA).target is TRIAGEM


@pytest.mark.parametrize("key", ["service", "serviço"])
def test_a_service_in_five_envelopes_is_not_looked_for(key: str) -> None:
    state = act(IN_TRIAGE, 1, a={"b": {"c": {"d": {"e": {key: "alfa"}}}}}).state
    assert state.service is None


@pytest.mark.parametrize(
    "given", [[[["triagem"]]], {"nome": "triagem", "motivo": "x"}, {"triagem": True, "coleta": False}], ids=repr
)
def test_an_agent_may_stand_in_lists_and_objects(given: Any) -> None:
    assert read_action(reply(98, agent=given), agent=COLETA).target is TRIAGEM


@pytest.mark.parametrize("given", [{"triagem": True, "coleta": True}, ["triagem", "coleta"], 5, "gerência"], ids=repr)
def test_what_names_no_one_agent_is_refused(given: Any) -> None:
    with pytest.raises(ActionError) as caught:
        read_action(reply(98, agent=given), agent=QUALIFICACAO)
    assert caught.value.field == "agent"


def test_an_agent_may_stand_under_another_key() -> None:
    parsed = ParsedLLMResponse(s=98, json_part={"s": 98, "agente": "coleta"}, message="")
    assert read_action(parsed, agent=QUALIFICACAO).target is COLETA


@pytest.mark.parametrize(
    "given", ["A, B", ["A", "B"], {"A": True, "B": True}, [{"package": "A"}, {"package": "B"}], "A e B"], ids=repr
)
def test_packages_are_known_in_any_plain_shape(given: Any) -> None:
    assert read_action(reply(99, context_needed=given), agent=TRIAGEM).packages == ("A", "B")


def test_a_further_wish_stays_one_whatever_it_holds() -> None:
    assert read_action(reply(1, extra_requests="água, e também solo"), agent=TRIAGEM).extra_requests == (
        "água, e também solo",
    )


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        pytest.param(["água", ["solo"]], ("água", "solo"), id="lists"),
        pytest.param([{"texto": "água"}, None, False], ("água",), id="an object, with rubbish"),
        pytest.param({"água": True, "solo": False}, ("água",), id="true and false"),
        pytest.param("água\nsolo", ("água\nsolo",), id="lines"),
        pytest.param(False, (), id="false"),
    ],
)
def test_further_wishes_are_known_in_any_plain_shape(given: Any, texts: tuple[str, ...]) -> None:
    assert read_action(reply(1, extra_requests=given), agent=TRIAGEM).extra_requests == texts


@pytest.mark.parametrize(
    ("s", "code"),
    [
        (1, ActionCode.CONTINUE),
        ("2", ActionCode.ADVANCE),
        (99.0, ActionCode.CONTEXT),
        ("CONTINUE", ActionCode.CONTINUE),
        ("Avançar", ActionCode.ADVANCE),
        ("handoff", ActionCode.HANDOFF),
        ("7", None),
        (1.5, None),
        (True, None),
        ("", None),
        ("002", ActionCode.ADVANCE),
        ("0002", None),
        ("1.0", None),
        ("9" * 5000, None),
        (float("nan"), None),
        (None, None),
        ([1], None),
    ],
    ids=lambda part: repr(part)[:20],
)
def test_a_code_is_known_by_its_number_or_name(s: object, code: ActionCode | None) -> None:
    assert named_code(s) is code


# Faults: what the agent is told, and what is kept

FAULTS = [
    pytest.param({"s": 11}, "oi", "unknown_code", "s", "1 CONTINUE", id="no such code"),
    pytest.param({"s": 4, "agent": "triagem"}, "oi", "forbidden_code", "s", "não é código seu", id="not this agent's"),
    pytest.param({"s": 98}, "", "missing_key", "agent", "triagem, qualificacao, coleta", id="no agent"),
    pytest.param({"s": 99}, "", "missing_key", "context_needed", "pacote", id="no package"),
    pytest.param({"s": 1}, " ", "empty_message", "message", "mensagem ao cliente", id="nothing said"),
    pytest.param({"s": 1, "service": ["alfa", "beta"]}, "oi", "wrong_type", "service", "serviço só", id="two services"),
]


@pytest.mark.parametrize(("content", "message", "kind", "field", "words"), FAULTS)
def test_the_agent_is_told_of_a_fault_of_shape(
    content: dict[str, Any], message: str, kind: str, field: str, words: str
) -> None:
    with pytest.raises(ActionError) as caught:
        read_action(ParsedLLMResponse(s=content["s"], json_part=content, message=message), agent=TRIAGEM)
    assert (caught.value.kind, caught.value.field) == (kind, field)
    assert words in caught.value.reason


def test_what_was_good_in_a_reply_of_the_wrong_shape_can_be_kept() -> None:
    content = {
        "s": 11,
        "service": "beta",
        "segment": True,
        "declined": 5,
        "triage_data": {"modelo": "X", "cor": "azul"},
    }
    parsed = ParsedLLMResponse(s=11, json_part=content, message="Certo.")
    kept = keep_facts(parsed, state=IN_TRIAGE, catalog=CATALOG, written_text="", source="M#1")
    assert (kept.stage, kept.service, kept.segment, values(kept)) == (TRIAGEM, "beta", None, {"modelo": "X"})


def test_a_premature_advance_keeps_the_data_and_says_what_to_ask_first() -> None:
    error = fault(IN_QUALIFICATION, 2, qualification_data={"quantos": 3})
    assert (error.kind, error.field) == ("missing_field", "tipo")
    assert error.reason.endswith("pergunte primeiro: TIPO (tipo)")
    assert error.kept is not None
    assert values(error.kept) == {"quantos": 3}


def test_a_value_put_off_is_neither_known_nor_declined_nor_a_fault() -> None:
    transition = act(
        IN_COLLECTION, 1, collection_data={"nome": "Lara", "cpf": "mando depois", "email": "vou ver e te falo"}
    )
    assert set(transition.state.fields) - set(IN_COLLECTION.fields) == {"nome"}
    assert transition.dropped_fields == ()


WEDNESDAY = date(2026, 11, 18)


def test_a_relative_day_counts_from_the_day_of_the_message() -> None:
    written = "podem vir depois de amanhã?"
    state = act(IN_QUALIFICATION, 1, written=written, said_on=WEDNESDAY, dia="2026-11-20").state
    assert values(state) == {"dia": "2026-11-20"}


def test_an_invented_date_goes_back_to_the_agent_and_the_rest_is_kept() -> None:
    written = "três, de preferência numa terça"
    with pytest.raises(ActionError) as caught:
        act(IN_QUALIFICATION, 1, written=written, said_on=WEDNESDAY, dia="2027-01-12", quantos="três")
    assert (caught.value.kind, caught.value.field) == ("invalid_value", "dia")
    assert caught.value.kept is not None
    assert values(caught.value.kept) == {"quantos": 3}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        pytest.param("boleto", "boleto", id="a text"),
        pytest.param(["boleto"], "boleto", id="a list of one"),
        pytest.param({"texto": "boleto"}, "boleto", id="an object"),
        pytest.param([[[["boleto"]]]], "boleto", id="four lists"),
        pytest.param([[[[["boleto"]]]]], "unspecified", id="five lists"),
        pytest.param(12, "12", id="a number"),
        pytest.param(10**9 - 1, "999999999", id="a number of nine digits"),
        pytest.param(10**9, "unspecified", id="a number of ten digits"),
        pytest.param(True, "unspecified", id="a truth"),
        pytest.param(False, "unspecified", id="false"),
        pytest.param(None, "unspecified", id="nothing"),
    ],
)
def test_a_reason_is_a_text_or_was_not_told(given: Any, reason: str) -> None:
    assert read_action(reply(6, reason=given), agent=TRIAGEM).reason == reason
