"""The strict reading of `{JSON}Mensagem`: every case of the table, the decided faults, and what no input can do."""

from __future__ import annotations

import json
import traceback
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.application.parser import (
    MAX_DEPTH,
    LLMResponseParseError,
    ParsedLLMResponse,
    ParseErrorKind,
    parse_llm_response,
)
from tests.cases.parser_rows import ROWS, row_id

ACCEPTED = [row for row in ROWS if row["verdict"] == "ok"]
REFUSED = [row for row in ROWS if row["verdict"] != "ok"]


def outcome(raw: str) -> ParsedLLMResponse | LLMResponseParseError:
    try:
        return parse_llm_response(raw)
    except LLMResponseParseError as error:
        return error


def kind_of(raw: Any) -> ParseErrorKind:
    with pytest.raises(LLMResponseParseError) as caught:
        parse_llm_response(raw)
    return caught.value.kind


@pytest.mark.parametrize("row", ACCEPTED, ids=row_id)
def test_a_reply_that_keeps_the_contract_is_split(row: dict[str, Any]) -> None:
    raw = row["raw"]
    parsed = parse_llm_response(raw)
    assert parsed.s == row["s"]
    assert raw[: parsed.end].lstrip() == row["json_part"]
    assert parsed.json_part == json.loads(row["json_part"])
    # The table holds the rest as it stands; the message is that without NUL and half characters.
    assert parsed.message == row["message"].replace("\0", "").replace("\ud83d", "\ufffd")


@pytest.mark.parametrize("row", REFUSED, ids=row_id)
def test_a_reply_that_breaks_the_contract_is_named(row: dict[str, Any]) -> None:
    assert kind_of(row["raw"]) == row["verdict"]


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param('{"s":1,"a":{"x":1,"x":2}}', id="nested"),
        pytest.param('{"s":1,"l":[{"x":1,"x":2}]}', id="in an array"),
        pytest.param('{"s" :1,"s" :1}', id="white space before the colon"),
        pytest.param('{"s":1,"a":"8:30","b":1,"b":2}', id="beside a colon in a string"),
        pytest.param('{"s":1,"a":"\\u003a","b":1,"b":2}', id="beside an escaped colon"),
        pytest.param('{"s":1,"a:b":1,"a:b":2}', id="a key with a colon"),
        pytest.param('{"s":1,"\\ud800":1,"\\ud801":2}', id="keys that are one once cleaned"),
        pytest.param('{"message":1,"message":2}', id="without s"),
        pytest.param(' {"s":1,"\\u0073":1}', id="the same key written as an escape"),
    ],
)
def test_a_key_named_twice_is_malformed(raw: str) -> None:
    assert kind_of(raw + "Olá") == "malformed_json"


@pytest.mark.parametrize(
    "raw",
    [
        '{"s":1,"hora":"8:30","url":"https://exemplo.invalid"}',
        '{"s":1,"a:b":{"c:d":"e:f"}}',
        '{"s" : 1, "nota" : "usa \\"x\\":1"}',
        '{"s":1,"a":{"b":{"c":{"d":"\\u003a"}}},"l":[{"x":1},{"x":1}]}',
    ],
)
def test_colons_in_strings_are_no_second_keys(raw: str) -> None:
    assert parse_llm_response(raw + "Hora: 8:30").json_part == json.loads(raw)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" * 400 + ".0", "NaN", "-Infinity", "9" * 5000])
def test_a_number_that_json_cannot_carry_is_malformed(number: str) -> None:
    assert kind_of(f'{{"s":1,"n":{number}}}Olá') == "malformed_json"
    assert kind_of(f'{{"s":{number}}}Olá') == "malformed_json"


def test_long_but_finite_numbers_are_kept_exactly() -> None:
    parsed = parse_llm_response('{"s":1,"n":123456789012345678901234567890,"x":1e-999,"y":-0.5}')
    assert parsed.json_part == {"s": 1, "n": 123456789012345678901234567890, "x": 0.0, "y": -0.5}


@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"a":'])
def test_nesting_is_accepted_up_to_a_fixed_depth(opened: str) -> None:
    closed = opened.replace('"a":', "").translate({ord("["): "]", ord("{"): "}"})[::-1]
    per_level = len(closed)

    def nested(depth: int) -> str:
        levels = (depth - 1) // per_level
        return f'{{"s":1,"x":{opened * levels}0{closed * levels}}}Olá'

    deepest = MAX_DEPTH - (MAX_DEPTH - 1) % per_level
    assert parse_llm_response(nested(deepest)).message == "Olá"
    assert kind_of(nested(deepest + per_level)) == "malformed_json"
    assert kind_of(nested(60_000)) == "malformed_json"


def test_brackets_in_texts_are_no_nesting() -> None:
    assert parse_llm_response(f'{{"s":1,"x":"{"[" * 600}"}}{"[" * 600}').message == "[" * 600


