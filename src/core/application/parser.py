"""The strict reading of `{JSON}Mensagem` (docs/contract.md): one object at the start, the customer's text after it.

What `json` lets through and the contract does not is refused here too: non-finite numbers, duplicate keys, nesting
without end, half characters.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn

from core.domain.errors import BalcaoError
from core.domain.text import clean_text

MAX_DEPTH = 256
"""Levels of nesting accepted. CPython's own limit differs by version and by how deep the caller already stands."""

_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}"]', re.DOTALL)


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


def parse_llm_response(raw: str) -> ParsedLLMResponse:
    """Split a raw reply. Raises `LLMResponseParseError`, whatever the input, and nothing else."""
    if not isinstance(raw, str) or not raw.strip():
        raise LLMResponseParseError(ParseErrorKind.EMPTY, 0)
    start = len(raw) - len(raw.lstrip())
    if raw[start] != "{":
        raise LLMResponseParseError(_kind_of_start(raw, start), start)
    found, end, position = _decode(raw, start)
    if found is None:
        if _closing_brace(raw, start) < 0:
            raise LLMResponseParseError(ParseErrorKind.UNBALANCED, len(raw))
        raise LLMResponseParseError(ParseErrorKind.MALFORMED_JSON, position)
    if "s" not in found:
        raise LLMResponseParseError(ParseErrorKind.MISSING_S, start)
    if type(found["s"]) is not int:
        raise LLMResponseParseError(ParseErrorKind.S_NOT_INT, start)
    message = clean_text(raw[end:].lstrip()).replace("\0", "")
    return ParsedLLMResponse(s=found["s"], json_part=found, message=message, end=end)


def _decode(raw: str, start: int) -> tuple[dict[str, Any] | None, int, int]:
    """The object and where it ends, or None and where the fault is; the decoder's error holds the reply."""
    try:
        found, end = _DECODER.raw_decode(raw, start)
        if depth_of(found) <= MAX_DEPTH:
            return _clean_tree(found), end, start
    except json.JSONDecodeError as error:
        return None, 0, error.pos
    except (ValueError, RecursionError):  # integers too long to convert, and what the hooks refuse
        pass
    return None, 0, start


def _kind_of_start(raw: str, start: int) -> ParseErrorKind:
    if raw.startswith(("```", "~~~"), start):
        return ParseErrorKind.FENCE
    return ParseErrorKind.NOT_OBJECT if raw[start] in '["' else ParseErrorKind.PREFIX_TEXT


def depth_of(found: dict[str, Any]) -> int:
    """Levels of objects and arrays, `{}` being one."""
    depth, level = 0, list[Any]([found])
    while level:
        depth += 1
        level = [child for node in level for child in _values(node) if isinstance(child, (dict, list))]
    return depth


def _values(node: Any) -> Any:
    return node.values() if isinstance(node, dict) else node


def _clean_tree(value: Any) -> Any:
    """The value without half characters. Raises `ValueError` when two keys become one."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean_tree(each) for each in value]
    if isinstance(value, dict):
        return _each_key_once([(clean_text(key), _clean_tree(each)) for key, each in value.items()])
    return value


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("number overflows")
    return value


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError("not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_each_key_once, parse_float=_finite, parse_constant=_refuse_constant)


def _closing_brace(text: str, start: int) -> int:
    """Offset of the `}` that closes the `{` at `start`, counted outside strings as document 000 counts; -1 for none."""
    depth = 0
    for token in _STRING_OR_BRACE.finditer(text, start):
        match token[0]:
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if depth == 0:
                    return token.start()
            case '"':  # a string that never ends
                return -1
    return -1
