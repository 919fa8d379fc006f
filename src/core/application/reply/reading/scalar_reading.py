"""Whether a broken text can be read, at an offset, as a given string, number, `true`, `false` or `null`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

_Ends = set[int]

_QUOTES = "\"'“”‘’„«»`´"
_NUMBER = re.compile(r"[+-]?(?:\.\d+|\w[\w.]*)(?:(?<=[eE])[+-]\d+)?")
_WAYS_MAX = 64  # ways to read one string; a run of backslashes can have thousands, and none of them is plain
_ZEROS = re.compile(r"0+(?=\d)")
_DECIMAL_COMMA = re.compile(r",(\d{1,2}|\d{4,})(?=\s*[,}])")
_LITERALS = {
    True: re.compile(r"true\b", re.IGNORECASE),
    False: re.compile(r"false\b", re.IGNORECASE),
    None: re.compile(r"(?:null|none|nil|undefined|nan)\b", re.IGNORECASE),
}
_NO_STRING = re.compile(
    r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|none|nan|undefined", re.IGNORECASE
)
_NEXT_FIELD = re.compile(r"""(?:,|["'“”]\s*)\s*["'“”]?\w+["'“”]?\s*:""")
_NEXT = r"""(?:[\s,;}\]{\[]*["'“]\w+["'”]\s*[:=]|[\s}\]]*[,;][\s{\[]*(?:["'“]|\w+\s*:)|\s*,?\s*[}\]])"""
_UNESCAPED = r"(?<!\\)(?:\\\\)*"
_ENDS_EARLY = {
    '"': re.compile(rf"""{_UNESCAPED}(?:"{_NEXT}|”[\s,;}}\]{{\[]*"\w+"\s*:)"""),
    "'": re.compile(rf"{_UNESCAPED}['’]{_NEXT}"),
    "“": re.compile(rf"{_UNESCAPED}[”\"]{_NEXT}"),
    "”": re.compile(rf"{_UNESCAPED}[”\"]{_NEXT}"),
}
_ENDS_A_BARE_WORD = re.compile(r"\s*[,}\]\n]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|x([0-9a-fA-F]{2})|([^\n]))")
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def text_ends(text: str, position: int, expected: str, *, is_key: bool = False) -> _Ends:
    """Where a string may end that says exactly `expected`: quoted in any way, its closing quote missing, or bare."""
    ends: _Ends = set()
    opened = _quote(text, position)
    if not opened and not expected:
        return ends
    may_be_bare = bool(opened) or not _NO_STRING.fullmatch(expected)
    for end in _content_ends(text, position + opened, expected):
        if _swallows(text[position : position + opened], text[position + opened : end], is_key=is_key):
            continue
        closed = _quote(text, end)
        if closed or is_key or (may_be_bare and _ENDS_A_BARE_WORD.match(text, end)):
            ends.add(end + closed)
    return ends


def _swallows(opened: str, content: str, *, is_key: bool) -> bool:
    """Whether a string would hold what reads as its own end and more: the next field or item, or its object's end.

    One quote too many (`tubo de 5" roscado`) is a quote; with a comma and a key after it, it was the string's last.
    """
    quote = opened[-1:]
    if opened.startswith("\\") and quote:
        content = content.replace(opened, quote)
    if not quote:
        return bool(_NEXT_FIELD.search(content)) or "}" in content
    if is_key:
        return bool(re.search(rf"(?<!\\){quote}\s*[:,]", content))
    return bool(_ENDS_EARLY[quote].search(content) if quote in _ENDS_EARLY else False)


def literal_ends(text: str, position: int, expected: bool | None) -> _Ends:
    """`true`, `True` and `TRUE` are one; so are `null`, `None` and the values for which JSON has only `null`."""
    found = _LITERALS[expected].match(text, position)
    return {found.end()} if found else set()


def number_ends(text: str, position: int, expected: float, *, decimal_comma: bool) -> _Ends:
    """Where a number may end that is worth `expected`. One at the very end of the text may have been cut."""
    found = _NUMBER.match(text, position)
    if found is None or found.end() == len(text):
        return set()
    if expected in _worth(found[0]):
        return {found.end()}
    comma = _DECIMAL_COMMA.match(text, found.end()) if decimal_comma else None
    if comma and expected in _worth(f"{found[0]}.{comma[1]}"):
        return {comma.end()}
    return set()


def integer_ends(text: str, position: int, expected: int) -> _Ends:
    """`number_ends` for a value that is an integer by contract: `"1"` and `01` can only have meant 1."""
    opened = _quote(text, position)
    zeros = _ZEROS.match(text, position + opened)
    return {
        end + closed
        for start in {position + opened, zeros.end() if zeros else position + opened}
        for end in number_ends(text, start, expected, decimal_comma=False)
        if bool(closed := _quote(text, end)) == bool(opened)
    }


def _worth(token: str) -> Iterator[float]:
    """What a number's text may be worth. With a leading zero it is a code (a CEP), and worth nothing as a number."""
    if re.match(r"[+-]?0\d", token):
        return
    for read in (int, lambda digits: int(digits, 0), float):
        try:
            value = read(token)
        except ValueError:
            continue
        if isfinite(value):
            yield value


def _quote(text: str, position: int) -> int:
    """Length of the quote at an offset, escaped or not; 0 for none."""
    if text[position : position + 1] in _QUOTES and position < len(text):
        return 1
    return 2 if text[position : position + 2] in ('\\"', "\\'") else 0


def _content_ends(text: str, position: int, expected: str) -> _Ends:
    """Where `expected` may end in the text, each of its characters written plainly or as an escape."""
    plain = text[position : position + len(expected)]
    if "\\" not in plain:
        return {position + len(expected)} if plain == expected else set()
    positions = {position}
    for character in expected:
        following: _Ends = set()
        for at in positions:
            if text[at : at + 1] == character:
                following.add(at + 1)
            escape = _ESCAPE.match(text, at)
            if escape:
                following |= {at + length for decoded, length in _decode_escape(escape) if decoded == character}
        if not following or len(following) > _WAYS_MAX:
            return set()
        positions = following
    return positions


def _decode_escape(escape: re.Match[str]) -> Iterator[tuple[str, int]]:
    high, low, byte, plain = escape.groups()
    if plain and (plain in _NAMED or not plain.isalnum()):
        yield _NAMED.get(plain, plain), 2
    if byte:
        yield chr(int(byte, 16)), 4
    if high:
        code = int(high, 16)
        yield ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)), 6
        if low and 0xD800 <= code < 0xDC00:
            yield chr(0x10000 + ((code - 0xD800) << 10) + (int(low, 16) - 0xDC00)), 12
