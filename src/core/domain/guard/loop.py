"""Do the last three messages ask one thing? What they share after stop words, and nothing new in the last of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from core.domain.guard.lexicon import words
from core.domain.guard.spelling import spell_out
from core.domain.guard.tables import read_table

WINDOW = 3
_STEM_LENGTH = 6
_MENU_DIGITS = 2
_LETTER_VALUE = "letter "
# "é para o cliente A", "amostra A é do poço": a letter that names something.
_LETTER = re.compile(r"(?<![^ ])[a-z]{3,} ([a-df-np-z]) (?:(?:[?!.,] )*$|(?:e|de|ok|para) )")
_TIME_OF_DAY = re.compile(r"(?<![^ ])(?:bom dia|boa tarde|boa noite) ")


class _Words(NamedTuple):
    stop: frozenset[str]
    frame: frozenset[str]
    value: frozenset[str]
    solved: frozenset[str]
    greetings: frozenset[str]
    synonyms: dict[str, str]


@cache
def _words() -> _Words:
    table = read_table("loop")
    lists = {name: words(entries) for name, entries in table.items() if name != "synonyms"}
    synonyms = {variant: word for word, variants in table["synonyms"].items() for variant in variants.split()}
    return _Words(**lists, synonyms=synonyms)


def is_loop(texts: Sequence[str]) -> bool:
    """Whether the newest of the last three texts asks again what the two before it asked."""
    if len(texts) < WINDOW:
        return False
    spelled = [_TIME_OF_DAY.sub("", spell_out(text)) for text in texts[-WINDOW:]]
    if not any(_said(text) for text in spelled):
        return all("?" in text for text in spelled)
    if len({tuple(_said(text)) for text in spelled}) == 1 and "_".join(_said(spelled[0])) in _words().greetings:
        return True
    if _solved(spelled[-1]) or all(_menu_answer(text) for text in spelled):
        return False
    subjects = [_subject(text) for text in spelled]
    framed = [subject | _frame(text) for subject, text in zip(subjects, spelled, strict=True)]
    return _repeats(subjects) or _repeats(framed)


def _repeats(said: list[frozenset[str]]) -> bool:
    """Something is common to all, the last adds nothing, and no value took the place of another."""
    shared = frozenset.intersection(*said)
    new = said[-1] - said[0] - said[1]
    return bool(shared) and not new and not any(_replaced(_values(a), _values(b)) for a, b in pairwise(said))


def _replaced(before: frozenset[str], after: frozenset[str]) -> bool:
    return bool(before - after and after - before)


def _said(text: str) -> list[str]:
    return [word for word in text.split() if word.isalnum()]


def _subject(text: str) -> frozenset[str]:
    letters = set(_LETTER.findall(text))
    known = _words()
    plain = (known.synonyms.get(word, word) for word in _said(text))
    kept = {_stem(word) for word in plain if word not in known.stop | known.frame | letters}
    return frozenset(kept | {f"{_LETTER_VALUE}{letter}" for letter in letters})


def _frame(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _said(text) if word in _words().frame)


def _values(said: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in said if _is_value(word))


def _is_value(word: str) -> bool:
    return word.startswith(_LETTER_VALUE) or word in _words().value or any(map(str.isdigit, word))


def _stem(word: str) -> str:
    """Enough of a word to know "acreditação" in "acreditado"; values stay whole."""
    return word if _is_value(word) else word.rstrip("sr")[:_STEM_LENGTH]


def _solved(text: str) -> bool:
    return not _words().solved.isdisjoint(text.split()) and "nao" not in text.split()


def _menu_answer(text: str) -> bool:
    said = _said(text)
    return len(said) == 1 and said[0].isdigit() and len(said[0]) <= _MENU_DIGITS
