"""The rules are a table: each has a name of its own, an example that it fires on, and classes that exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.guard.detectors import FRUSTRATION, HUMAN_REQUEST, OPT_OUT, SIGN, fired, frustration, rules
from core.domain.guard.lexicon import classes, senses
from core.domain.guard.phrases import Excuse, Phrase, Rule, Text
from core.domain.guard.spelling import spell_out
from core.domain.guard.tables import read_table

TABLES = {**read_table("rules"), **read_table("signs")}
EXAMPLES = [
    (detector, row["name"], row["example"])
    for detector in (FRUSTRATION, HUMAN_REQUEST, OPT_OUT, SIGN)
    for row in TABLES[detector]
]


@pytest.mark.parametrize(("detector", "name", "example"), EXAMPLES)
def test_each_rule_fires_on_its_example(detector: str, name: str, example: str) -> None:
    assert name in fired(detector, Text(spell_out(example)))


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [name for _, name, _ in EXAMPLES]
    assert len(names) == len(set(names))
    assert [rule.name for rule in rules(FRUSTRATION)] == [row["name"] for row in TABLES[FRUSTRATION]]


def test_every_class_that_a_phrase_or_a_list_names_exists_and_every_class_is_named() -> None:
    written = f"{TABLES} {read_table('words')} <us> <your>"
    assert set(re.findall(r"<[a-z_]+>", written)) == set().union(*classes().values())


def test_words_that_a_phrase_writes_as_one_are_joined_by_the_spelling() -> None:
    phrases = [phrase for rows in TABLES.values() for row in _rules(rows) for phrase in row.get("phrases", ())]
    written = set(re.findall(r"(?<![<a-z_])[a-z]+(?:_[a-z]+)+(?![a-z_>])", " ".join(phrases)))
    assert [word for word in written if spell_out(word.replace("_", " ")) != f"{word} "] == []


def _rules(rows: Any) -> Iterable[Mapping[str, Any]]:
    return rows.values() if isinstance(rows, dict) else rows


@pytest.mark.parametrize(
    ("phrase", "text", "said"),
    [
        ("quero um? <person>", "eu quero um atendente", ["quero um atendente"]),
        ("<person> $", "atendente , pessoa boa", ["atendente"]),
        ("^ quero|queria", "quero e queria . queria", ["quero", "queria"]),
        ("falar .. com", "falar agora , com", []),
        ("falar .. com", "falar agora mesmo com quem", ["falar agora mesmo com"]),
        ("nao !quero|vou", "nao quero nao vou nao sei nao ?", ["nao sei"]),
        ("isso e golpe ?", "isso e golpe ! isso e golpe ?", ["isso e golpe ?"]),
        ("muito* bom !", "muito muito bom !", ["muito muito bom !", "muito bom !", "bom !"]),
        ("falar .. com", "falar a b c d com", ["falar a b c d com"]),
        ("falar .. com", "falar a b c d e com", []),
        ("^ muito* bom", "muito muito muito muito bom", ["muito muito muito muito bom"]),
        ("^ muito* bom", "muito muito muito muito muito bom", []),
        ("um? dois", "um um dois", ["um dois", "dois"]),
        ("um . dois", "um dois", []),
        ("um . dois", "um a dois um , dois", ["um a dois"]),
        ("bom $", "bom dia bom", ["bom"]),
        ("^ bom", "bom dia bom ? bom", ["bom", "bom"]),
        ("^ bom $", "bom , tudo bom , bom dia", ["bom"]),
    ],
)
def test_what_the_writing_of_phrases_means(phrase: str, text: str, said: list[str]) -> None:
    row = Text(text)
    found = Phrase(phrase).found(row, 0, len(row.words))
    assert [" ".join(row.words[start:end]) for start, end in found] == said


@pytest.mark.parametrize(
    ("phrases", "text", "excused"),
    [
        pytest.param(["nao"], f"nao {'a ' * 11}burro", True, id="twelve words before"),
        pytest.param(["nao"], f"nao {'a ' * 12}burro", False, id="thirteen words before"),
        pytest.param(["nao"], f"burro {'a ' * 11}nao", True, id="twelve words behind"),
        pytest.param(["nao"], f"burro {'a ' * 12}nao", False, id="thirteen words behind"),
        pytest.param(["nao"], "nao , burro", False, id="in the clause before"),
        pytest.param(["nao"], "burro , nao", False, id="in the clause behind"),
        pytest.param(["nao e @"], "nao e burro", True, id="right before"),
        pytest.param(["nao e @"], "nao e um burro", False, id="before, with a word between"),
        pytest.param(["@ de carga"], "burro de carga", True, id="right behind"),
        pytest.param(["@ de carga"], "burro velho de carga", False, id="behind, with a word between"),
    ],
)
def test_what_excuses_a_sighting_stands_in_its_clause_and_in_sight(
    phrases: list[str], text: str, *, excused: bool
) -> None:
    row = Text(text)
    at = row.words.index("burro")
    assert Excuse(phrases).holds(row, at, at + 1) is excused
    assert not Excuse(phrases, but=["burro"]).holds(row, at, at + 1)


@pytest.mark.parametrize(
    ("text", "excused"),
    [
        pytest.param(f"burro , {'a ' * 22}nao", True, id="twenty-four words behind"),
        pytest.param(f"burro , {'a ' * 23}nao", False, id="twenty-five words behind"),
        pytest.param(f"nao , {'a ' * 22}burro", True, id="twenty-four words before"),
        pytest.param(f"nao , {'a ' * 23}burro", False, id="twenty-five words before"),
    ],
)
def test_what_excuses_anywhere_stands_in_any_clause_twice_as_far(text: str, *, excused: bool) -> None:
    row = Text(text)
    at = row.words.index("burro")
    assert Excuse(["nao"], anywhere=True).holds(row, at, at + 1) is excused


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        pytest.param("a", True, id="one of the first class"),
        pytest.param("a b b b b b b b", True, id="eight words"),
        pytest.param("a b b b b b b b b", False, id="nine words"),
        pytest.param("a , b b b b b b b ?", True, id="eight words and marks"),
        pytest.param("b b", False, id="none of the first class"),
        pytest.param("a c", False, id="a word of neither"),
        pytest.param("a nao", False, id="excused"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_a_rule_for_short_texts_fires_on_two_classes_and_nothing_else(text: str, *, fires: bool) -> None:
    rule = Rule(name="short", example="", only=("a", "b"), excuses=[Excuse(["nao"])])
    assert rule.fires(Text(text)) is fires


@pytest.mark.parametrize(("text", "fires"), [("a x", True), ("a", False), ("x", False), ("a , x", True)])
def test_a_rule_with_words_beside_it_needs_both(text: str, *, fires: bool) -> None:
    rule = Rule(name="beside", example="", phrases=[Phrase("a")], beside=[Phrase("x")])
    assert rule.fires(Text(text)) is fires


def test_a_sighting_that_nothing_excuses_is_enough() -> None:
    rule = Rule(name="twice", example="", phrases=[Phrase("a")], excuses=[Excuse(["nao @"])])
    assert rule.fires(Text("nao a , a"))
    assert not rule.fires(Text("nao a , nao a"))


def test_an_index_finds_the_rules_that_each_would_say_of_itself() -> None:
    for text in (Text(spell_out(example)) for *_, example in EXAMPLES):
        for detector in (FRUSTRATION, HUMAN_REQUEST, OPT_OUT, SIGN):
            assert list(fired(detector, text)) == [rule.name for rule in rules(detector) if rule.fires(text)]


@pytest.mark.parametrize(
    ("text", "angry"),
    [
        pytest.param("já é a quarta vez que digito meu cnpj aqui", True, id="signs that add up"),
        pytest.param("é a segunda vez que compro aí, tem fidelidade?", False, id="the same sign, and signs against it"),
        pytest.param("que palhaçada de vocês", True, id="a rule alone"),
        pytest.param("o banco bloqueou tudo, que palhaçada", False, id="a rule, and somebody else"),
        pytest.param("vocês são loucos de bons", False, id="a rule, and praise"),
        pytest.param("estampa escrito ATENDIMENTO RUIM? AQUI NÃO!", False, id="a rule, and what is to be printed"),
        pytest.param("o último técnico que veio aqui me passou a perna", False, id="who was here before"),
    ],
)
def test_signs_add_up_and_take_back(text: str, *, angry: bool) -> None:
    assert (frustration(spell_out(text)) is not None) is angry


def test_every_sign_counts_for_something() -> None:
    assert all(sign.points for sign in rules(SIGN))


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("burras", "<slur>"),
        ("conect", "<transfer>"),
        ("conectamos", "<transfer>"),
        ("extremamente", "<adv>"),
        ("atendente", "<served_by>"),
        ("ser_humano", "<person>"),
    ],
)
def test_a_word_belongs_to_the_classes_that_list_it_or_its_ending(word: str, named: str) -> None:
    assert named in senses(word)


@given(st.text(max_size=30))
def test_a_mark_belongs_to_no_class(text: str) -> None:
    assert not any("<" in sense for mark in "?!.," for sense in senses(mark))
    assert text in senses(text)
