"""Cuts what models said when an item would hold too much of it (docs/turn.md: 16 KB), the longest replies first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.domain.ledger import ModelCall

RAW_REPLY_BYTES = 16 * 1024

_MARK = "… [cut: {total} bytes]"
_MARKED = re.compile(r"… \[cut: [0-9]+ bytes\]\Z")
_MARK_BYTES = 48


def with_raw_replies_cut(calls: Sequence[ModelCall]) -> tuple[ModelCall, ...]:
    """The calls with all their raw replies within the limit; a cut one ends in a mark that tells its full size."""
    sizes = [len((call.raw_reply or "").encode(errors="replace")) for call in calls]
    level = _level(sizes)
    return tuple(
        call if size <= level else replace(call, raw_reply=_cut(call.raw_reply or "", level, size))
        for call, size in zip(calls, sizes, strict=True)
    )


def is_cut(reply: str | None) -> bool:
    """Whether a reply ends in the mark: what it said is not known whole."""
    return reply is not None and _MARKED.search(reply) is not None


def _level(sizes: Sequence[int]) -> int:
    """The size above which replies are cut, such that all together fit."""
    left, waiting = RAW_REPLY_BYTES, sorted(sizes)
    while waiting:
        share = left // len(waiting)
        if waiting[-1] <= share:
            return waiting[-1]
        if waiting[0] > share:
            return share
        left -= waiting.pop(0)
    return RAW_REPLY_BYTES


def _cut(text: str, level: int, size: int) -> str:
    kept = text.encode(errors="replace")[: max(0, level - _MARK_BYTES)].decode(errors="ignore")
    return kept + _MARK.format(total=size)
