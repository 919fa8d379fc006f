"""What stands at the very start or end of a text, again and again with white space between: found in one pass.

A pattern that repeats up to `$` is tried from each of its repetitions, which takes a hostile text minutes.
"""

from __future__ import annotations

import re


def end_of_leading(pattern: re.Pattern[str], text: str) -> int:
    """Offset after the last of the matches that nothing but white space precedes; 0 for none."""
    start = 0
    for found in pattern.finditer(text):
        if text[start : found.start()].strip():
            break
        start = found.end()
    return start


def start_of_trailing(pattern: re.Pattern[str], text: str) -> int:
    """Offset of the first of the matches that nothing but white space follows; the text's length for none."""
    end = len(text)
    for begins, ends in reversed([found.span() for found in pattern.finditer(text)]):
        if text[ends:end].strip():
            break
        end = begins
    return end


def without_at_edges(pattern: re.Pattern[str], text: str) -> str:
    """The text between the matches at its start and those at its end; as it is when there are none."""
    start = end_of_leading(pattern, text)
    end = max(start, start_of_trailing(pattern, text))
    if start == 0 and end == len(text):
        return text
    return text[start:end].strip() if start else text[:end].rstrip()
