"""The places where a text in WhatsApp's markup may be cut, from those a reader expects to those nobody would choose."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate

import regex

from core.channels.whatsapp.formatting.markup import FENCE, MarkedText

_GRAPHEME = regex.compile(r"\X")
_SPACE = re.compile(r"[^\S\u00a0\u2007\u202f]+")  # white space at which a line may end
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]*_~`]*\Z")
_ABBREVIATION = re.compile(  # or an initial, or the number of an item
    r"(?:\b(?:sra?s?|dra?s?|profa?|eng|av|rod|nº|no|tel|cel|ramal|ref|obs|ex|pág|art|aprox|máx|mín|ltda|cia)"
    r"|\b[^\W\d_]|^\s*\d+)\.\Z",
    re.IGNORECASE | re.MULTILINE,
)
_LOOK_BACK = 24  # characters: longer than any abbreviation and what closes it


class Cut(IntEnum):
    """What is cut at a border, the less the better."""

    PARAGRAPH = 0
    LINE = 1
    SENTENCE = 2
    LONG_CODE_LINE = 3  # of code that is longer than a part
    WORD = 4
    LONG_MARKED_WORD = 5  # of a marked text that is longer than a part
    GRAPHEME = 6
    MARKED_WORD = 7
    MARKED_GRAPHEME = 8
    CODE_POINT = 9  # of a grapheme that is longer than a part

    @property
    def dislike(self) -> float:
        """How far from balanced, as a share of a part, parts may be for the sake of a better cut than this."""
        return (0, 0.1, 0.2, 0.25, 0.5, 0.6, 1, 1.2, 1.4, 2)[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """Where one part may end, before `end` and with `close` added, and the next begin, at `start` after `reopen`."""

    end: int
    start: int
    cut: Cut = Cut.PARAGRAPH
    close: str = ""
    reopen: str = ""


def utf16_offsets(text: str) -> list[int]:
    """For each position in `text`, its own end included, the UTF-16 units before it."""
    return list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))


def natural_borders(text: str, marked: Sequence[MarkedText], long: Collection[MarkedText]) -> list[Border]:
    """A border at every stretch of white space, which is lost there. `long` are the marked texts that must be cut."""
    return list(_place_border(_pauses(text), text, marked, long))


def grapheme_borders(text: str, marked: Sequence[MarkedText], long: Collection[MarkedText], limit: int) -> list[Border]:
    """A border between any two graphemes, and inside one only if it has more than `limit` units."""
    return list(_place_border(_joints(text, limit), text, marked, long))


def _pauses(text: str) -> Iterator[tuple[int, int, Cut]]:
    for space in _SPACE.finditer(text):
        end, start = space.span()
        whole = _GRAPHEME.match(text, start - 1)
        if whole and whole.end() > start:  # the last space carries an accent or a joiner
            continue
        newlines = space[0].count("\n")
        if newlines:
            yield end, start, Cut.PARAGRAPH if newlines > 1 else Cut.LINE
        else:
            yield end, start, Cut.SENTENCE if _ends_sentence(text, end, start) else Cut.WORD


def _ends_sentence(text: str, end: int, start: int) -> bool:
    before = text[max(0, end - _LOOK_BACK) : end]
    begins = not text[start : start + 1].islower()
    return bool(begins and _SENTENCE_END.search(before) and not _ABBREVIATION.search(before))


def _joints(text: str, limit: int) -> Iterator[tuple[int, int, Cut]]:
    for grapheme in _GRAPHEME.finditer(text):
        start, end = grapheme.span()
        if start:
            yield start, start, Cut.GRAPHEME
        if utf16_offsets(grapheme[0])[-1] > limit:
            yield from ((inside, inside, Cut.CODE_POINT) for inside in range(start + 1, end))


def _place_border(
    places: Iterable[tuple[int, int, Cut]], text: str, marked: Sequence[MarkedText], long: Collection[MarkedText]
) -> Iterator[Border]:
    """Each place as a border that knows the marked texts around it; none beside a mark, which would mark nothing."""
    around: list[MarkedText] = []
    reached = 0
    for end, start, cut in places:
        while reached < len(marked) and marked[reached].start < end:
            around.append(marked[reached])
            reached += 1
        around = [each for each in around if each.end > start]
        if not around:
            yield Border(end=end, start=start, cut=cut)
        elif all(each.start + len(each.mark) < end and start < each.end - len(each.mark) for each in around):
            yield _inside(around, text, Border(end=end, start=start, cut=cut), cut_whole=set(around) <= set(long))


def _inside(around: Sequence[MarkedText], text: str, border: Border, *, cut_whole: bool) -> Border:
    """The border inside marked texts: closed before it, innermost first, and opened again after it."""
    marks = [each.mark for each in around]
    line_of_code = FENCE in marks and border.cut <= Cut.LINE
    close, reopen = "".join(reversed(marks)), "".join(marks)
    start = border.start
    if line_of_code:  # only the line's end is lost: the indent of the next line is a part of the code
        start = text.rfind("\n", border.end, border.start) + 1
        close, reopen = close.replace(FENCE, f"\n{FENCE}"), reopen.replace(FENCE, f"{FENCE}\n")
    cut = _cut_inside(border.cut, line_of_code=line_of_code, long=cut_whole)
    return Border(end=border.end, start=start, cut=cut, close=close, reopen=reopen)


def _cut_inside(cut: Cut, *, line_of_code: bool, long: bool) -> Cut:
    if cut is Cut.CODE_POINT:
        return cut
    if cut is Cut.GRAPHEME:
        return cut if long else Cut.MARKED_GRAPHEME
    if not long:
        return Cut.MARKED_WORD
    return Cut.LONG_CODE_LINE if line_of_code else Cut.LONG_MARKED_WORD
