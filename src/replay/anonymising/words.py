"""A text's words as they are compared, and where each stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.domain.text import fold

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Word:
    """`written` is `text[start:end]`, its combining marks and whatever is not seen in it included; `plain` is in small
    letters without them.
    """

    start: int
    end: int
    written: str
    plain: str


def words_in(text: str) -> Iterator[Word]:
    """Runs of letters of the folded text: `Lara²` holds `lara`, as `La\u0301ra` and a name in circled letters do."""
    folded, places = _folded_with_places(text)
    for match in _WORD.finditer(folded):
        start, end = places[match.start()], places[match.end() - 1] + 1
        while end < len(text) and not fold(text[end]):
            end += 1
        yield Word(start=start, end=end, written=text[start:end], plain=match[0])


def _folded_with_places(text: str) -> tuple[str, range | list[int]]:
    """The folded text, and of each of its characters the place in `text` that it comes from."""
    folded = fold(text)
    if text.isascii():
        return folded, range(len(text))
    return folded, [place for place, character in enumerate(text) for _ in fold(character)]
