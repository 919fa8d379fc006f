"""How the WhatsApp app reads the marks in a text: the rules that the formatter writes by and the splitter cuts by.

Bold, italic and struck text are `*x*`, `_x_`, `~x~`: on one line, the marks touching the text inside and no letter or
digit outside. Code is `` `x` `` on one line, or ```` ```x``` ```` over any number of lines; nothing inside it is read.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Style(StrEnum):
    """A way to set words apart, named by what it does, worth the mark that WhatsApp reads."""

    BOLD = "*"
    ITALIC = "_"
    STRUCK = "~"


FENCE = "```"
CODE = re.compile(r"```.+?```|`[^`\n]+`", re.DOTALL)
_COVER = "\0"  # stands over what is not read: neither a letter nor a space nor a mark
_EMOJI_TAILS = frozenset("\ufe0e\ufe0f\u20e3")  # combining, but they end an emoji, not a word


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedText:
    """A stretch of text between two marks of a kind, marks included: `text[start:end]`."""

    start: int
    end: int
    mark: str


def cover(text: str) -> str:
    """As many characters as `text`, none of which WhatsApp would read as a mark."""
    return _COVER * len(text)


def is_word(char: str) -> bool:
    """Whether a mark that touches `char` on its outer side is not read as a mark."""
    return char.isalnum() or (unicodedata.category(char).startswith("M") and char not in _EMOJI_TAILS)


def pairs(line: str, style: Style, *, nearest: bool = False) -> Iterator[tuple[int, int]]:
    """The positions of each opening and closing mark of `style` that WhatsApp would pair in a line without code.

    Where more than one mark could open, the first does. Nobody has said so: `nearest` tells what the last would do.
    """
    opened: int | None = None
    at = line.find(style)
    while at >= 0:
        if opened is not None and at > opened + 1 and _closes(line, at):
            yield opened, at
            opened = None
        elif (opened is None or nearest) and _opens(line, at):
            opened = at
        at = line.find(style, at + 1)


def marked_texts(text: str) -> tuple[MarkedText, ...]:
    """Everything in `text` that WhatsApp would show as code or in a style, in the order in which it begins."""
    found = [
        MarkedText(start=match.start(), end=match.end(), mark=FENCE if match[0].startswith(FENCE) else "`")
        for match in CODE.finditer(text)
    ]
    start = 0
    for line in CODE.sub(lambda match: cover(match[0]), text).split("\n"):
        for style in Style:
            found += [
                MarkedText(start=start + opened, end=start + closed + 1, mark=style)
                for opened, closed in pairs(line, style)
            ]
        start += len(line) + 1
    return tuple(sorted(found, key=lambda marked: (marked.start, -marked.end)))


def _opens(line: str, at: int) -> bool:
    inside = line[at + 1 : at + 2]
    return bool(inside) and not inside.isspace() and (at == 0 or not is_word(line[at - 1]))


def _closes(line: str, at: int) -> bool:
    outside = line[at + 1 : at + 2]
    return not line[at - 1].isspace() and not (outside and is_word(outside))
