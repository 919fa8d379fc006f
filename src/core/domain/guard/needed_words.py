"""The words without which a text does not hold a phrase.

Nearly all phrases are ruled out by looking at a text's words alone. To search for every one would cost several times
the rest of the guard in each turn, and to compile every one would keep the first customer after a start waiting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

# What phrases are written with: classes, groups and what opens them, sets of characters, quantifiers, letters. A
# quantifier belongs to one letter, so that a run of letters ends before it.
_TOKEN = re.compile(
    r"<(?P<name>[a-z_]+)>|(?P<opens>\((?:\?:|\?P<[a-z]+>|\?!)?)|(?P<set>\[[^\]]+\])|(?P<times>[?*+]\??|\{[\d,]+\}\??)"
    r"|(?P<letters>[^<>()\[\]?*+{}|$]+(?![?*+{])|[^<>()\[\]?*+{}|$])|[|)$]"
)
_MOST_TEXTS = 64
"""Texts beyond which a part of a phrase is no longer spelled out."""

# Words that stand in texts of all kinds: a phrase is better known by any other of its words.
_COMMON = (
    "a o as os e ou de do da dos das em no na um uma que se com por para ao nao sim ja eu me te voce voces senhor"
    " senhora isso esse essa este esta estou sao foi ser ter tem tudo mais muito so bem bom boa dia tarde noite aqui"
    " agora quero queria preciso gostaria posso pode fazer analise agua amostra laboratorio ? ! . ,"
)
_EVERYWHERE = frozenset(_COMMON.split())

Needs = tuple[frozenset[str], ...]
"""Sets of words, the rarest first: a text meets every one of them."""


class _Part(NamedTuple):
    """Part of a phrase. `texts`: all it may be, unless too many; `needs`: what whatever it may be meets.

    `closed`: a word begins after it, if one did before.
    """

    texts: frozenset[str] | None = None
    needs: Needs = ()
    closed: bool = True


_NOTHING = _Part(frozenset({""}))


def needed_words(phrase: str, classes: Mapping[str, frozenset[str]]) -> tuple[Needs, ...]:
    """For each alternative of a phrase, what a text must meet to hold it; an empty one may stand in any text."""
    return tuple(branch.needs for branch in _Reader(phrase, classes).branches(at_word=True))


class _Reader:
    """Reads a phrase once, from left to right. `at_word`: what is read next begins a word of the text."""

    def __init__(self, phrase: str, classes: Mapping[str, frozenset[str]]) -> None:
        self._tokens = list(_TOKEN.finditer(phrase))
        self._classes = classes
        self._at = 0

    def branches(self, *, at_word: bool) -> list[_Part]:
        branches = [self._sequence(at_word=at_word)]
        while self._next() == "|":
            self._at += 1
            branches.append(self._sequence(at_word=at_word))
        return branches

    def _group(self, *, at_word: bool) -> _Part:
        branches = self.branches(at_word=at_word)
        self._at += 1
        texts = [branch.texts for branch in branches]
        known = all(branch.needs for branch in branches)
        return _Part(
            texts=None if None in texts else frozenset().union(*filter(None, texts)),
            needs=(frozenset().union(*(branch.needs[0] for branch in branches)),) if known else (),
            closed=all(branch.closed for branch in branches),
        )

    def _sequence(self, *, at_word: bool) -> _Part:
        """Texts grow while they can be spelled out; each run of them, and each part between, has its needs."""
        texts, begins_word, needs, whole = frozenset({""}), at_word, set[frozenset[str]](), True
        while self._next() not in {"|", ")", ""}:
            part = self._item(texts, at_word=begins_word)
            if part.texts is not None and len(texts) * len(part.texts) <= _MOST_TEXTS:
                texts = frozenset(map("".join, product(texts, part.texts)))
                continue
            needs.update(_whole_words(texts, at_word=begins_word), part.needs)
            begins_word = part.closed if part.texts is None else _ends_word(part.texts, at_word=False)
            texts, whole = frozenset({""}), False
        needs.update(_whole_words(texts, at_word=begins_word))
        return _Part(
            texts=texts if whole else None,
            needs=tuple(sorted(needs, key=_frequency)),
            closed=_ends_word(texts, at_word=begins_word),
        )

    def _item(self, before: frozenset[str], *, at_word: bool) -> _Part:
        token = self._tokens[self._at]
        self._at += 1
        if token["letters"] and not self._repeats():
            return _Part(frozenset({token["letters"]}))
        at_word = _ends_word(before, at_word=at_word)
        if token["opens"]:
            part = self._group(at_word=at_word)
            part = _NOTHING if token["opens"] == "(?!" else part
        elif token["name"]:
            part = self._class(token["name"], at_word=at_word)
        elif token["set"]:
            part = _one_of(token["set"])
        else:
            part = _Part(frozenset({token["letters"] or ""}))
        return self._repeated(part, at_word=at_word)

    def _class(self, name: str, *, at_word: bool) -> _Part:
        if name in {"start", "end"}:
            return _NOTHING
        known = at_word and name in self._classes  # `any` is no class
        return _Part(needs=_words_of_class(self._classes[name]) if known else ())

    def _repeated(self, part: _Part, *, at_word: bool) -> _Part:
        if not (times := self._repeats()):
            return part
        self._at += 1
        if times.startswith("?"):
            texts = part.texts and part.texts | {""}
            return _Part(texts=texts, closed=part.closed and at_word)
        optional = times.startswith(("*", "{0,"))
        closed = part.closed if part.texts is None else _ends_word(part.texts, at_word=False)
        needs = part.needs if part.texts is None else _whole_words(part.texts, at_word=at_word)
        return _Part(needs=() if optional else needs, closed=closed and (at_word or not optional))

    def _repeats(self) -> str | None:
        return self._tokens[self._at]["times"] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""


def _one_of(characters: str) -> _Part:
    """`[ea]` and `[?!.,]`, spelled out; a range is any letter, and leaves a word open."""
    if "-" in characters:
        return _Part(closed=False)
    return _Part(frozenset(characters[1:-1]))


def _ends_word(texts: Iterable[str], *, at_word: bool) -> bool:
    """Whether a word begins after each of them."""
    return all(text.endswith(" ") or (not text and at_word) for text in texts)


def _whole_words(texts: Iterable[str], *, at_word: bool) -> Needs:
    """The rarest word of each text; their first words, their second, and so on; their last, the last but one.

    The last word of a text may go on, unless a space follows it, and the first may have begun before.
    """
    whole = [list(filter(None, text.split(" ")[0 if at_word else 1 : -1])) for text in texts]
    if not all(whole):
        return ()
    rarest = frozenset(min(words, key=lambda word: (word in _EVERYWHERE, -len(word))) for words in whole)
    in_place = {frozenset(column) for column in (*zip(*whole, strict=False), *zip(*map(reversed, whole), strict=False))}
    return (rarest, *in_place)


@cache  # a class stands in many phrases
def _words_of_class(entries: frozenset[str]) -> Needs:
    if not all(entry.replace(" ", "").isalnum() for entry in entries):  # an entry that is a pattern
        return ()
    return _whole_words((f"{entry} " for entry in entries), at_word=True)[:1]


def _frequency(words: frozenset[str]) -> tuple[int, int]:
    """How often a text will hold one of them: by those that are everywhere, then by how many they are."""
    return len(words & _EVERYWHERE), len(words)
