"""Days as people write them: which one is meant, and another in the same mask."""

from __future__ import annotations

import re
from datetime import date

_FIGURES = re.compile(r"[0-9]+")
_CENTURY = 100


def day_of(written: str) -> date | None:
    """12/03/1990, 12-3-90 or 1990-03-12; None for what is no day. Two figures of a year are of the last hundred."""
    figures = _FIGURES.findall(written)
    if len(figures) != 3:
        return None
    year, month, day = figures if len(figures[0]) == 4 else reversed(figures)
    try:
        return date(_year(year), int(month), int(day))
    except ValueError:
        return None


def written_like(mask: str, day: date) -> str:
    """The day with the mask's order, marks and zeros."""
    figures = _FIGURES.findall(mask)
    parts = [day.year, day.month, day.day]
    if len(figures[0]) != 4:
        parts.reverse()
    new = iter(
        f"{part % _CENTURY if len(old) == 2 and part == day.year else part:0{len(old)}d}"
        for old, part in zip(figures, parts, strict=True)
    )
    return _FIGURES.sub(lambda _m: next(new), mask)


def _year(figures: str) -> int:
    year = int(figures)
    if len(figures) == 4:
        return year
    return year + (1900 if year > 30 else 2000)  # who was born in 1930 or before writes four figures
