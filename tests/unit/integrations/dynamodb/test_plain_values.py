"""What STATE and TURN are kept as: JSON values that come back exactly."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.conversation import ConversationState, GuardCounters
from core.domain.errors import BadInputError
from core.domain.values.field_value import FieldStatus, FieldValue
from core.integrations.dynamodb.plain_values import from_plain, plain_to_state, state_to_plain, to_plain

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)
NAMES = st.text(max_size=8)
SCALARS = st.text(max_size=12) | st.integers() | st.booleans() | DECIMALS
JSON_VALUES = st.recursive(
    st.none() | SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.builds(FieldValue, status=..., value=st.none() | SCALARS, source=...)
STATES = st.builds(
    ConversationState,
    **{field.name: ... for field in fields(ConversationState)}
    | {name: st.dictionaries(NAMES, FIELDS, max_size=4) for name in ("fields", "set_aside")},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anything:
    """A mapping of whatever JSON can say."""

    payload: dict[str, Any]


@given(STATES)
def test_any_state_comes_back_exactly_from_json(state: ConversationState) -> None:
    assert plain_to_state(json.loads(json.dumps(state_to_plain(state)))) == state


@given(STATES)
def test_a_decimal_keeps_its_zeros_and_a_type_stays_a_type(state: ConversationState) -> None:
    back = plain_to_state(state_to_plain(state))

    assert [repr(each.value) for each in back.fields.values()] == [repr(each.value) for each in state.fields.values()]


@given(st.dictionaries(NAMES, JSON_VALUES, max_size=4))
def test_any_mapping_comes_back_whatever_its_keys(payload: dict[str, Any]) -> None:
    assert from_plain(Anything, json.loads(json.dumps(to_plain(Anything(payload=payload))))).payload == payload


@given(STATES)
def test_the_plain_form_itself_can_be_kept_inside_another_item(state: ConversationState) -> None:
    plain = state_to_plain(state)

    assert from_plain(Anything, to_plain(Anything(payload=plain))).payload == plain


def test_the_plain_form_is_readable() -> None:
    state = ConversationState(
        service="agua",
        fields={
            "pontos": FieldValue(status=FieldStatus.KNOWN, value=3, source="M#1#ia"),
            "volume": FieldValue(status=FieldStatus.KNOWN, value=Decimal("1.50"), source="M#1#ia"),
            "prazo": FieldValue(status=FieldStatus.DECLINED),
        },
        guard=GuardCounters(frustrated=1),
    )

    plain = state_to_plain(state)

    assert (plain["stage"], plain["service"], plain["guard"]["frustrated"]) == ("triagem", "agua", 1)
    assert plain["fields"] == {
        "pontos": {"status": "known", "value": 3, "source": "M#1#ia"},
        "volume": {"status": "known", "value": {"$decimal": "1.50"}, "source": "M#1#ia"},
        "prazo": {"status": "declined", "source": ""},
    }
    assert "segment" not in plain


def test_an_empty_mapping_is_a_new_conversation() -> None:
    assert plain_to_state({}) == ConversationState()


def test_what_a_later_version_added_is_ignored() -> None:
    assert plain_to_state({"service": "agua", "horoscope": "lion"}) == ConversationState(service="agua")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(0.5, "unstorable_float", id="a float"),
        pytest.param([1, {"deep": 2.0}], "unstorable_float", id="a float inside"),
        pytest.param(b"raw", "unstorable_bytes", id="bytes"),
        pytest.param({1: "one"}, "unstorable_key", id="a key that is no text"),
    ],
)
def test_what_cannot_be_kept_exactly_is_refused(value: object, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        to_plain(Anything(payload={"value": value}))


@pytest.mark.parametrize(
    ("plain", "reason"),
    [
        pytest.param({}, "missing_FieldValue_status", id="a required field is missing"),
        pytest.param({"status": "guessed"}, "unknown_FieldStatus", id="an unknown word"),
    ],
)
def test_what_cannot_be_understood_is_refused(plain: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        from_plain(FieldValue, plain)


def test_only_dataclasses_have_a_plain_form() -> None:
    with pytest.raises(BadInputError):
        to_plain("text")
