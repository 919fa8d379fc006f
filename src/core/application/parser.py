"""The strict reading of `{JSON}Mensagem` (document 000): one object at the start, the customer's text after it.

What the decoder lets through and the contract does not is refused here too: non-finite numbers, duplicate keys,
nesting without end. Speed is kept near the decoder's (benchmarks/bench_parser.py): each check asks the cheapest
sufficient question first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from core.application.json_text import (
    clean_text,
    clean_tree,
    closing_brace,
    depth_of,
    has_duplicate_keys,
    has_surrogates,
)
from core.domain.errors import BalcaoError

MAX_DEPTH = 256
"""Levels of nesting accepted. CPython's own limit differs by version and by how deep the caller already stands."""


class ParseErrorKind(StrEnum):
    """What is wrong with a reply, in the words of the log and of the repair prompt."""

    EMPTY = "empty"
    FENCE = "fence"
    PREFIX_TEXT = "prefix_text"
    NOT_OBJECT = "not_object"
    UNBALANCED = "unbalanced"
    MALFORMED_JSON = "malformed_json"
    MISSING_S = "missing_s"
    S_NOT_INT = "s_not_int"


class LLMResponseParseError(BalcaoError):
    """A reply that breaks the contract: how, and at which offset. Never holds the reply, which is personal data."""

    def __init__(self, kind: ParseErrorKind, position: int) -> None:
        super().__init__(kind, position)
        self.kind = kind
        self.position = position

    def __str__(self) -> str:
        return f"{self.kind} at {self.position}"


@dataclass(frozen=True, slots=True)
class ParsedLLMResponse:
    """A reply that keeps the contract: the object ends before offset `end` of the raw text, `message` is the rest."""

    s: int
    json_part: dict[str, Any] = field(repr=False)
    message: str = field(repr=False)
    end: int = field(default=0, compare=False)


class _Draft:
    """`ParsedLLMResponse` until frozen: setting a frozen dataclass's fields costs as much as scanning a short reply."""

    __slots__ = ("end", "json_part", "message", "s")
    s: int
    json_part: dict[str, Any]
    message: str
    end: int


def _finite(text: str) -> float:
    value = float(text)
    if (
        value - value
    ):  # infinite: the difference is NaN, which is true; in place of a call, as replies hold many numbers
        raise ValueError("number overflows")
    return value


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError("not JSON")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_refuse_constant)
_scan = _DECODER.scan_once  # type: ignore[attr-defined]
# StopIteration: nothing starts here. ValueError: integers too long to convert, too. TypeError: no string, or no object.
_SCAN_ERRORS = (StopIteration, ValueError, RecursionError, TypeError, KeyError)
_ABSENT = object()


def parse_llm_response(raw: str) -> ParsedLLMResponse:
    """Split a raw reply. Raises `LLMResponseParseError`, whatever the input, and nothing else."""
    try:
        found, end = _scan(raw, 0)
        s = found["s"]
    except _SCAN_ERRORS:
        found = None
    if found is None:  # out here, so that the decoder's error, which holds the whole reply, is not chained to ours
        found, end = _scan_carefully(raw)
        s = found.get("s", _ABSENT)

    # Every key brings a colon: as many keys as colons means that none was named twice. Most replies have two levels.
    colons = raw.count(":", 0, end)
    keys = len(found)
    if keys != colons:
        for value in found.values():
            if type(value) is dict:
                keys += len(value)
        if keys != colons and has_duplicate_keys(raw, end, found, colons):
            raise _fault(ParseErrorKind.MALFORMED_JSON, raw)
    # Every level is an array or, but for the innermost, has a key.
    if end > 2 * MAX_DEPTH and (colons >= MAX_DEPTH or "[" in raw) and _is_too_deep(raw, end, found):
        raise _fault(ParseErrorKind.MALFORMED_JSON, raw)
    if type(s) is not int:
        raise _fault(ParseErrorKind.MISSING_S if s is _ABSENT else ParseErrorKind.S_NOT_INT, raw)

    message = raw[end:].lstrip()
    # A text that takes less than two bytes a character holds nothing above U+00FF, so no surrogate, unless by escape.
    if "\\" in raw or raw.__sizeof__() > 2 * len(raw) or "\0" in raw:
        message = _clean(raw, found, message)
    parsed = _Draft()
    parsed.s, parsed.json_part, parsed.message, parsed.end = s, found, message, end
    parsed.__class__ = ParsedLLMResponse  # type: ignore[assignment]
    return parsed  # type: ignore[return-value]


def _scan_carefully(raw: object) -> tuple[dict[str, Any], int]:
    """The object, after white space if need be; or the name of what stands there instead."""
    if not isinstance(raw, str) or not raw.strip():
        raise LLMResponseParseError(ParseErrorKind.EMPTY, 0)
    position = start = _start(raw)
    if raw[start] != "{":
        raise _fault(_kind_of_start(raw, start), raw)
    try:
        found, end = _DECODER.raw_decode(raw, start)
    except json.JSONDecodeError as error:
        position = error.pos
    except (ValueError, RecursionError):
        pass
    else:
        return found, end
    if closing_brace(raw, start) < 0:
        raise LLMResponseParseError(ParseErrorKind.UNBALANCED, len(raw))
    raise LLMResponseParseError(ParseErrorKind.MALFORMED_JSON, position)


def _start(raw: str) -> int:
    return len(raw) - len(raw.lstrip())


def _fault(kind: ParseErrorKind, raw: str) -> LLMResponseParseError:
    """An error about the whole object: placed where it starts."""
    return LLMResponseParseError(kind, _start(raw))


def _kind_of_start(raw: str, start: int) -> ParseErrorKind:
    if raw.startswith(("```", "~~~"), start):
        return ParseErrorKind.FENCE
    if raw[start] in '["':
        return ParseErrorKind.NOT_OBJECT
    return ParseErrorKind.PREFIX_TEXT


def _is_too_deep(raw: str, end: int, found: dict[str, Any]) -> bool:
    return raw.count("{", 0, end) + raw.count("[", 0, end) > MAX_DEPTH and depth_of(found) > MAX_DEPTH


def _clean(raw: str, found: dict[str, Any], message: str) -> str:
    """The message without NUL and half characters; the object, in place, without the latter."""
    escaped = "\\" in raw and ("\\ud" in raw or "\\uD" in raw)
    if escaped or has_surrogates(raw):
        if not clean_tree(found):
            raise _fault(ParseErrorKind.MALFORMED_JSON, raw)
        message = clean_text(message)
    return message.replace("\0", "")
