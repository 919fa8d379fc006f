"""Actions: who may use which code, what shape a reply must have, and that nothing else comes out of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.application.actions.action_mapping import dispatch, further_context_requests, read_action, validate_code
from core.application.parser import ParsedLLMResponse, parse_llm_response
from core.domain.actions import SILENT_CODES, ActionCode, Agent, AgentAction, RefusalReason
from core.domain.catalogue.catalog import (
    RESERVED_KEYS,
    Catalog,
    Company,
    FieldScope,
    FieldSpec,
    FieldType,
    Package,
    Service,
)
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError, InvalidContractError
from tests.cases.actions import (
    CATALOG,
    COLETA,
    IN_COLLECTION,
    IN_QUALIFICATION,
    IN_TRIAGE,
    QUALIFICACAO,
    TRIAGEM,
    reply,
    values,
)
from tests.cases.small_catalog import at, declined

# What document 000 speaks of, and nothing more.
DOCUMENT_CATALOG = Catalog(
    company=Company(name="Empresa do documento"),
    fields=(
        FieldSpec(
            id="tipo_amostra",
            name="tipo de amostra",
            type=FieldType.TEXT,
            scope=FieldScope.SERVICE,
            question="Que tipo de amostra você quer analisar?",
        ),
    ),
    services=(
        Service(
            id="analise", name="Análise", description="Análises.", required={Agent.QUALIFICACAO: ("tipo_amostra",)}
        ),
    ),
    packages=(Package(id="COMPANY_INFO", title="Quem somos", ask_when="perguntam quem somos"),),
)
VISIBLE = [code for code in ActionCode if code not in SILENT_CODES]


# Codes


@pytest.mark.parametrize("agent", Agent)
@pytest.mark.parametrize("code", ActionCode)
def test_every_agent_may_use_every_code_but_triagem_cannot_return(agent: Agent, code: ActionCode) -> None:
    if (agent, code) == (TRIAGEM, ActionCode.RETURN):
        with pytest.raises(InvalidContractError, match="forbidden_code"):
            validate_code(agent, int(code))
    else:
        assert validate_code(agent, int(code)) is code


@pytest.mark.parametrize("s", [0, -1, 7, 97, 100, 123, 10**30, True])
def test_a_code_that_does_not_exist_is_a_fault_of_shape(s: int) -> None:
    with pytest.raises(InvalidContractError, match="unknown_code"):
        validate_code(COLETA, s)


# Shape


@pytest.mark.parametrize("code", VISIBLE)
@pytest.mark.parametrize(
    "message", ["", "  \n", "\u200b", "\ufeff \x00"], ids=["empty", "blank", "zero width", "unseen"]
)
def test_a_code_that_speaks_must_say_something(code: ActionCode, message: str) -> None:
    with pytest.raises(InvalidContractError, match="empty_message"):
        read_action(reply(code, message), agent=COLETA)


@pytest.mark.parametrize("code", sorted(SILENT_CODES))
def test_the_message_of_a_silent_code_is_ignored(code: ActionCode) -> None:
    assert read_action(reply(code, "Um instante!"), agent=COLETA).message == ""
    assert read_action(reply(code, ""), agent=COLETA).message == ""


WRONG_SHAPES = [
    *[(code, {key: wrong}) for code in ActionCode for key in ("triage_data", "qualification_data", "collection_data")
      for wrong in ("água", [], 5, True)],
    *[(code, {key: wrong}) for code in ActionCode for key in ("service", "segment", "reason", "rationale")
      for wrong in (5, True, [], {})],
    *[(code, {key: wrong}) for code in ActionCode for key in ("declined", "citations", "extra_requests")
      for wrong in ("cpf", 5, {}, [5], [None], [["cpf"]])],
    *[(code, {"agent": wrong}) for code in (ActionCode.RETURN, ActionCode.REROUTE)
      for wrong in (None, 5, "", "vendas", ["triagem"])],
    *[(ActionCode.CONTEXT, {"context_needed": wrong}) for wrong in (None, 5, "", " ", [], [""], {}, [5], [None])],
]  # fmt: skip


@pytest.mark.parametrize("key", list(dict.fromkeys(key for _, keys in WRONG_SHAPES for key in keys)))
def test_a_key_of_the_wrong_type_is_a_fault_of_shape_that_names_the_key(key: str) -> None:
    for code, keys in [row for row in WRONG_SHAPES if key in row[1]]:
        with pytest.raises(InvalidContractError) as caught:
            read_action(reply(code, **keys), agent=COLETA)
        assert (caught.value.reason, caught.value.field) == ("wrong_type", key), f"{code:d} {keys}"


@pytest.mark.parametrize(
    ("code", "key"),
    [(ActionCode.RETURN, "agent"), (ActionCode.REROUTE, "agent"), (ActionCode.CONTEXT, "context_needed")],
)
def test_a_missing_key_that_the_code_cannot_do_without_is_a_fault_of_shape(code: ActionCode, key: str) -> None:
    bare = ParsedLLMResponse(s=int(code), json_part={"s": int(code)}, message="Certo.")
    with pytest.raises(InvalidContractError) as caught:
        read_action(bare, agent=COLETA)
    assert (caught.value.reason, caught.value.field) == ("missing_key", key)


def test_a_fault_of_shape_never_repeats_what_the_model_wrote() -> None:
    with pytest.raises(InvalidContractError) as caught:
        read_action(reply(1, collection_data="Lara Quintela"), agent=COLETA)
    assert "Lara" not in f"{caught.value}{caught.value.args}"
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("code", ActionCode)
@pytest.mark.parametrize("agent", [QUALIFICACAO, COLETA])
def test_null_is_as_good_as_absent_wherever_a_key_may_be_absent(agent: Agent, code: ActionCode) -> None:
    optional = ("triage_data", "qualification_data", "collection_data", "service", "segment", "declined")
    nulls = dict.fromkeys((*optional, "citations", "extra_requests", "rationale", "reason"))
    assert read_action(reply(code, **nulls), agent=agent) == read_action(reply(code), agent=agent)


@pytest.mark.parametrize(
    ("name", "agent"),
    [("qualificacao", QUALIFICACAO), ("Qualificação", QUALIFICACAO), ("TRIAGEM", TRIAGEM), (" coleta ", COLETA)],
)
def test_an_agent_is_known_whatever_the_accents_and_case(name: str, agent: Agent) -> None:
    assert read_action(reply(98, agent=name), agent=TRIAGEM).target is agent


@pytest.mark.parametrize(
    ("needed", "packages"),
    [("COMPANY_INFO", ("COMPANY_INFO",)), (["A", "B", "A", " "], ("A", "B"))],
)
def test_one_package_or_a_list_of_them_may_be_asked_for(needed: Any, packages: tuple[str, ...]) -> None:
    assert read_action(reply(99, context_needed=needed), agent=TRIAGEM).packages == packages


@pytest.mark.parametrize("reason", RefusalReason)
def test_a_refusal_keeps_its_reason(reason: RefusalReason) -> None:
    assert read_action(reply(3, reason=reason.value), agent=TRIAGEM).reason == reason
    hyphenated = reason.value.replace("_", "-").upper()
    assert read_action(reply(3, reason=hyphenated), agent=TRIAGEM).reason == reason


@pytest.mark.parametrize("keys", [{}, {"reason": None}, {"reason": ""}, {"reason": "out_of_scope_dosing"}])
def test_a_refusal_without_a_known_reason_still_stands(keys: dict[str, Any]) -> None:
    assert read_action(reply(3, **keys), agent=TRIAGEM).reason == "unspecified"


@pytest.mark.parametrize("code", [ActionCode.CLOSE, ActionCode.HANDOFF])
def test_a_missing_reason_is_unspecified(code: ActionCode) -> None:
    assert read_action(reply(code), agent=TRIAGEM).reason == "unspecified"
    assert read_action(reply(code, reason="boleto"), agent=TRIAGEM).reason == "boleto"


def test_a_long_rationale_is_cut() -> None:
    assert read_action(reply(1, rationale="x" * 400), agent=TRIAGEM).rationale == "x" * 280
    assert read_action(reply(1, rationale="  "), agent=TRIAGEM).rationale is None


# Document 000's examples


def test_the_document_s_first_example_is_read_and_taken() -> None:
    raw = '{"s":1,"qualification_data":{"tipo_amostra":"amostra sintética"}}Quantas amostras serão analisadas?'
    action = read_action(parse_llm_response(raw), agent=QUALIFICACAO)
    state = at(QUALIFICACAO, service="analise")
    transition = dispatch(
        action, state=state, catalog=DOCUMENT_CATALOG, written_text="", source="M#1", supplied_packages=()
    )
    assert action.message == "Quantas amostras serão analisadas?"
    assert values(transition.state) == {"tipo_amostra": "amostra sintética"}
    assert transition.dropped_fields == ()


def test_the_document_s_unknown_code_parses_and_is_rejected_here() -> None:
    with pytest.raises(InvalidContractError, match="unknown_code"):
        read_action(parse_llm_response('{"s":123}Texto'), agent=TRIAGEM)


def test_the_document_s_context_request_asks_for_its_package() -> None:
    action = read_action(parse_llm_response('{"s":99,"context_needed":"COMPANY_INFO"}'), agent=TRIAGEM)
    assert (action.code, action.packages) == (ActionCode.CONTEXT, ("COMPANY_INFO",))
    assert DOCUMENT_CATALOG.package(action.packages[0]) is not None


# Several blocks (document 004)


@pytest.mark.parametrize(
    ("tail", "packages"),
    [
        pytest.param("", (), id="nothing"),
        pytest.param("Um instante!", (), id="text"),
        pytest.param('{"s":99,"context_needed":"A"}', ("A",), id="one"),
        pytest.param('{"s":99,"context_needed":["A","B"]}\n{"s":99,"context_needed":"C"}', ("A", "B", "C"), id="two"),
        pytest.param('e {"s":99,"context_needed":"A"} mais {"s":99,"context_needed":"A"}', ("A",), id="repeated"),
        pytest.param('{"s":1}Olá {"s":99,"context_needed":"A"}', ("A",), id="beside another code"),
        pytest.param('{"s":98,"agent":"coleta"}{"context_needed":"B"}', (), id="nothing that asks"),
        pytest.param('{"s":"99","context_needed":"A"}{"s":99.0,"context_needed":"B"}', (), id="no whole number"),
        pytest.param('{"s":99,"context_needed":5}{"s":99}{"s":99,"context_needed":"C"}', ("C",), id="wrong shapes"),
        pytest.param('{as {"s":99,"context_needed":"A"}', ("A",), id="after a stray brace"),
        pytest.param('{"s":99,"context_needed":"A"', (), id="cut off"),
        pytest.param('{"a":' * 5000, (), id="deep"),
        pytest.param("{" * 20_000, (), id="braces"),
        pytest.param('{"s":' + "9" * 5000 + "}", (), id="endless number"),
    ],
)
def test_after_a_silent_reply_further_context_requests_are_read_and_nothing_else(
    tail: str, packages: tuple[str, ...]
) -> None:
    assert further_context_requests(tail, agent=TRIAGEM) == packages


# Whatever a model writes

KEYS = st.sampled_from(sorted(RESERVED_KEYS | {spec.id for spec in CATALOG.fields}))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
NAMES = st.sampled_from(["alfa", "casa", "triagem", "coleta", "COMPANY_INFO", "cpf", "documento", "poço", "12", ""])
ANY_JSON = st.recursive(
    SCALARS | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | KEYS, inner, max_size=4),
    max_leaves=8,
)
REPLIES = st.dictionaries(KEYS, ANY_JSON, max_size=8)


@settings(deadline=None)
@given(s=st.sampled_from(ActionCode) | st.integers(), content=REPLIES, message=st.text(), agent=st.sampled_from(Agent))
def test_whatever_the_json_only_a_fault_of_shape_comes_out(
    s: int, content: dict[str, Any], message: str, agent: Agent
) -> None:
    parsed = ParsedLLMResponse(s=int(s), json_part={**content, "s": int(s)}, message=message)
    try:
        action = read_action(parsed, agent=agent)
    except InvalidContractError:
        return
    assert isinstance(action, AgentAction)


STATES = st.sampled_from([IN_TRIAGE, IN_QUALIFICATION, IN_COLLECTION, at(COLETA, service="extinto", **declined("x"))])
ACTIONS = st.builds(
    AgentAction,
    code=st.sampled_from(ActionCode),
    message=st.text(),
    data=st.dictionaries(KEYS | st.text(), ANY_JSON, max_size=6),
    declined=st.lists(NAMES | st.text(), max_size=3).map(tuple),
    extra_requests=st.lists(st.text(), max_size=3).map(tuple),
    service=st.none() | NAMES | st.text(),
    segment=st.none() | NAMES | st.text(),
    target=st.none() | st.sampled_from(Agent),
    reason=st.text(),
    packages=st.lists(NAMES | st.text(), max_size=3).map(tuple),
    citations=st.lists(NAMES | st.text(), max_size=3).map(tuple),
)


@settings(deadline=None)
@given(action=ACTIONS, state=STATES, written=st.text())
def test_whatever_the_action_only_a_fault_of_state_comes_out_and_nothing_unknown_is_kept(
    action: AgentAction, state: ConversationState, written: str
) -> None:
    try:
        after = dispatch(
            action,
            state=state,
            catalog=CATALOG,
            written_text=written,
            source="M#1",
            supplied_packages=("COMPANY_INFO",),
        ).state
    except ActionError as error:
        after = error.kept or state
    assert set(after.fields) - set(state.fields) <= {spec.id for spec in CATALOG.fields}
    assert after.service is None or after.service == state.service or CATALOG.service(after.service) is not None


@settings(deadline=None)
@given(tail=st.text() | REPLIES.map(json.dumps))
def test_the_rest_of_a_silent_reply_never_raises(tail: str) -> None:
    assert isinstance(further_context_requests(tail, agent=COLETA), tuple)
