"""What `json` does not answer about a JSON text: duplicate keys, depth, lone surrogates, the closing brace."""

from __future__ import annotations

import json
import re
from typing import Any

_STRING_OR_BRACE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}"]', re.DOTALL)


def has_duplicate_keys(raw: str, end: int, found: dict[str, Any], colons: int) -> bool:
    """Whether an object in `raw[:end]`, read as `found`, names a key twice. `colons` is their number in that text.

    A key named twice takes its colon along: where keys and strings account for every colon, none was lost. Only what
    this leaves open is read again, key by key, which takes three times as long as a scan.
    """
    escaped = "\\" in raw and "\\u003" in raw  # a colon in a string that is none in the text
    if not escaped and _accounted_colons(found) == colons:
        return False
    try:
        _KEY_BY_KEY.decode(raw[:end].lstrip())
    except (ValueError, RecursionError):
        return True
    return False


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


_KEY_BY_KEY = json.JSONDecoder(object_pairs_hook=_each_once)


def _children(node: Any) -> list[Any]:
    values = node.values() if type(node) is dict else node
    return [value for value in values if type(value) in (dict, list)]


def _accounted_colons(found: dict[str, Any]) -> int:
    """One for each key, and those inside string values."""
    colons = 0
    pending: list[Any] = [found]
    while pending:
        node = pending.pop()
        if type(node) is dict:
            colons += len(node)
            node = node.values()
        for value in node:
            kind = type(value)
            if kind is str:
                if ":" in value:
                    colons += value.count(":")
            elif kind is dict or kind is list:
                pending.append(value)
    return colons


def depth_of(found: dict[str, Any]) -> int:
    """Levels of objects and arrays, `{}` being one."""
    depth, level = 0, [found]
    while level:
        depth += 1
        level = [child for node in level for child in _children(node)]
    return depth


def has_surrogates(text: str) -> bool:
    """Whether the text holds half a character, which no UTF-8 can carry."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def clean_text(text: str) -> str:
    """Join surrogate pairs; a lone one becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean_tree(found: dict[str, Any]) -> bool:
    """`clean_text` on every key and value, in place. False when two keys become one."""
    pending: list[Any] = [found]
    while pending:
        node = pending.pop()
        pending += _children(node)
        if type(node) is list:
            node[:] = [clean_text(value) if type(value) is str else value for value in node]
            continue
        cleaned = {clean_text(key): clean_text(value) if type(value) is str else value for key, value in node.items()}
        if len(cleaned) != len(node):
            return False
        node.clear()
        node.update(cleaned)
    return True


def closing_brace(text: str, start: int) -> int:
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
