"""JSON in a text: the system's, which no customer may see, or what a sentence quotes from the customer's own data."""

from __future__ import annotations

import json
import re
from collections.abc import Container

from core.application.reply.debris.inner_words import CONTRACT_KEYS
from core.application.reply.placeholders import is_name
from core.application.reply.repair_check import OTHER_S

_KEY_IN_BRACE = re.compile(r"""\{\s*["'“](?P<key>\w{1,40})["'”]\s*:""")
_KEY = re.compile(r"""["'“](?P<key>\w{1,40})["'”]\s*:""")
_FIELD = re.compile(r"""(?:^|,)\s*"\w{1,40}"\s*:""")
_CONTINUES = re.compile(r"""\s*[,;:.?!)”"'…]|\s+[a-zà-ÿ(]""")
_DECODER = json.JSONDecoder()
_AROUND = 40  # characters looked at on either side


def json_fault(text: str, names: Container[str]) -> str | None:
    """The finding that forbids a text with JSON in it; None when there is none but what a sentence quotes."""
    if OTHER_S.search(text):
        return "second_object"
    rest, start = [], 0
    for brace in re.finditer(r"\{", text):
        begins = brace.start()
        try:
            found, ends = _DECODER.raw_decode(text, begins)
        except (ValueError, RecursionError):
            if not _KEY_IN_BRACE.match(text, begins):
                continue
            found, ends = None, text.find("}", begins) + 1
        if found == {}:
            continue
        if not ends or not _is_quoted(text, begins, ends, names):
            return "json_fragment" if found is None else "json_object"
        if begins >= start:
            rest.append(text[start:begins])
            start = ends
    rest.append(text[start:])
    outside = "…".join(rest)
    return "json_fragment" if "}" in outside and _FIELD.search(outside) else None


def _is_quoted(text: str, begins: int, ends: int, names: Container[str]) -> bool:
    """Whether a sentence goes on around the object, and none of its keys is the system's."""
    keys = (found["key"] for found in _KEY.finditer(text, begins, ends))
    if any(key in CONTRACT_KEYS or "_" in key or is_name(key, names) for key in keys):
        return False
    before = text[max(0, begins - _AROUND) : begins]
    if before[-1:].isalnum() or before[-1:] in tuple(".!?"):
        return False
    starts_alone = (
        not before.strip()
        or before.rstrip()[-1] in ".!?"
        or ("\n" in before[len(before.rstrip()) :] and before.rstrip()[-1] != ":")
    )
    return not starts_alone or bool(_CONTINUES.match(text, ends))
