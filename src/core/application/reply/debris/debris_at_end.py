"""What a broken wrapping leaves after a message: braces that nothing opened, a quote that nothing opened."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"[{}\[\]]")
_SMILE = re.compile(r"[:;=]['^o-]?\Z")
_OPENING = {"}": "{", "]": "["}


def without_debris_at_end(text: str) -> str:
    """`Oi"}` is `Oi`. What was opened stays, and so do `:}`, an interval (`]0, 10]`) and inches (`5"`)."""
    unopened, quotes = _find_unopened(text), text.count('"')
    kept = text.rstrip()
    whole = len(kept)
    while kept:
        last = kept[-1]
        if last in _OPENING:
            before = kept[-4:-1]
            is_sign = _SMILE.search(before) or (last == "]" and before[-1:].isdigit())
            if is_sign or len(kept) - 1 not in unopened:
                break
        elif last == '"' and quotes % 2 and not kept[-2:-1].isdigit():
            quotes -= 1
        elif last not in ",;" or len(kept) == whole:
            break
        end = len(kept) - 1
        while end and kept[end - 1].isspace():
            end -= 1
        kept = kept[:end]
    return text if len(kept) == whole else kept


def _find_unopened(text: str) -> set[int]:
    """Offsets of the closing brackets that close nothing."""
    depths = {"{": 0, "[": 0}
    unopened = set()
    for bracket in _BRACKET.finditer(text):
        opening = _OPENING.get(bracket[0])
        if opening is None:
            depths[bracket[0]] += 1
        elif depths[opening]:
            depths[opening] -= 1
        else:
            unopened.add(bracket.start())
    return unopened
