"""The words of which a text must hold one for a phrase to be found in it.

Most phrases are ruled out by looking at a text's words alone: searching for all of them would cost a turn more than
everything else of the guard, and compiling them a cold start more than the imports of a door.
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


class _Part(NamedTuple):
    """Part of a phrase. `texts`: all it may be, unless too many. `closed`: a word begins after it, if one did before.

    `needs`: words of which one stands in whatever it may be; None when there are none.
    """

    texts: frozenset[str] | None = None
    needs: frozenset[str] | None = None
    closed: bool = True


_NOTHING = _Part(frozenset({""}))


def needed_words(phrase: str, classes: Mapping[str, frozenset[str]]) -> frozenset[str] | None:
    """A set of words that every text with this phrase meets; None when no set is sure."""
    return _Reader(phrase, classes).either(at_word=True).needs


class _Reader:
    """Reads a phrase once, from left to right. `at_word`: what is read next begins a word of the text."""

    def __init__(self, phrase: str, classes: Mapping[str, frozenset[str]]) -> None:
        self._tokens = list(_TOKEN.finditer(phrase))
        self._classes = classes
        self._at = 0

    def either(self, *, at_word: bool) -> _Part:
        branches = [self._sequence(at_word=at_word)]
        while self._next() == "|":
            self._at += 1
            branches.append(self._sequence(at_word=at_word))
        texts = [branch.texts for branch in branches]
        needs = [branch.needs for branch in branches]
        return _Part(
            texts=None if None in texts else frozenset().union(*filter(None, texts)),
            needs=None if None in needs else frozenset().union(*filter(None, needs)),
            closed=all(branch.closed for branch in branches),
        )

    def _sequence(self, *, at_word: bool) -> _Part:
        """Texts grow while they can be spelled out; each run of them, and each part between, offers its words."""
        texts, begins_word, offers, whole = frozenset({""}), at_word, list[frozenset[str] | None](), True
        while self._next() not in {"|", ")", ""}:
            part = self._item(texts, at_word=begins_word)
            if part.texts is not None and len(texts) * len(part.texts) <= _MOST_TEXTS:
                texts = frozenset(map("".join, product(texts, part.texts)))
                continue
            offers += (_whole_words(texts, at_word=begins_word), part.needs)
            texts, begins_word, whole = frozenset({""}), part.closed, False
        offers.append(_whole_words(texts, at_word=begins_word))
        sure = [words for words in offers if words]
        return _Part(
            texts=texts if whole else None,
            needs=min(sure, key=_frequency) if sure else None,
            closed=_ends_word(texts, at_word=begins_word),
        )

    def _item(self, before: frozenset[str], *, at_word: bool) -> _Part:
        token = self._tokens[self._at]
        self._at += 1
        if token["letters"] and not self._repeats():
            return _Part(frozenset({token["letters"]}))
        at_word = _ends_word(before, at_word=at_word)
        if token["opens"]:
            part = self.either(at_word=at_word)
            self._at += 1
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
        return _Part(needs=_words_of_class(self._classes[name]) if known else None)

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
        return _Part(needs=None if optional else needs, closed=closed and (at_word or not optional))

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


def _whole_words(texts: Iterable[str], *, at_word: bool) -> frozenset[str] | None:
    """A word from each text; the last may go on, unless a space follows it, and the first may have begun before."""
    found = set()
    for text in texts:
        if " " not in text:
            return None
        whole = [word for word in text.split(" ")[0 if at_word else 1 : -1] if word]
        if not whole:
            return None
        found.add(min(whole, key=lambda word: (word in _EVERYWHERE, -len(word))))
    return frozenset(found)


@cache  # a class stands in many phrases
def _words_of_class(entries: frozenset[str]) -> frozenset[str] | None:
    if not all(entry.replace(" ", "").isalnum() for entry in entries):  # an entry that is a pattern
        return None
    return _whole_words((f"{entry} " for entry in entries), at_word=True)


def _frequency(words: frozenset[str]) -> tuple[int, int]:
    """How often a text will hold one of them: by those that are everywhere, then by how many they are."""
    return len(words & _EVERYWHERE), len(words)
