"""A long text as the few messages that WhatsApp accepts, cut where a reader would pause.

The limit is counted in UTF-16 units. Meta says only "characters"; of what it may mean by that, these are the most (an
emoji is two or more), so no part is too long whether Meta counts units, code points or what the eye sees.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

from core.channels.whatsapp.formatting.markup import marked_texts
from core.channels.whatsapp.formatting.text_borders import Border, Cut, grapheme_borders, natural_borders, utf16_offsets

_CUT_SHORT = " …"
_MOST_UNITS = 2  # that a character takes
_LEAST_FOR_MARKS = 24  # units; in a shorter part, marks closed and opened again would leave no room for the text


class SplitText(tuple[str, ...]):
    """The parts, in order. `truncated` says that they could not hold the text and its end was left out."""

    truncated: bool

    def __new__(cls, parts: Iterable[str] = (), *, truncated: bool = False) -> Self:
        split = super().__new__(cls, parts)
        split.truncated = truncated
        return split


def split_for_whatsapp(text: str, *, limit: int = 4096, max_parts: int = 3) -> SplitText:
    """At most `max_parts` parts of at most `limit` UTF-16 units; none for a text of white space.

    Only white space is lost, between parts. Emoji, marked text and code that fit in a part are kept whole; longer ones
    are closed and opened again. Text that the parts cannot hold is cut at a border, ends in "…" and is `truncated`.
    ValueError: no room for any text.
    """
    if limit < len(_CUT_SHORT) or max_parts < 1:
        raise ValueError("a part needs room for a character, and a text needs a part")
    text = text.strip()
    if not text:
        return SplitText()
    if len(text) * _MOST_UNITS <= limit:
        return SplitText([text])
    layout = _Layout(text=text, limit=limit)
    if layout.holds(layout.begin, 1):
        return SplitText([text])
    return layout.split(max_parts)


@dataclass(slots=True, kw_only=True)
class _Layout:
    text: str
    limit: int
    offsets: list[int] = field(init=False)
    begin: Border = field(init=False)
    finish: Border = field(init=False)
    borders: list[Border] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.offsets = utf16_offsets(self.text)
        self.begin = Border(end=0, start=0)
        self.finish = Border(end=len(self.text), start=len(self.text))

    def split(self, max_parts: int) -> SplitText:
        """With the best kind of cut that does, and then as few parts."""
        for borders in self._kinds():
            self.borders, self.ends = borders, [self.offsets[border.end] for border in borders]
            for count in range(2, max_parts + 1):
                if self.holds(self.begin, count):
                    cuts = [self.begin, *self._balance(count), self.finish]
                    return _told(self._parts(cuts))
        return self._cut_short(max_parts)

    def _kinds(self) -> Iterator[list[Border]]:
        """The borders to choose from: first only the best, at last all of them."""
        marked = marked_texts(self.text) if self.limit >= _LEAST_FOR_MARKS else ()
        long = {each for each in marked if self.offsets[each.end] - self.offsets[each.start] > self.limit}
        natural = natural_borders(self.text, marked, long)
        for cut in (Cut.PARAGRAPH, Cut.LINE, Cut.SENTENCE, Cut.LONG_CODE_LINE, Cut.WORD, Cut.LONG_MARKED_WORD):
            yield [border for border in natural if border.cut <= cut]
        every = natural + grapheme_borders(self.text, marked, long, self.limit)
        every.sort(key=lambda border: (border.end, border.cut))
        for cut in (Cut.GRAPHEME, Cut.MARKED_WORD, Cut.MARKED_GRAPHEME, Cut.CODE_POINT):
            yield [border for border in every if border.cut <= cut]

    def holds(self, start: Border, count: int) -> bool:
        """Whether `count` parts, each as long as it may be, hold the text from `start` on."""
        for _ in range(count - 1):
            reach = self._reach(start, self.limit)
            if self._units(start, self.finish) <= self.limit or not reach:
                break
            start = self.borders[reach.stop - 1]
        return self._units(start, self.finish) <= self.limit

    def _units(self, start: Border, end: Border) -> int:
        inside = self.offsets[end.end] - self.offsets[start.start]
        return inside + len(start.reopen) + len(end.close)

    def _reach(self, start: Border, room: int) -> range:
        """Which borders may end a part that begins at `start`."""
        first = bisect_right(self.ends, self.offsets[start.start])
        stop = bisect_right(self.ends, self.offsets[start.start] + room)
        while stop > first and self._units(start, self.borders[stop - 1]) > room:
            stop -= 1
        return range(first, stop)

    def _balance(self, count: int) -> Iterator[Border]:
        start = self.begin
        while count > 1 and self._units(start, self.finish) > self.limit:
            even = self._units(start, self.finish) / count
            count -= 1
            start = next(border for border in self._by_liking(start, self.limit, even) if self.holds(border, count))
            yield start

    def _by_liking(self, start: Border, room: int, wanted: float) -> list[Border]:
        """The borders that may end the part, those with a good cut near the wanted length first."""
        within = [self.borders[at] for at in self._reach(start, room)]
        fitting = [border for border in within if self._units(start, border) <= room]
        return sorted(
            fitting,
            key=lambda border: border.cut.dislike + abs(self._units(start, border) - wanted) / self.limit,
        )

    def _cut_short(self, max_parts: int) -> SplitText:
        """As much as the parts hold, each nearly full."""
        cuts, ending = [self.begin], []
        for left in range(max_parts, 0, -1):
            room = self.limit - (len(_CUT_SHORT) if left == 1 else 0)
            ending = self._by_liking(cuts[-1], room, room)[:1]
            cuts += ending
        *parts, last = [*self._parts(cuts), *([] if ending else [""])]
        return _told([*parts, (last + _CUT_SHORT).lstrip()], truncated=True)

    def _parts(self, cuts: Sequence[Border]) -> list[str]:
        return [start.reopen + self.text[start.start : end.end] + end.close for start, end in pairwise(cuts)]


def _told(parts: Iterable[str], *, truncated: bool = False) -> SplitText:
    """The parts that say something: WhatsApp refuses a blank message."""
    return SplitText((part for part in parts if part.strip()), truncated=truncated)
