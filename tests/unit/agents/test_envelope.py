"""A reply held by a schema: its shape, and that nothing is lost or guessed on the way to `{JSON}Mensagem`."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agents.envelope import as_spoken, render, reply_schema
from core.application.actions.action_mapping import read_action
from core.application.parser import LLMResponseParseError, parse_llm_response
from core.domain.actions import ActionCode, Agent, AgentAction

EMPTY: dict[str, Any] = {
    "s": 1,
    "dados": [],
    "agent": "",
    "service": "",
    "segment": "",
    "reason": "",
    "rationale": "",
    "context_needed": [],
    "declined": [],
    "extra_requests": [],
    "citations": [],
    "mensagem": "",
}


def envelope(**said: Any) -> str:
    return json.dumps({**EMPTY, **said}, ensure_ascii=False)


def action(**said: Any) -> AgentAction:
    """As Coleta, who may use every code."""
    return read_action(parse_llm_response(render(envelope(**said), Agent.COLETA)), agent=Agent.COLETA)


# The schema


@pytest.mark.parametrize("agent", Agent)
def test_every_key_is_required_none_is_further_and_the_message_is_last(agent: Agent) -> None:
    schema = reply_schema(agent)["schema"]
    assert list(schema["properties"]) == list(EMPTY)
    assert schema["required"] == list(EMPTY)
    assert schema["additionalProperties"] is False
    assert list(schema["properties"])[-1] == "mensagem"


@pytest.mark.parametrize("agent", Agent)
def test_only_a_field_s_value_may_be_of_several_types(agent: Agent) -> None:
    written = json.dumps(reply_schema(agent)["schema"])
    assert (written.count("anyOf"), written.count('"type": [')) == (1, 0)
    value = reply_schema(agent)["schema"]["properties"]["dados"]["items"]["properties"]["valor"]
    assert [each["type"] for each in value["anyOf"]] == ["string", "number", "boolean"]


def test_an_agent_has_its_own_codes() -> None:
    codes = {agent: reply_schema(agent)["schema"]["properties"]["s"]["enum"] for agent in Agent}
    assert codes[Agent.TRIAGEM] == [1, 2, 3, 5, 6, 98, 99]
    assert codes[Agent.COLETA] == [1, 2, 3, 4, 5, 6, 98, 99]


def test_the_schema_of_an_agent_is_the_same_object_every_time() -> None:
    assert reply_schema(Agent.COLETA) is reply_schema(Agent.COLETA)


# The round trip


ROUND_TRIPS: list[tuple[dict[str, Any], AgentAction]] = [
    ({"s": 1, "mensagem": "Olá!"}, AgentAction(code=ActionCode.CONTINUE, message="Olá!")),
    (
        {"s": 2, "dados": [{"campo": "pontos", "valor": 3}, {"campo": "urgente", "valor": True}], "mensagem": "Certo."},
        AgentAction(code=ActionCode.ADVANCE, message="Certo.", data={"pontos": 3, "urgente": True}),
    ),
    (
        {"s": 3, "reason": "out_of_scope_pii", "rationale": "dados de terceiros", "mensagem": "Não posso."},
        AgentAction(
            code=ActionCode.REFUSE, message="Não posso.", reason="out_of_scope_pii", rationale="dados de terceiros"
        ),
    ),
    (
        {"s": 4, "agent": "triagem", "mensagem": "Qual serviço?"},
        AgentAction(code=ActionCode.RETURN, message="Qual serviço?", target=Agent.TRIAGEM),
    ),
    (
        {"s": 6, "reason": "boleto", "declined": ["cpf"], "extra_requests": ["solo"], "mensagem": "Vou passar."},
        AgentAction(
            code=ActionCode.HANDOFF,
            message="Vou passar.",
            reason="boleto",
            declined=("cpf",),
            extra_requests=("solo",),
        ),
    ),
    ({"s": 98, "agent": "triagem"}, AgentAction(code=ActionCode.REROUTE, target=Agent.TRIAGEM)),
    (
        {"s": 99, "context_needed": ["SERVICES", "VISITS"]},
        AgentAction(code=ActionCode.CONTEXT, packages=("SERVICES", "VISITS")),
    ),
    (
        {"s": 1, "citations": ["SERVICES"], "mensagem": 'Aspas "aqui", {chaves} e\nlinhas.'},
        AgentAction(code=ActionCode.CONTINUE, message='Aspas "aqui", {chaves} e\nlinhas.', citations=("SERVICES",)),
    ),
]


@pytest.mark.parametrize(
    ("said", "meant"), ROUND_TRIPS, ids=lambda each: str(each.get("s")) if isinstance(each, dict) else ""
)
def test_what_an_envelope_says_is_what_the_desk_understands(said: dict[str, Any], meant: AgentAction) -> None:
    jsonschema.validate({**EMPTY, **said}, reply_schema(Agent.COLETA)["schema"])
    assert action(**said) == meant


@given(
    message=st.text(max_size=60),
    fields=st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.one_of(st.text(max_size=9), st.integers(-9999, 9999), st.booleans()),
        max_size=4,
    ),
)
def test_any_text_and_any_value_come_through_as_in_text_mode(message: str, fields: dict[str, Any]) -> None:
    data = [{"campo": name, "valor": value} for name, value in fields.items()]
    in_text = json.dumps({"s": 1, **({"collection_data": fields} if fields else {})}, ensure_ascii=False) + message
    assert render(envelope(dados=data, mensagem=message), Agent.COLETA).replace(" ", "") == in_text.replace(" ", "")


def test_data_stand_under_the_agent_s_own_key() -> None:
    said = envelope(dados=[{"campo": "pontos", "valor": 3}], mensagem="Certo.")
    keys = [parse_llm_response(render(said, agent)).json_part for agent in Agent]
    assert [list(each)[-1] for each in keys] == ["triage_data", "qualification_data", "collection_data"]


def test_our_own_lines_are_shown_as_they_are_to_be_written() -> None:
    assert render(as_spoken("Olá!"), Agent.TRIAGEM) == '{"s":1}Olá!'


# What is no envelope, or not quite one


@pytest.mark.parametrize(
    "wrapped",
    ["```json\n{}\n```", "Aqui está:\n{}", "<think>hum</think>{}", "\ufeff{}", "  {}  "],
    ids=["fence", "prose", "thoughts", "bom", "blanks"],
)
def test_what_wraps_an_envelope_costs_no_data(wrapped: str) -> None:
    raw = wrapped.replace("{}", envelope(dados=[{"campo": "pontos", "valor": 3}], mensagem="Certo."))
    parsed = parse_llm_response(render(raw, Agent.COLETA))
    assert (parsed.json_part["collection_data"], parsed.message) == ({"pontos": 3}, "Certo.")


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "Olá!",
        '{"s":1}Olá!',
        '{"s":1,"collection_data":{"pontos":3}}Certo.',
        '{"mensagem":"sem código"}',
        '{"s":1,"mensagem":5}',
        '{"s":1,"dados":{"pontos":3},"mensagem":"Certo."}',
        '{"s":1,"dados":[{"nome":"pontos"}],"mensagem":"Certo."}',
        '[{"s":1,"mensagem":"Certo."}]',
        '"oi"',
        "null",
        "{" * 5000,
        '{"s":1,"mensagem":' + "[" * 5000,
        '{"s":' + "9" * 5000 + ',"mensagem":"x"}',
    ],
    ids=lambda raw: raw[:20],
)
def test_what_would_have_to_be_guessed_is_left_as_it_is(raw: str) -> None:
    assert render(raw, Agent.COLETA) == raw


def test_a_field_of_two_values_is_refused_by_the_parser_and_one_said_twice_is_one() -> None:
    twice = [{"campo": "pontos", "valor": 3}, {"campo": "pontos", "valor": 3}]
    assert action(dados=twice, mensagem="Certo.").data == {"pontos": 3}
    with pytest.raises(LLMResponseParseError):
        action(dados=[*twice, {"campo": "pontos", "valor": 4}], mensagem="Certo.")
