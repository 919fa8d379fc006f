"""Texts with other people's names and numbers in them: what is known first, then what looks personal, then names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from replay.anonymising import patterns
from replay.anonymising.days import day_of, written_like
from replay.anonymising.pseudonyms import (
    COMPACT,
    LOCAL_DIGITS,
    Pseudonyms,
    is_document,
    masked_like,
    name_lists,
    plain_letters,
)
from replay.anonymising.words import Word, words_in

_ESCAPED = re.compile(r"\\u[0-9a-fA-F]{4}")
_SHORT = 3
_LONG_INT = 10**6


@dataclass(slots=True, kw_only=True)
class Rewriter:
    """One session's. `names` are words of people's names, folded; `common` those of them that the company says too:
    such a word alone and small is no name. `documents` are compact CPFs and CNPJs, wrong ones too, that a pattern
    alone would take for a phone; `days` are people's own, like a birthday. `literals` are replaced wherever they
    stand. `own` are the company's numbers (compact) and addresses, which stay.
    """

    pseudonyms: Pseudonyms
    names: frozenset[str]
    common: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    days: frozenset[date] = frozenset()
    literals: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    _literal: re.Pattern[str] | None = field(init=False)

    def __post_init__(self) -> None:
        longest_first = sorted(self.literals, key=len, reverse=True)
        self._literal = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None

    def identifier(self, text: str) -> str:
        """A key or an id: what is known by heart, and nothing else."""
        return self._literal.sub(lambda m: self.literals[m[0]], text) if self._literal else text

    def text(self, text: str) -> str:
        """What somebody wrote."""
        if not text:
            return text
        held: list[str] = []

        def hold(made: str) -> str:
            held.append(made)
            return f"\x00{len(held) - 1}\x00"

        text = self.identifier(text)
        text = patterns.EMAIL.sub(lambda m: hold(self._email(m[0])), text)
        text = patterns.DATE.sub(lambda m: hold(self._day(m[0])), text)
        text = patterns.SAID_DIGITS.sub(lambda m: hold(self._said(m[0])), text)
        for pattern, change in self._numbers():
            text = pattern.sub(lambda m, change=change: hold(change(m[0])), text)  # type: ignore[misc]
        text = self._renamed(text)
        for at in range(len(held) - 1, -1, -1):
            text = text.replace(f"\x00{at}\x00", held[at])
        return text

    def raw_reply(self, raw: str) -> str:
        """A model's own words: what of it is JSON is decoded, changed and written again, the rest is text."""
        decoder, made, at = json.JSONDecoder(), list[str](), 0
        while (start := raw.find("{", at)) >= 0:
            try:
                value, end = decoder.raw_decode(raw, start)
            except (ValueError, RecursionError):
                made.append(self._unparsed(raw[at : start + 1]))
                at = start + 1
                continue
            made.append(self._unparsed(raw[at:start]))
            made.append(self._json(raw[start:end], value))
            at = end
        made.append(self._unparsed(raw[at:]))
        return "".join(made)

    def value(self, value: Any) -> Any:
        """Every text in a JSON value, and numbers that are long enough to be somebody's."""
        match value:
            case str():
                return self.text(value)
            case bool():
                return value
            case int() if abs(value) >= _LONG_INT:
                return int(self._number(str(value)))
            case list():
                return [self.value(each) for each in value]
            case dict():
                return {name: self.value(each) for name, each in value.items()}
        return value

    def _json(self, written: str, value: Any) -> str:
        changed = self.value(value)
        if changed == value:
            return written
        tight = '":"' in written or '":[' in written or '":{' in written or re.search(r'":\d', written)
        separators = (",", ":") if tight and '": ' not in written else None
        return json.dumps(changed, ensure_ascii=bool(_ESCAPED.search(written)), separators=separators)

    def _unparsed(self, text: str) -> str:
        """Broken JSON may hold escapes: they are read before names are looked for, if any would be found."""
        if not _ESCAPED.search(text):
            return self.text(text)
        unescaped = _ESCAPED.sub(lambda m: _unescaped(m[0]), text)
        changed = self.text(unescaped)
        return text if changed == unescaped else changed

    def _numbers(self) -> Iterator[tuple[re.Pattern[str], Callable[[str], str]]]:
        yield patterns.CNPJ, self._document
        yield patterns.CPF, self._document
        yield patterns.LONG_NUMBER, self._number
        yield patterns.PHONE, self._number
        yield patterns.POSTAL_CODE, self._number

    def _document(self, written: str) -> str:
        compact = COMPACT.sub("", written)
        return masked_like(written, self.pseudonyms.document(compact.upper()))

    def _number(self, written: str) -> str:
        compact = COMPACT.sub("", written)
        if compact in self.own or compact[-LOCAL_DIGITS:] in self.own:
            return written
        if compact in self.documents or is_document(compact):
            return masked_like(written, self.pseudonyms.document(compact))
        return masked_like(written, self.pseudonyms.number(compact))

    def _said(self, written: str) -> str:
        """Digits one by one, in words."""
        said = [patterns.DIGIT_OF[plain_letters(each)] for each in patterns.SAID_DIGIT.findall(written)]
        made = iter(self._number("".join(said)))
        return patterns.SAID_DIGIT.sub(lambda _m: patterns.WORD_OF[int(next(made))], written)

    def _day(self, written: str) -> str:
        """A day of somebody's own as another of the same year, in the same mask; every other day stays."""
        day = day_of(written)
        if day is None or day not in self.days:
            return written
        return written_like(written, self.pseudonyms.day(day))

    def _email(self, written: str) -> str:
        """Word by word, so that one that was said aloud stays the same; providers and endings stay."""
        if written.lower() in self.own:
            return written
        local, _, domain = written.rpartition("@")
        return f"{self._mail_words(local)}@{self._mail_words(domain)}"

    def _mail_words(self, text: str) -> str:
        def is_kept(word: Word) -> bool:
            return word.plain in name_lists().domains or len(word.plain) < _SHORT

        text = self._changed(text, (word for word in words_in(text) if not is_kept(word)))
        return re.sub(r"[0-9]{4,}", lambda m: self.pseudonyms.number(m[0]), text)

    def _renamed(self, text: str) -> str:
        """Runs of names' words. A word that the company says too is a name beside another, or with a capital."""
        found = list(words_in(text))
        is_name = [word.plain in self.names for word in found]
        meant = (n for n, named in enumerate(is_name) if named and self._is_meant(text, found, is_name, n))
        return self._changed(text, (found[number] for number in meant))

    def _changed(self, text: str, words: Iterable[Word]) -> str:
        made, at = list[str](), 0
        for word in words:
            made += [text[at : word.start], self.pseudonyms.word(word.written)]
            at = word.end
        return "".join([*made, text[at:]])

    def _is_meant(self, text: str, found: list[Word], is_name: list[bool], number: int) -> bool:
        word = found[number]
        if word.plain not in self.common or word.written[:1].isupper():
            return True
        return any(
            0 <= beside < len(found) and is_name[beside] and _apart(text, found, number, beside).isspace()
            for beside in (number - 1, number + 1)
        )


def _unescaped(escape: str) -> str:
    character: str = json.loads(f'"{escape}"')
    return character


def _apart(text: str, found: list[Word], one: int, other: int) -> str:
    first, second = (found[each] for each in sorted((one, other)))
    return text[first.end : second.start]
