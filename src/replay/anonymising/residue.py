"""The last look at an anonymised session: what still looks like somebody's blocks the export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from core.domain.text import fold
from core.domain.values.dictation import write_out_digits
from replay.anonymising import patterns
from replay.anonymising.days import day_of
from replay.anonymising.known_values import KnownValues
from replay.anonymising.line_keys import line_keys
from replay.anonymising.pseudonyms import COMPACT, LOCAL_DIGITS, Pseudonyms, is_document, name_lists, plain_letters
from replay.anonymising.vocabulary import Vocabulary
from replay.anonymising.words import words_in
from replay.session_file.lines import session_lines
from replay.session_file.records import RecordedSession

_LEAST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Residue:
    """Where something stands that may be somebody's; `what` is its kind, `hint` its first character and length."""

    session: str
    turn: int | None
    what: str
    hint: str


def residue_of(
    session: RecordedSession,
    known: KnownValues,
    pseudonyms: Pseudonyms,
    vocabulary: Vocabulary,
    *,
    allowed: frozenset[str] = frozenset(),
) -> tuple[Residue, ...]:
    """Everything found, once each; `allowed` was looked at by somebody and is nobody's."""
    made = frozenset(plain_letters(pseudonyms.word(name)) for name in sorted(known.names))
    days = frozenset(pseudonyms.day(day) for day in sorted(known.days))
    scan = _Scan(known, pseudonyms, vocabulary, allowed, made, days)
    found: dict[Residue, None] = {}
    turn: int | None = None
    for line in session_lines(session):
        turn = line.get("number", line.get("turn", turn)) if line["type"] != "session" else None
        for text in _texts(line):
            for what, value in scan.found(text):
                found[Residue(session.id, turn, what, f"{value[:1]}… ({len(value)} characters)")] = None
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Scan:
    known: KnownValues
    pseudonyms: Pseudonyms
    vocabulary: Vocabulary
    allowed: frozenset[str]
    made: frozenset[str]
    made_days: frozenset[date]

    def found(self, text: str) -> Iterator[tuple[str, str]]:
        """Kind and value of what should not stand there."""
        for kind, value in self._candidates(text):
            if value not in self.allowed and COMPACT.sub("", value) not in self.allowed:
                yield kind, value

    def _candidates(self, text: str) -> Iterator[tuple[str, str]]:
        yield from (("e-mail", each) for each in patterns.EMAIL.findall(text) if each.lower() in self.known.emails)
        days = ((each, day_of(each)) for each in patterns.DATE.findall(text))
        yield from (("day", each) for each, day in days if day in self.known.days and day not in self.made_days)
        undated = patterns.DATE.sub(" ", text)
        for pattern in (patterns.CPF, patterns.CNPJ, patterns.LONG_NUMBER, patterns.PHONE, patterns.POSTAL_CODE):
            yield from (("number", each) for each in pattern.findall(undated) if not self._ours(each))
        for match in patterns.SAID_NUMBER.finditer(undated):
            digits = COMPACT.sub("", write_out_digits(fold(match[0])))
            if not digits.isdecimal() or not self._ours(digits):
                yield "said number", match[0]
        for word in words_in(text):
            if self._is_a_name(word.plain):
                yield "name", word.written
        yield from (("name", name) for name in self._unknown_names(text))

    def _is_a_name(self, folded: str) -> bool:
        old = folded in self.known.names and folded not in self.vocabulary.words and len(folded) >= _LEAST_LETTERS
        return old and not self._made_word(folded)

    def _unknown_names(self, text: str) -> Iterator[str]:
        """A first name and a surname, both with capitals, that nobody changed."""
        lists = name_lists()
        for first, last in pairwise(words_in(text)):
            listed = first.plain in lists.first and last.plain in lists.last
            named = listed and first.written[:1].isupper() and last.written[:1].isupper()
            changed = self._made_word(first.plain) or self._made_word(last.plain)
            if named and not changed and not {first.plain, last.plain} <= self.vocabulary.words:
                yield f"{first.written} {last.written}"

    def _made_word(self, folded: str) -> bool:
        """One of this session's own: what is made for another may be somebody's here."""
        return folded in self.made

    def _ours(self, written: str) -> bool:
        compact = COMPACT.sub("", written).upper()
        if compact in self.vocabulary.own or compact[-LOCAL_DIGITS:] in self.vocabulary.own:
            return True
        if self.pseudonyms.is_made("document", compact):
            return True
        return not is_document(compact) and self.pseudonyms.is_made("number", compact[-LOCAL_DIGITS:])


def _texts(value: Any, key: str = "") -> Iterator[str]:
    """Every text that somebody may have written; keys and hashes are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if name not in _IDENTIFIERS:
                yield from _texts(each, str(name))
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, key)


_IDENTIFIERS = line_keys("identifiers")
