"""A model's repair is used only when the broken reply can be read as it: mended, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.reply.local_repair import RepairRejectedError, accept_model_repair
from tests.cases.cpu_budget import work_that_ends
from tests.cases.parser_rows import ROWS

FAITHFUL = [
    # commas, colons, comments
    ("trailing comma", '{"s":1,}Texto', '{"s":1}Texto'),
    ("trailing commas inside", '{"s":1,"x":[1,2,],}Texto', '{"s":1,"x":[1,2]}Texto'),
    ("leading comma", '{,"s":1}Olá', '{"s":1}Olá'),
    ("missing comma", '{"s":1 "x":2}Olá', '{"s":1,"x":2}Olá'),
    ("comment to the end of the line", '{"s":1 # triagem\n}Olá', '{"s":1}Olá'),
    ("comment between slashes", '{"s":1 /* triagem */}Olá', '{"s":1}Olá'),
    ("comment of another language", '{"s":1, // triagem\n"x":2}Olá', '{"s":1,"x":2}Olá'),
    # quotes
    ("single quotes, a brace in them", "{'s':1,'obs':'usa { aqui'}Olá", '{"s":1,"obs":"usa { aqui"}Olá'),
    ("single quotes, the other brace", "{'s':1,'obs':'usa } aqui'}Olá", '{"s":1,"obs":"usa } aqui"}Olá'),
    ("curly quotes", "{“s”:1,“x”:“y”}Olá", '{"s":1,"x":"y"}Olá'),
    ("inch mark", '{"s":1,"obs":"tubo de 5" roscado"}Quantos?', '{"s":1,"obs":"tubo de 5\\" roscado"}Quantos?'),
    ("quotes inside", '{"s":1,"obs":"a "b", c"}Olá', '{"s":1,"obs":"a \\"b\\", c"}Olá'),
    # escapes
    ("raw tab", '{"s":1,"obs":"col1\tcol2"}Olá', '{"s":1,"obs":"col1\\tcol2"}Olá'),
    ("raw line break", '{"s":1,"obs":"linha\nnova"}Olá', '{"s":1,"obs":"linha\\nnova"}Olá'),
    ("windows path", '{"s":1,"c":"C:\\Laudos\\2026"}Olá', '{"s":1,"c":"C:\\\\Laudos\\\\2026"}Olá'),
    ("escaped apostrophe", '{"s":1,"obs":"d\\\'água"}Olá', '{"s":1,"obs":"d\'água"}Olá'),
    ("no quotes around keys", '{s:1, matriz: "solo"}Olá', '{"s":1,"matriz":"solo"}Olá'),
    ("escape decoded", '{"s":1,"obs":"\\u00e1gua",}Olá', '{"s":1,"obs":"água"}Olá'),
    ("surrogate pair decoded", '{"s":1,"e":"\\ud83d\\ude00",}Olá', '{"s":1,"e":"😀"}Olá'),
    ("zero width between members", '{"s":1,\u200b"x":2}Olá', '{"s":1,"x":2}Olá'),
    ("byte order mark inside", '{\ufeff"s":1}Olá', '{"s":1}Olá'),
    # literals and numbers
    ("python literals", '{"s":1,"ok":True,"n":False,"p":None}Olá', '{"s":1,"ok":true,"n":false,"p":null}Olá'),
    ("s in quotes", '{"s":"1"}Texto', '{"s":1}Texto'),
    ("s with a fraction of zero", '{"s":1.0}Texto', '{"s":1}Texto'),
    # brackets
    ("last brace missing", '{"s":1,"q":{"m":"água"}Quantas amostras?', '{"s":1,"q":{"m":"água"}}Quantas amostras?'),
    ("silent reply, last brace missing", '{"s":99,"context_needed":"X"', '{"s":99,"context_needed":"X"}'),
    ("object in an array", '[{"s":1}]Texto', '{"s":1}Texto'),
    ("deep", '{"s":1,"x":{"a":[{"b":1},{"b":2}]},}Olá', '{"s":1,"x":{"a":[{"b":1},{"b":2}]}}Olá'),
    ("keys in another order", '{"x":2,"s":1,}Olá', '{"s":1,"x":2}Olá'),
    # around it
    ("fence around the object", '```json\n{"s":1,}\n```\nQuantas amostras?', '{"s":1}Quantas amostras?'),
    ("fence around all", '```json\n{"s":1,}\nQuantas amostras?\n```', '{"s":1}Quantas amostras?'),
    ("words before", 'Resposta: {"s":1,}Olá', '{"s":1}Olá'),
    ("brace in the words", 'Começa com "{" e segue: {"s":1}Qual a origem?', '{"s":1}Qual a origem?'),
    ("brace group before", '{nota} {"s":1}Olá', '{"s":1}Olá'),
    ("closed reasoning with a decoy", '<think>talvez {"s":5}</think>{"s":1,}Olá', '{"s":1}Olá'),
    ("reasoning after the object", '{"s":1,}<think>depois</think>Olá', '{"s":1}Olá'),
    ("message before the object", 'Quantas amostras?\n\n```json\n{"s":1}\n```', '{"s":1}Quantas amostras?'),
    ("label before the message", '{"s":1,}\n**Mensagem:** Olá', '{"s":1}Olá'),
    ("quotes around the message", '{"s":1,}"Oi, tudo bem?"', '{"s":1}Oi, tudo bem?'),
    ("quotes around all, apostrophe", "'{\"s\":1,}Copo d'água'", '{"s":1}Copo d\'água'),
    ("parentheses around all", '({"s":1,}Oi (sim))', '{"s":1}Oi (sim)'),
    ("tag around all, tag inside", '<resposta>{"s":1,}<b>Oi</b></resposta>', '{"s":1}<b>Oi</b>'),
    ("comma in the quotes", '{"s":1,"a":"disse "oi", e saiu",}Oi', '{"s":1,"a":"disse \\"oi\\", e saiu"}Oi'),
    # white space aside
    ("white space in the message", '{"s":1,}Olá\n\nTudo  bem?\n', '{"s":1}Olá\nTudo bem?'),
]

UNFAITHFUL = [
    # the code
    ("another s", '{"s":1,}Texto', '{"s":2}Texto'),
    ("s invented", '{"message":"Texto"}', '{"s":1,"message":"Texto"}'),
    ("s invented, message moved", '{"message":"Texto"}', '{"s":1}Texto'),
    ("s invented for plain words", "Olá, tudo bem?", '{"s":1}Olá, tudo bem?'),
    ("s for a missing value", '{"s":}Olá', '{"s":1}Olá'),
    ("s for true", '{"s":true}Texto', '{"s":1}Texto'),
    ("s for null", '{"s":null}Texto', '{"s":1}Texto'),
    ("s for an object", '{"s":{"codigo":1}}Olá', '{"s":1}Olá'),
    ("s from a nested object", '{"data":{"s":1}}Olá', '{"s":1}Olá'),
    ("s lifted from a nested object", '{"data":{"s":1}}Olá', '{"s":1,"data":{"s":1}}Olá'),
    ("s from an object in an array in an object", '{"data":[{"s":1}]}Olá', '{"s":1}Olá'),
    ("s in Cyrillic", '{"ѕ":1}Olá', '{"s":1}Olá'),
    ("s in capitals", '{"S":1}Olá', '{"s":1}Olá'),
    ("two objects", 'Rascunho: {"s":5}errado. Definitivo: {"s":1}Qual?', '{"s":1}Qual?'),
    ("two objects in an array", '[{"s":1},{"s":2}]Olá', '{"s":1}Olá'),
    ("s twice, the last taken", '{"s":99,"s":1}Olá', '{"s":1}Olá'),
    ("s twice, the first taken", '{"s":99,"s":1}Olá', '{"s":99}Olá'),
    ("s from the reasoning", '<think>talvez {"s":5}</think>{"s":1,}Olá', '{"s":5}Olá'),
    ("s of a yaml", "s: 1\n---\nOlá", '{"s":1}Olá'),
    # fields
    ("field added", '{"s":1,}Texto', '{"s":1,"x":1}Texto'),
    ("field dropped", '{"s":1,"x":2,}Texto', '{"s":1}Texto'),
    ("last field dropped", '{"s":1,"a":1,"b":2,}Olá', '{"s":1,"a":1}Olá'),
    ("field swallowed by a text", '{"s":1,"a":"um","b":"dois",}Oi', '{"s":1,"a":"um\\",\\"b\\":\\"dois"}Oi'),
    ("field swallowed, no comma", '{"s":1,"a":"um" "b":"dois"}Oi', '{"s":1,"a":"um\\" \\"b\\":\\"dois"}Oi'),
    ("number swallowed", '{"s":1,"a":"um","b":2,"c":"x",}Oi', '{"s":1,"a":"um\\",\\"b\\":2,\\"c\\":\\"x"}Oi'),
    ("field swallowed, single quotes", "{'s':1,'a':'um','b':'dois'}Oi", """{"s":1,"a":"um','b':'dois"}Oi"""),
    ("field swallowed, curly quotes", "{“s”:1,“a”:“um”,“b”:“dois”}Oi", '{"s":1,"a":"um”,“b”:“dois"}Oi'),
    ("field swallowed, one curly quote", '{"s":1,"a":"um”,"b":"dois"}Oi', '{"s":1,"a":"um”,\\"b\\":\\"dois"}Oi'),
    ("field swallowed, no quotes", "{s:1, a: um, b: dois}Oi", '{"s":1,"a":"um, b: dois"}Oi'),
    ("field swallowed by a key", '{"s":1,"a":"um","b":"dois",}Oi', '{"s":1,"a\\":\\"um\\",\\"b":"dois"}Oi'),
    (
        "field swallowed, encoded twice",
        '"{\\"s\\":1,\\"a\\":\\"um\\",\\"b\\":\\"dois\\"}Oi"',
        '{"s":1,"a":"um\\",\\"b\\":\\"dois"}Oi',
    ),
    ("item swallowed", '{"s":1,"a":["um","dois",]}Oi', '{"s":1,"a":["um\\",\\"dois"]}Oi'),
    ("item swallowed, single quotes", "{'s':1,'a':['um','dois']}Oi", """{"s":1,"a":["um','dois"]}Oi"""),
    ("object swallowed", '{"s":1,"q":{"m":"x"},"t":"y",}Oi', '{"s":1,"q":{"m":"x\\"},\\"t\\":\\"y"}}Oi'),
    ("message swallowed", '{"s":1,"a":"um",}Ele disse "oi"}.', '{"s":1,"a":"um\\",}Ele disse \\"oi"}.'),
    ("field renamed", '{"s":1,"x":2,}Texto', '{"s":1,"y":2}Texto'),
    ("values swapped", '{"s":1,"a":"x","b":"y",}T', '{"s":1,"a":"y","b":"x"}T'),
    ("field moved into another object", '{"s":1,"q":{"m":"x"},"t":1,}Olá', '{"s":1,"q":{"m":"x","t":1}}Olá'),
    ("object before it dropped", '{"x":1}{"s":1,}Olá', '{"s":1}Olá'),
    ("object around it dropped", '{"a":1,"data":{"s":1}}Olá', '{"s":1}Olá'),
    ("key named twice, one kept", '{"s":1,"a":1,"a":2}Olá', '{"s":1,"a":2}Olá'),
    ("message moved into a field", '{"s":1,}Olá', '{"s":1,"message":"Olá"}'),
    # values
    ("number shortened", '{"s":1,"n":125,}T', '{"s":1,"n":12}T'),
    ("decimals shortened", '{"s":1,"n":7.25,}T', '{"s":1,"n":7.2}T'),
    ("thousands or decimals", '{"s":1,"n":1,234}Olá', '{"s":1,"n":1.234}Olá'),
    ("code turned into a number", '{"s":1,"cep":01310100}Olá', '{"s":1,"cep":1310100}Olá'),
    ("number turned into text", '{"s":1,"n":12,}T', '{"s":1,"n":"12"}T'),
    ("text turned into a number", '{"s":1,"n":"12",}T', '{"s":1,"n":12}T'),
    ("infinity turned into null", '{"s":1,"x":Infinity}Olá', '{"s":1,"x":null}Olá'),
    ("true turned into one", '{"s":1,"x":true,}Olá', '{"s":1,"x":1}Olá'),
    ("one turned into true", '{"s":1,"x":1,}Olá', '{"s":1,"x":true}Olá'),
    ("False turned into true", '{"s":1,"ok":False}Olá', '{"s":1,"ok":true}Olá'),
    ("empty turned into null", '{"s":1,"x":"",}Olá', '{"s":1,"x":null}Olá'),
    ("null turned into empty", '{"s":1,"x":null,}Olá', '{"s":1,"x":""}Olá'),
    ("missing value filled", '{"s":1,"x":,}Olá', '{"s":1,"x":""}Olá'),
    ("text shortened", '{"s":1,"o":"solo arenoso",}T', '{"s":1,"o":"solo"}T'),
    ("text shortened at an inch mark", '{"s":1,"o":"tubo de 5" roscado"}Quantos?', '{"s":1,"o":"tubo de 5"}Quantos?'),
    (
        "quote dropped from a text",
        '{"s":1,"o":"tubo de 5" roscado"}Quantos?',
        '{"s":1,"o":"tubo de 5 roscado"}Quantos?',
    ),
    ("text lengthened", '{"s":1,"o":"solo",}T', '{"s":1,"o":"solo arenoso"}T'),
    ("capitals changed", '{"s":1,"o":"solo",}T', '{"s":1,"o":"Solo"}T'),
    ("backslashes dropped", '{"s":1,"c":"C:\\Laudos"}Olá', '{"s":1,"c":"C:Laudos"}Olá'),
    ("items in another order", '{"s":1,"x":[1,2,3],}Olá', '{"s":1,"x":[1,3,2]}Olá'),
    ("item dropped", '{"s":1,"x":[1,2,3],}Olá', '{"s":1,"x":[1,2]}Olá'),
    # cut off
    ("cut inside a code", '{"s":9', '{"s":9}'),
    ("cut inside a number", '{"s":1,"n":12', '{"s":1,"n":12}'),
    ("cut inside a text", '{"s":1,"obs":"cond', '{"s":1,"obs":"cond"}'),
    ("cut inside an item, kept", '{"s":1,"f":["pH","DBO","cond', '{"s":1,"f":["pH","DBO","cond"]}'),
    ("cut inside an item, dropped", '{"s":1,"f":["pH","DBO","cond', '{"s":1,"f":["pH","DBO"]}'),
    ("cut inside an array", '{"s":1,"l":["a"', '{"s":1,"l":["a"]}'),
    ("cut inside an object", '{"s":1,"q":{"m":"água"', '{"s":1,"q":{"m":"água"}}'),
    ("cut after a comma", '{"s":1,', '{"s":1}'),
    ("cut text taken for the message", '{"s":1,"texto":"Qual a área? E o prazo', '{"s":1}Qual a área? E o prazo'),
    # the message
    ("message shortened", '{"s":1,}Quantas amostras serão analisadas?', '{"s":1}Quantas amostras?'),
    ("message lengthened", '{"s":1,}Quantas amostras?', '{"s":1}Quantas amostras serão?'),
    ("message without its start", '{"s":1,}Olá. Quantas?', '{"s":1}Quantas?'),
    ("message without its end", '{"s":1,}Olá. Quantas?', '{"s":1}Olá.'),
    ("message dropped", '{"s":1,}Olá. Quantas?', '{"s":1}'),
    ("message corrected", '{"s":1,}Quantas amostra?', '{"s":1}Quantas amostras?'),
    ("one half of parentheses lost", '{"s":1,}(Oi) tudo', '{"s":1}Oi) tudo'),
    ("one half of parentheses lost at the end", '{"s":1,}Tudo (oi)', '{"s":1}Tudo (oi'),
    ("halves of two parentheses lost", '{"s":1,}(Oi) e (tchau)', '{"s":1}Oi) e (tchau'),
    ("one half of quotes lost", '{"s":1,}"Oi" disse', '{"s":1}Oi" disse'),
    ("one half of quotes lost at the end", '{"s":1,}Disse "oi"', '{"s":1}Disse "oi'),
    ("halves of two quotes lost", '{"s":1,}"Oi" e "tchau"', '{"s":1}Oi" e "tchau'),
    ("one half of curly quotes lost", '{"s":1,}“Oi” disse', '{"s":1}Oi” disse'),
    ("one half of bold lost", '{"s":1,}*Oi* tudo', '{"s":1}Oi* tudo'),
    ("one half of code lost", '{"s":1,}`pH` tudo', '{"s":1}pH` tudo'),
    ("one half of a set lost", '{"s":1,}{As, Cd} são', '{"s":1}As, Cd} são'),
    ("one half of a number in brackets lost", '{"s":1,}[1] Água', '{"s":1}1] Água'),
    ("one half of a tag lost", '{"s":1,}<b>Oi</b> tudo', '{"s":1}Oi</b> tudo'),
    ("sign lost", '{"s":1,}<5 mg/L', '{"s":1}5 mg/L'),
    ("smile lost", '{"s":1,}Combinado :)', '{"s":1}Combinado'),
    ("message translated", '{"s":1,}Olá', '{"s":1}Hello'),
    ("amount shortened", '{"s":1,}São R$ 1.250,00', '{"s":1}São R$ 1.250,0'),
    ("words joined", '{"s":1,}São 12 5', '{"s":1}São 125'),
    ("words before joined to the message", 'Olá {"s":1,}Texto', '{"s":1}Olá Texto'),
    ("words before taken for the message", 'Olá {"s":1,}Texto', '{"s":1}Olá'),
    ("half of the words before", 'Olá! Quantas amostras? {"s":1,}', '{"s":1}Quantas amostras?'),
]


def reason(raw: str, repaired: str) -> str:
    with pytest.raises(RepairRejectedError) as caught:
        accept_model_repair(raw, repaired)
    return caught.value.reason


@pytest.mark.parametrize(("raw", "repaired"), [row[1:] for row in FAITHFUL], ids=[row[0] for row in FAITHFUL])
def test_a_repair_that_only_mends_is_accepted(raw: str, repaired: str) -> None:
    with pytest.raises(LLMResponseParseError):
        parse_llm_response(raw)
    assert accept_model_repair(raw, repaired) == parse_llm_response(repaired)


@pytest.mark.parametrize(("raw", "repaired"), [row[1:] for row in UNFAITHFUL], ids=[row[0] for row in UNFAITHFUL])
def test_a_repair_that_changes_anything_is_rejected(raw: str, repaired: str) -> None:
    assert reason(raw, repaired) == "repair_changed_content"


@pytest.mark.parametrize("answer", ["INVALID_FORMAT", " INVALID_FORMAT\n", "`INVALID_FORMAT`", '"INVALID_FORMAT".'])
def test_a_model_that_gives_up_is_believed(answer: str) -> None:
    assert reason('{"s":1,}Olá', answer) == "invalid_format"


@pytest.mark.parametrize(
    "answer", ["", '```json\n{"s":1}\n```Olá', 'Aqui está: {"s":1}Olá', '{"s":1,}Olá', '{"s":"1"}Olá']
)
def test_a_repair_that_is_itself_broken_is_rejected(answer: str) -> None:
    assert reason('{"s":1,}Olá', answer) == "still_invalid"


def test_a_rejection_never_repeats_either_text() -> None:
    with pytest.raises(RepairRejectedError) as caught:
        accept_model_repair('{"s":1,}segredo', '{"s":1}outro segredo')
    assert "segredo" not in repr(caught.value)


@pytest.mark.parametrize("row", [row for row in ROWS if row["lossless_recoverable"] is True], ids=lambda row: row["id"])
def test_a_model_that_unwraps_as_local_repair_would_is_accepted(row: dict[str, Any]) -> None:
    found = next(
        parse_llm_response(row["raw"][at:]) for at in reversed(range(len(row["raw"]))) if _parses(row["raw"][at:])
    )
    repaired = json.dumps(found.json_part, ensure_ascii=False) + row["recovered_message"]
    assert accept_model_repair(row["raw"], repaired).message == row["recovered_message"]


def _parses(raw: str) -> bool:
    try:
        parse_llm_response(raw)
    except LLMResponseParseError:
        return False
    return raw.startswith("{")


TEXTS = st.text("ab \"'\\,:}]{[\n\tçé“”", max_size=10)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.one_of(TEXTS, st.integers(), st.booleans(), st.none()), max_size=3),
    st.text("abç .?\n", min_size=1, max_size=20),
)
def test_a_trailing_comma_mended_is_always_accepted(fields: dict[str, Any], message: str) -> None:
    found = json.dumps({"s": 1, **fields}, ensure_ascii=False)
    assert accept_model_repair(f"{found[:-1]},}}{message}", f"{found}{message}").json_part == {"s": 1, **fields}


@given(
    st.dictionaries(st.sampled_from("abcd"), st.text("abc", max_size=5), min_size=1, max_size=3),
    st.dictionaries(st.sampled_from("abcd"), st.text("abc", max_size=5), max_size=3),
)
def test_other_fields_are_never_accepted(fields: dict[str, str], others: dict[str, str]) -> None:
    raw = json.dumps({"s": 1, **fields})[:-1] + ",}Olá"
    repaired = json.dumps({"s": 1, **others}) + "Olá"
    if fields == others:
        accept_model_repair(raw, repaired)
    else:
        assert reason(raw, repaired) == "repair_changed_content"


@given(
    st.text(alphabet="{}[]\":,'\\s1 \na&;`<>/", max_size=50) | st.text(max_size=40),
    st.text('{}[]":,s1a\\\n', max_size=20),
)
def test_no_original_and_no_repair_make_the_check_raise_anything_else(raw: str, rest: str) -> None:
    for repaired in (rest, f'{{"s":1}}{rest}', '{"s":1,"a":[true,null,1.5,{"b":"c"}]}Olá', '{"s":1}' + raw):
        try:
            accept_model_repair(raw, repaired)
        except RepairRejectedError as error:
            assert error.reason in {"invalid_format", "still_invalid", "repair_changed_content"}  # noqa: PT017


@pytest.mark.parametrize(
    ("raw", "repaired"),
    [
        ("{" * 20_000, '{"s":1}Olá'),
        ('{"s":1,' * 2_000, '{"s":1}Olá'),
        ('{"s":1,}' + "`" * 30_000 + "x", '{"s":1}Olá'),
        ('{"s":1,}"' + "<b>[(" * 8_000 + "x)", '{"s":1}' + "<b>[(" * 8_000 + "x"),
        ('{"s":1,"x":"' + 'a"  ' * 8_000 + '",}Olá', '{"s":1,"x":"' + 'a\\"  ' * 8_000 + ' "}Olá'),
        ('{"s":1e999999999,}Olá', '{"s":1}Olá'),
        ('{"s":1,' + ",".join(f'"campo_{i}":"{i}"' for i in range(300)) + ",}Olá", '{"s":1}Olá'),
        ('{"s":1,"x":' + "[" * 200 + "1" + "]" * 200 + ",}Olá", '{"s":1,"x":' + "[" * 200 + "1" + "]" * 200 + "}Olá"),
    ],
    ids=["braces", "openings", "backticks", "halves", "quotes", "exponent", "fields", "depth"],
)
def test_a_hostile_pair_is_judged_in_time_that_grows_with_it(raw: str, repaired: str) -> None:
    with work_that_ends():
        assert reason(raw, repaired) == "repair_changed_content"
