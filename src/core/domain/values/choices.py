"""An option, a segment or a service, by id, name or synonym, and as a customer would say it.

`aí na empresa mesmo` names "Na empresa do cliente". What names two of them, or denies one, names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from core.domain.text import fold_key

_MAX_CHARS = 120
_MIN_CHARS_WITHIN = 4
# `Licença ou exigência legal` is known by either half.
_HALVES = re.compile(r"\s*(?:[,/;()–—]|\s-\s|\b(?:ou|e)\b)\s*")
_LEADING = re.compile(r"^(?:(?:o|a|os|as|um|uma|no|na|nos|nas|em|de|do|da|para|pra|por|ao)_)+")
_DENIAL = re.compile(r"(?:^|_)(?:nao|nem|sem|exceto|menos|talvez)(?:_|$)")
_ANY_OTHER = re.compile(r"outr[oa]s?(?:_|$)")


class _Named(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def synonyms(self) -> tuple[str, ...]: ...


_Entry = TypeVar("_Entry", bound=_Named)


def choose(text: str, entries: Sequence[_Entry]) -> _Entry | None:
    """The one entry that a text names; None when it names none, or more than one."""
    key = fold_key(text) if len(text) <= _MAX_CHARS else ""
    if not key:
        return None
    return _exact(key, entries) or (None if _DENIAL.search(key) else _within(key, entries))


def _exact(key: str, entries: Sequence[_Entry]) -> _Entry | None:
    """By the whole text: ids win over names, names over synonyms, synonyms over halves of a name."""
    bare = _LEADING.sub("", key)
    for names_of in (lambda e: (e.id,), lambda e: (e.name,), lambda e: e.synonyms, lambda e: _HALVES.split(e.name)):
        for entry in entries:
            keys = {fold_key(name) for name in names_of(entry)} - {""}
            if key in keys or bare in {_LEADING.sub("", name) for name in keys}:
                return entry
    return None


def _within(key: str, entries: Sequence[_Entry]) -> _Entry | None:
    """By a name that stands in the text; a name within a longer one does not count."""
    padded = f"_{key}_"
    spans = [(span, entry) for entry in entries for name in _names(entry) for span in _spans(padded, name)]
    outer = [entry for span, entry in spans if not any(_covers(other, span) for other, _ in spans)]
    return outer[0] if outer and all(entry is outer[0] for entry in outer) else None


def _names(entry: _Named) -> Iterator[str]:
    for name in {entry.id, entry.name, *entry.synonyms, *_HALVES.split(entry.name)}:
        bare = _LEADING.sub("", fold_key(name))
        if len(bare) >= _MIN_CHARS_WITHIN and not _ANY_OTHER.match(bare):
            yield bare


def _spans(padded: str, name: str) -> Iterator[tuple[int, int]]:
    start = padded.find(f"_{name}_")
    while start >= 0:
        yield start, start + len(name) + 2
        start = padded.find(f"_{name}_", start + 1)


def _covers(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]
