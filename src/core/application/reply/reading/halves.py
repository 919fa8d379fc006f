"""Whether what was taken from the ends of a message took one half of something, and left the other in it."""

from __future__ import annotations

import re
from collections import Counter

_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))
_MARKS = "\"'*_~`"
_TAG = re.compile(r"</?([A-Za-z][\w.:-]*)[^<>]*>")
_SMILE = re.compile(r"[:;=]['^-]?[()\[\]{}]")
_SIGN = re.compile(r"(?:[<>≤≥]|(?<!=)=)=?\s*\Z")


def is_torn(before: str, kept: str, after: str) -> bool:
    """Whether a pair, a sign (`<5`) or a smile was torn: `before` and `after` were taken from around `kept`."""
    taken = f"{before}\n{after}"
    if _SMILE.search(after) or (kept[:1].isdigit() and _SIGN.search(_TAG.sub("", before))):
        return True
    if not _unpaired_tags(kept).isdisjoint(_TAG.findall(taken)):
        return True
    words = _SMILE.sub("", _TAG.sub("", kept))
    taken = _TAG.sub("", taken)
    return any(_is_pair_torn(*pair, words, taken) for pair in _PAIRS) or any(
        mark in taken and _is_mark_torn(mark, words) for mark in _MARKS
    )


def _unpaired_tags(kept: str) -> set[str]:
    opened: Counter[str] = Counter()
    for tag in _TAG.finditer(kept):
        opened[tag[1]] += -1 if tag[0].startswith("</") else 1
    return {name for name, count in opened.items() if count}


def _is_pair_torn(opening: str, closing: str, kept: str, taken: str) -> bool:
    unclosed = unopened = 0
    for character in kept:
        if character == opening:
            unclosed += 1
        elif character == closing:
            unclosed, unopened = (unclosed - 1, unopened) if unclosed else (0, unopened + 1)
    return bool((unopened and opening in taken) or (unclosed and closing in taken))


def _is_mark_torn(mark: str, kept: str) -> bool:
    """An odd number is left, or the first that is left closes; an apostrophe inside a word is a letter."""
    pattern = re.escape(mark)
    left = list(re.finditer(rf"(?<!\w){pattern}|{pattern}(?!\w)", kept))
    if not left:
        return False
    first = left[0].start()
    closes = first > 0 and not kept[first - 1].isspace() and not kept[first + 1 : first + 2].isalnum()
    return bool(len(left) % 2) or closes
