"""The queue's body: what comes in is a pointer or a reason."""

from __future__ import annotations

import pytest

from core.domain.errors import BadInputError
from core.domain.messages import InboundPointer
from core.domain.pointer import parse_pointer, pointer_body

POINTER = InboundPointer(conversation="3f9a", sk="M#1796040000000#iabc")


def test_a_pointer_is_compact_json_without_text_or_phone() -> None:
    assert pointer_body(POINTER) == '{"v":1,"conv":"3f9a","sk":"M#1796040000000#iabc"}'


def test_a_body_is_read_back_as_the_pointer_it_was_made_from() -> None:
    assert parse_pointer(pointer_body(POINTER)) == POINTER


def test_fields_that_a_later_version_may_add_are_ignored() -> None:
    assert parse_pointer('{"v":1,"conv":"3f9a","sk":"M#1796040000000#iabc","hint":2}') == POINTER


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("", "pointer_not_json", id="empty"),
        pytest.param("{", "pointer_not_json", id="cut short"),
        pytest.param("[" * 100_000, "pointer_not_json", id="nested without end"),
        pytest.param("[]", "not_a_pointer", id="a list"),
        pytest.param("null", "not_a_pointer", id="null"),
        pytest.param('{"object":"whatsapp_business_account","entry":[]}', "not_a_pointer", id="a raw webhook body"),
        pytest.param('{"v":1,"conv":"a"}', "not_a_pointer", id="no sk"),
        pytest.param('{"v":2,"conv":"a","sk":"b"}', "pointer_version", id="another version"),
        pytest.param('{"v":true,"conv":"a","sk":"b"}', "pointer_version", id="true is no version"),
        pytest.param('{"v":1.0,"conv":"a","sk":"b"}', "pointer_version", id="nor is a float"),
        pytest.param('{"v":1,"conv":"","sk":"b"}', "pointer_key", id="empty conversation"),
        pytest.param('{"v":1,"conv":"a","sk":7}', "pointer_key", id="a number for a key"),
        pytest.param('{"v":1,"conv":"a","sk":"' + "x" * 1025 + '"}', "pointer_key", id="longer than keys are"),
    ],
)
def test_anything_else_is_refused_with_a_reason_that_quotes_nothing(body: str, reason: str) -> None:
    with pytest.raises(BadInputError) as raised:
        parse_pointer(body)

    assert (raised.value.reason, str(raised.value)) == (reason, reason)
