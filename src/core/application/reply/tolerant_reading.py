"""Whether a broken text can be read as a given object (document 004's tolerance, turned into a check).

The value is known; only its way through the text is sought. So a lost quote or a stray one needs no guess, and a value
that was shortened, renamed, added or moved finds no way. Every function gives the offsets at which a reading may end;
none when the text cannot be read so.
"""

from __future__ import annotations

import re
from typing import Any

from core.application.reply.reading.scalar_reading import integer_ends, literal_ends, number_ends, text_ends
from core.application.reply.reading.wrapping import INVISIBLE

_Ends = set[int]

_GAP = re.compile(rf"(?:[\s{INVISIBLE}]|//[^\n]*|\#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMAS = re.compile(rf"(?:[\s{INVISIBLE},;]|//[^\n]*|\#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COLON = re.compile(rf"[\s{INVISIBLE}]*(?:=>|[:=：])")
_STRUCTURE = frozenset(",:;]}\"'“”")


def reply_ends(text: str, start: int, expected: dict[str, Any]) -> _Ends:
    """Where a reply's object may end that reads as `expected`, its `{` standing at `start`."""
    return _object_ends(text, start, expected, is_reply=True)


def _object_ends(text: str, start: int, expected: dict[str, Any], *, is_reply: bool = False) -> _Ends:
    """Keys in any order, none left out."""
    ends: _Ends = set()
    states = {(start + 1, frozenset(expected))}
    while states:
        closing = {position for position, missing in states if not missing}
        ends |= {end for position in closing for end in _closings(text, position, "}", may_be_cut=is_reply)}
        states = {
            (end, missing - {key})
            for position, missing in states
            for key in missing
            for value_at in _key_ends(text, _after(_COMMAS, text, position), key)
            for end in _member_ends(text, value_at, expected[key], is_s=is_reply and key == "s")
        }
    return ends


def _member_ends(text: str, position: int, expected: Any, *, is_s: bool) -> _Ends:
    if is_s:
        return integer_ends(text, _after(_GAP, text, position), expected)
    return _value_ends(text, position, expected, in_object=True)


def _array_ends(text: str, start: int, expected: list[Any]) -> _Ends:
    positions = {start + 1}
    for item in expected:
        positions = {
            end
            for position in positions
            for end in _value_ends(text, _after(_COMMAS, text, position), item, in_object=False)
        }
    return {end for position in positions for end in _closings(text, position, "]", may_be_cut=False)}


def _value_ends(text: str, position: int, expected: Any, *, in_object: bool) -> _Ends:
    position = _after(_GAP, text, position)
    opened = text[position : position + 1]
    match expected:
        case dict():
            return _object_ends(text, position, expected) if opened == "{" else set()
        case list():
            return _array_ends(text, position, expected) if opened == "[" else set()
        case str():
            return text_ends(text, position, expected)
        case bool() | None:
            return literal_ends(text, position, expected)
        case _:
            return number_ends(text, position, expected, decimal_comma=in_object)


def _key_ends(text: str, position: int, key: str) -> _Ends:
    """Where the value of `key` may begin. Either quote may be missing, or the colon, but not both."""
    ends: _Ends = set()
    for end in text_ends(text, position, key, is_key=True):
        colon = _COLON.match(text, end)
        if colon:
            ends.add(colon.end())
        elif text[end - 1] in "\"'“”":
            ends.add(end)
    return ends


def _closings(text: str, position: int, closing: str, *, may_be_cut: bool) -> _Ends:
    """Where an object or array may close that has nothing more to say at `position`.

    A reply that was cut off may lack its own last brace, where nothing more was announced; anything inside it may not.
    """
    after = _after(_COMMAS, text, position)
    comma = any(mark in text[position:after] for mark in ",;")
    if after == len(text):
        return {after} if may_be_cut and not comma else set()
    if text[after] == closing:
        return {after + 1}
    if text[after] in "}])":  # the wrong half: it stands for ours, or ours was forgotten before it
        return {after + 1, after}
    return set() if comma or text[after] in _STRUCTURE else {position}


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return found.end() if found else position
