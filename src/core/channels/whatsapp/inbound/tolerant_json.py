"""Reading JSON that nobody vouches for: one bad value never hides its neighbours."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.domain.errors import BadInputError
from core.domain.text import storable_text

MAX_DEPTH = 40  # Meta's deepest documented body is 12 deep
SHORT_TEXT = 1024
_MAX_DIGITS = 30
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)


def read_object(body: bytes | str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The body as an object; parts nested too deep become null. Raises `BadInputError` when it is no JSON object."""
    if isinstance(body, Mapping):
        return body
    text = body if isinstance(body, str) else body.decode("utf-8", "replace")
    found = _read(text.removeprefix("\ufeff"))
    if not isinstance(found, dict):
        raise BadInputError("body_not_object")
    return found


def _read(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except RecursionError:
        pass
    except ValueError:
        raise BadInputError("body_not_json") from None
    try:
        return _DECODER.decode(_without_deep_parts(text))
    except (ValueError, RecursionError):
        raise BadInputError("body_not_json") from None


def _short_integer(digits: str) -> int | None:
    # int() refuses more than 4300 digits with a ValueError that would lose the whole body.
    return int(digits) if len(digits) <= _MAX_DIGITS else None


_DECODER = json.JSONDecoder(parse_int=_short_integer, parse_constant=lambda _: None, strict=False)


def _without_deep_parts(text: str) -> str:
    kept: list[str] = []
    depth = position = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        mark = text[token.start()]
        if mark in "[{":
            depth += 1
            if depth == MAX_DEPTH + 1:
                kept += (text[position : token.start()], "null")
        elif mark in "]}":
            if depth == MAX_DEPTH + 1:
                position = token.end()
            depth -= 1
    return "".join([*kept, text[position:]])


def as_object(value: Any) -> Mapping[str, Any]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: Any) -> Sequence[Any]:
    """The value when it is an array; an object that stands where an array should is its only item."""
    if isinstance(value, (list, tuple)):
        return value
    return (value,) if isinstance(value, Mapping) else ()


def as_text(value: Any, limit: int | None = SHORT_TEXT) -> str | None:
    """A string or integer as text that can be stored: no NUL, no half characters, cut at `limit`. "" is None."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 10**_MAX_DIGITS else ""
    return storable_text(value, limit) if isinstance(value, str) else None


def as_flag(value: Any) -> bool:
    """True for `true` and "true"."""
    return value is True or value == "true"


def as_number(value: Any) -> int | float | None:
    """A finite number, also when written as a string. None for everything else, booleans included."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and len(value) <= _MAX_DIGITS:
        try:
            value = float(value) if "." in value else int(value)
        except ValueError:
            return None
    if isinstance(value, int):
        return value if abs(value) < 10**_MAX_DIGITS else None
    return value if isinstance(value, float) and math.isfinite(value) else None


def as_code(value: Any) -> int | None:
    """An error code: an integer, also when written as a string."""
    number = as_number(value)
    return int(number) if number is not None else None
