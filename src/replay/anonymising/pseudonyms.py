"""Another value of the same type, mask, length and validity, always the same for the same one (docs/replay.md)."""

from __future__ import annotations

import hashlib
import hmac
import re
import tomllib
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from core.application.actions.check_digits import DOCUMENT_RULES
from core.domain.text import fold

_NAMES = Path(__file__).with_name("names.toml")
_FEW = 6
"""With fewer names of a length to choose from, a word is made up."""
_LISTED_TRIES = 12
_CONSONANTS, _VOWELS = "bcdfglmnprstv", "aeiou"
LOCAL_DIGITS = 8
"""Of a phone, what is a person's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLists:
    """Folded words."""

    first: frozenset[str]
    last: frozenset[str]
    cues: tuple[str, ...]
    particles: frozenset[str]
    domains: frozenset[str]


@cache
def name_lists() -> NameLists:
    """`names.toml`."""
    table = tomllib.loads(_NAMES.read_text("utf-8"))
    return NameLists(
        first=frozenset(table["first"].split()),
        last=frozenset(table["last"].split()),
        cues=tuple(table["cues"]),
        particles=frozenset(table["particles"]),
        domains=frozenset(table["domains"]),
    )


@dataclass(slots=True)
class Pseudonyms:
    """One export's. Two values never become the same one: whoever comes second gets the next."""

    key: bytes = field(repr=False)
    _given: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    _taken: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)

    def word(self, word: str) -> str:
        """A name's word for another: a first name for a first name, as long, in the same case, without accents."""
        folded = plain_letters(word)
        kind = "first" if folded in name_lists().first else "word"
        return _in_case_of(
            word, self._unique(kind, folded, lambda seed, tries: _another_word(folded, kind, seed, tries))
        )

    def document(self, digits: str) -> str:
        """A CPF or CNPJ, compact: a valid one for a valid one, a wrong one for a wrong one."""
        valid = is_document(digits)

        def candidate(seed: bytes, _tries: int) -> str:
            body = _characters(digits[:-2], seed)
            for tail in range(100):
                made = f"{body}{(seed[-1] + tail) % 100:02d}"
                if is_document(made) == valid:
                    return made
            return body + digits[-2:]

        return self._unique("document", digits, candidate)

    def number(self, digits: str) -> str:
        """A phone or another long number: country, area and ninth digit stay, what is the person's own does not.

        The first digit of that stays too: it tells a landline from a mobile.
        """
        own = digits[-LOCAL_DIGITS:]
        made = self._unique("number", own, lambda seed, _tries: own[:1] + _characters(own[1:], seed))
        return digits[: len(digits) - len(own)] + made

    def day(self, day: date) -> date:
        """Another day of the same year."""
        made = self._unique("day", day.isoformat(), lambda seed, _tries: _day_of_year(day.year, seed).isoformat())
        return date.fromisoformat(made)

    def opaque(self, value: str, *, length: int = 0) -> str:
        """An identifier that means nothing: as long, in hexadecimal digits."""
        length = length or len(value)
        return self._unique("opaque", value, lambda seed, _tries: hashlib.sha512(seed).hexdigest()[:length])

    def _unique(self, kind: str, value: str, candidate: Callable[[bytes, int], str]) -> str:
        if (kind, value) in self._given:
            return self._given[kind, value]
        for attempt in range(10_000):
            seed = hmac.new(self.key, f"{kind}|{value}|{attempt}".encode(), hashlib.sha256).digest()
            made = candidate(seed, attempt)
            if made != value and (kind, made) not in self._taken:
                self._given[kind, value], self._taken[kind, made] = made, value
                return made
        raise RuntimeError(f"no pseudonym of kind {kind} is left")

    def is_made(self, kind: str, value: str) -> bool:
        """Whether a value is one of ours."""
        return (kind, value) in self._taken


def _day_of_year(year: int, seed: bytes) -> date:
    return date(year, 1, 1) + timedelta(days=int.from_bytes(seed[:4], "big") % 365)


def is_document(text: str) -> bool:
    """Whether the check digits of a compact CPF or CNPJ hold."""
    rules = DOCUMENT_RULES
    return len(set(text)) > 1 and ((len(text) == 11 and rules.cpf(text)) or (len(text) == 14 and rules.cnpj(text)))


def plain_letters(word: str) -> str:
    """Small letters without accents: how words are compared."""
    decomposed = unicodedata.normalize("NFD", word)
    return fold("".join(each for each in decomposed if not unicodedata.combining(each)))


def _another_word(folded: str, kind: str, seed: bytes, tries: int) -> str:
    """A listed name while there are some that nobody has."""
    names = _of_length(kind, len(folded))
    if len(names) >= _FEW and tries < _LISTED_TRIES:
        return names[int.from_bytes(seed[:8], "big") % len(names)]
    return _made_up(len(folded), seed)


@cache
def _of_length(kind: str, length: int) -> Sequence[str]:
    lists = name_lists()
    return sorted(each for each in (lists.first if kind == "first" else lists.last) if len(each) == length)


def _made_up(length: int, seed: bytes) -> str:
    stream = hashlib.shake_256(seed).digest(length + 1)
    start = stream[-1] % 2
    letters = (
        _CONSONANTS[each % len(_CONSONANTS)] if (at + start) % 2 == 0 else _VOWELS[each % len(_VOWELS)]
        for at, each in enumerate(stream[:length])
    )
    return "".join(letters)


def _characters(text: str, seed: bytes) -> str:
    """Each digit for a digit and each letter for a letter; a first digit that is no zero stays none."""
    stream = hashlib.shake_256(seed).digest(len(text) * 2)
    made = []
    for at, (character, value) in enumerate(zip(text, stream[::2], strict=True)):
        if character.isdecimal():
            made.append(str(value % 10 if at else 1 + value % 9) if at or character != "0" else "0")
        elif character.isalpha():
            made.append(chr(ord("A") + value % 26))
        else:
            made.append(character)
    return "".join(made)


def _in_case_of(word: str, made: str) -> str:
    if len(word) > 1 and word.isupper():
        return made.upper()
    return made.capitalize() if word[:1].isupper() else made


def masked_like(mask: str, compact: str) -> str:
    """The compact characters in the places of the mask's own ones."""
    characters = iter(compact)
    return "".join(next(characters, "") if each.isalnum() else each for each in mask)


COMPACT = re.compile(r"[^0-9A-Za-z]")
