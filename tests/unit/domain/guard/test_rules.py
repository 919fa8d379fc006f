"""The rules are a table: each has a name of its own, an example that it fires on, and classes that exist."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.guard.detectors import FRUSTRATION, HUMAN_REQUEST, OPT_OUT, fired, rules
from core.domain.guard.lexicon import classes, read_table, senses
from core.domain.guard.phrases import Phrase, Text
from core.domain.guard.spelling import spell_out

TABLES = read_table("rules")
EXAMPLES = [
    (detector, row["name"], row["example"])
    for detector in (FRUSTRATION, HUMAN_REQUEST, OPT_OUT)
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


@pytest.mark.parametrize(
    ("phrase", "text", "said"),
    [
        ("quero um? <person>", "eu quero um atendente", ["quero um atendente"]),
        ("<person> $", "atendente , pessoa boa", ["atendente"]),
        ("^ quero|queria", "quero e queria . queria", ["quero", "queria"]),
        ("falar .. com", "falar agora , com", []),
        ("falar .. com", "falar agora mesmo com quem", ["falar agora mesmo com"]),
        ("nao !quero|vou", "nao quero nao vou nao sei nao ?", ["nao sei"]),
        ("muito* bom !", "muito muito bom !", ["muito muito bom !", "muito bom !", "bom !"]),
    ],
)
def test_what_the_writing_of_phrases_means(phrase: str, text: str, said: list[str]) -> None:
    row = Text(text)
    found = Phrase(phrase).found(row, 0, len(row.words))
    assert [" ".join(row.words[start:end]) for start, end in found] == said


@pytest.mark.parametrize(
    ("word", "named"),
    [("burras", "<slur>"), ("extremamente", "<adv>"), ("atendente", "<served_by>"), ("ser_humano", "<person>")],
)
def test_a_word_belongs_to_the_classes_that_list_it_or_its_ending(word: str, named: str) -> None:
    assert named in senses(word)


@given(st.text(max_size=30))
def test_a_mark_belongs_to_no_class(text: str) -> None:
    assert not any("<" in sense for mark in "?!.," for sense in senses(mark))
    assert text in senses(text)
