"""Keeps what others wrote from looking like what we wrote: no tag of ours survives inside it."""

from __future__ import annotations

import json
import re
from typing import Any

# Opens anything like a tag, whatever white space and invisible characters are put into it; `DBO<5` stays.
_OPENS_TAG = re.compile(r"[<\uFF1C\uFE64](?=[\s/\\\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]*[A-Za-z!?|])")
_HARMLESS = "\u2039"  # ‹: reads the same, delimits nothing
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)
_ANGLES = {"<": "\\u003c", "\uff1c": "\\uff1c", "\ufe64": "\\ufe64"}


def as_data(text: str) -> str:
    """The text with every would-be tag defused; any other text unchanged."""
    if "<" in text or "\uff1c" in text or "\ufe64" in text:
        return _OPENS_TAG.sub(_HARMLESS, text)
    return text


def json_data(value: Any) -> str:
    """Compact JSON in which no tag can open or close: less-than signs stand as their escapes."""
    text = _ENCODER.encode(value)
    for angle, escape in _ANGLES.items():
        if angle in text:
            text = text.replace(angle, escape)
    return text
