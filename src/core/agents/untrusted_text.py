"""Keeps what others wrote from looking like what we wrote: no tag of ours survives inside it."""

from __future__ import annotations

import json
import re
from typing import Any

from core.domain.text import is_seen

# Less-than signs, and what Unicode holds to be one.
_LESS_THAN = re.compile(r"[<\uFF1C\uFE64\u226E]")
_HARMLESS = "\u2039"  # ‹: reads the same, delimits nothing
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_ANGLES = {"<": "\\u003c", "\uff1c": "\\uff1c", "\ufe64": "\\ufe64", "\u226e": "\\u226e"}


def as_data(text: str) -> str:
    """The text with every would-be tag defused, whatever is unseen in it; any other text (`DBO<5`) unchanged."""
    return _LESS_THAN.sub(lambda sign: _HARMLESS if _opens_tag(text, sign.end()) else sign[0], text)


def _opens_tag(text: str, position: int) -> bool:
    """Whether what is seen next, slashes aside, begins a name. Two signs never look at the same characters."""
    for place in range(position, len(text)):
        character = text[place]
        if character not in "/\\" and is_seen(character):
            return character.isalpha() or character in "!?|"
    return False


def json_data(value: Any) -> str:
    """Compact JSON in which no tag can open or close: less-than signs stand as their escapes."""
    text = _ENCODER.encode(value)
    for angle, escape in _ANGLES.items():
        if angle in text:
            text = text.replace(angle, escape)
    return text
