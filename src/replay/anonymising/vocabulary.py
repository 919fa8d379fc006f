"""What a company says itself: its words are nobody's name, its numbers and addresses nobody's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from replay.anonymising import patterns
from replay.anonymising.pseudonyms import COMPACT, LOCAL_DIGITS
from replay.anonymising.words import words_in
from replay.playing.company import Company


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """`words` are folded; `own` compact numbers, also without area, and small addresses."""

    words: frozenset[str]
    own: frozenset[str]


def vocabulary_of(company: Company) -> Vocabulary:
    """From its catalogue, its prompts and its texts."""
    text = "\n".join([*_texts(company.catalog), *_texts(company.prompts)])
    numbers = [
        each for pattern in (patterns.LONG_NUMBER, patterns.PHONE, patterns.CNPJ) for each in pattern.findall(text)
    ]
    compact = [COMPACT.sub("", each) for each in numbers]
    return Vocabulary(
        words=frozenset(word.plain for word in words_in(text)),
        own=frozenset(compact)
        | frozenset(each[-LOCAL_DIGITS:] for each in compact)  # a phone without its area
        | frozenset(each.lower() for each in patterns.EMAIL.findall(text)),
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Enum):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple | frozenset):
        for each in value:
            yield from _texts(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _texts(getattr(value, field.name))
