"""Texts in a terminal's columns: a character of an emoji takes two, an accent of its own none."""

from __future__ import annotations

import re
import shutil
import unicodedata

NARROWEST, WIDEST = 60, 120
_WITHOUT_TERMINAL = (84, 24)
# Control characters (ESC and the like) but line ends and tabs, and overrides of the direction of writing.
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_WORD = re.compile(r"\S+")


def terminal_width() -> int:
    """The columns to write in: the terminal's, within what reads well."""
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size(_WITHOUT_TERMINAL).columns))


def columns(text: str) -> int:
    """How many columns a text takes."""
    return sum(_columns_of(character) for character in text)


def padded(text: str, width: int) -> str:
    """The text with blanks after it, up to a width."""
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int) -> list[str]:
    """The text's lines, each at most so wide; a longer word is broken. An empty line stays one. What a terminal would
    obey, as a customer may have written it, is a mark that shows.
    """
    return [line for raw in _COMMANDS.sub("�", text).split("\n") for line in _wrapped_line(raw, width)]


def _wrapped_line(text: str, width: int) -> list[str]:
    lines = [""]
    for word in _WORD.findall(text):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(joined) <= width:
            lines[-1] = joined
            continue
        first, *others = _pieces(word, width)
        lines[-1:] = [first] if not lines[-1] else [lines[-1], first]
        lines += others
    return lines


def _pieces(word: str, width: int) -> list[str]:
    pieces = [""]
    for character in word:
        if columns(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Me", "Mn"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