def test_half_characters_become_replacement_characters_and_pairs_are_joined() -> None:
    parsed = parse_llm_response(
        '{"s":1,"a\\ud83d":["\\ud83d","\\ud83d\\ude00",{"b":"\ud83d\ude00"}]}\ude00 \ud83d\ude00'
    )
    assert parsed.json_part == {"s": 1, "a\ufffd": ["\ufffd", "😀", {"b": "😀"}]}
    assert parsed.message == "\ufffd 😀"


def test_nul_is_dropped_from_the_message_and_kept_in_values() -> None:
    parsed = parse_llm_response('{"s":1,"obs":"a\\u0000b"}O\0lá 😀\0')
    assert (parsed.json_part["obs"], parsed.message) == ("a\0b", "Olá 😀")


def test_the_rest_of_a_silent_reply_can_be_read_on() -> None:
    raw = ' {"s":99,"context_needed":"A"}\n{"s":99,"context_needed":"B"}'
    parsed = parse_llm_response(raw)
    assert parse_llm_response(raw[parsed.end :]).json_part["context_needed"] == "B"
    assert parse_llm_response(parsed.message).json_part["context_needed"] == "B"


@pytest.mark.parametrize(
    ("raw", "position"),
    [('{"s":1,}Texto', 7), ('  Olá {"s":1}', 2), ('{"s":1', 6), ('\n{"s":1,"x":tru}', 12)],
)
def test_an_error_says_where(raw: str, position: int) -> None:
    with pytest.raises(LLMResponseParseError) as caught:
        parse_llm_response(raw)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "raw", ['{"s":1,"cpf":"segredo",}segredo', "segredo", '{"segredo":1}', '{"s":"segredo"}', '{"s":1,"segredo']
)
def test_an_error_never_repeats_the_reply(raw: str) -> None:
    with pytest.raises(LLMResponseParseError) as caught:
        parse_llm_response(raw)
    assert "segredo" not in repr(caught.value) + "".join(traceback.format_exception(caught.value))
    assert caught.value.__context__ is None


def test_a_parsed_reply_can_be_logged_without_what_it_says() -> None:
    assert "segredo" not in repr(parse_llm_response('{"s":1,"cpf":"segredo"}segredo'))


def test_a_parsed_reply_is_frozen_and_compares_by_content() -> None:
    parsed = parse_llm_response('  {"s":1}Olá')
    assert parsed == ParsedLLMResponse(1, {"s": 1}, "Olá")
    with pytest.raises(AttributeError):
        parsed.s = 2  # type: ignore[misc]


@pytest.mark.parametrize("raw", [None, b'{"s":1}', 1, ["{"], {"s": 1}])
def test_what_is_no_text_is_empty(raw: Any) -> None:
    assert kind_of(raw) == "empty"


def brace_scan(raw: str) -> tuple[int, dict[str, Any], str]:
    """Document 000's algorithm, step by step, for replies that have an `s`."""
    text = raw.lstrip()
    depth, in_string, escaped = 0, False, False
    for at, character in enumerate(text):
        if escaped:
            escaped = False
        elif in_string:
            escaped, in_string = character == "\\", character != '"'
        else:
            in_string = character == '"'
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                found = json.loads(text[: at + 1])
                return found["s"], found, text[at + 1 :].lstrip()
    raise ValueError("unbalanced")


@given(st.text(alphabet='{}[]":,\\s1 \naé', max_size=40) | st.text(max_size=60))
def test_no_input_whatever_makes_the_parser_raise_anything_else(raw: str) -> None:
    for text in (raw, '{"s":1' + raw, '{"s":1}' + raw, '{"s":1,"x":"' + raw + '"}'):
        result = outcome(text)
        if isinstance(result, LLMResponseParseError):
            assert result.kind in ParseErrorKind
            assert 0 <= result.position <= len(text)
        else:
            assert type(result.s) is int
            result.message.encode()


@given(st.binary(max_size=40) | st.none() | st.integers() | st.lists(st.text()))
def test_not_even_input_of_another_type_does(raw: Any) -> None:
    with pytest.raises(LLMResponseParseError):
        parse_llm_response(raw)


@given(
    st.text(alphabet='{}[]":,\\s1 2a', max_size=12).map(lambda inside: f'{inside}","x":1}} {inside}') | st.just('"}')
)
def test_what_is_accepted_is_what_the_documents_brace_scan_gives(rest: str) -> None:
    raw = '{"s":1,"a":"' + rest
    parsed = outcome(raw)
    assume(isinstance(parsed, ParsedLLMResponse))
    assert brace_scan(raw) == (parsed.s, parsed.json_part, parsed.message)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.integers(), st.dictionaries(TEXTS, VALUES, max_size=4), TEXTS, st.booleans(), st.sampled_from([None, 2]))
def test_any_object_with_s_and_any_message_come_back_as_they_were(
    s: int, fields: dict[str, Any], message: str, escape: bool, indent: int | None
) -> None:
    found = {**fields, "s": s}
    parsed = parse_llm_response(json.dumps(found, ensure_ascii=escape, indent=indent) + message)
    assert parsed == ParsedLLMResponse(s, found, message.lstrip().replace("\0", ""))
