"""How much of a large table, and how many examples of a property, a run looks at (see conftest.py)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import pytest
from hypothesis import settings

FEW, MANY = 15, 100

T = TypeVar("T")


def examples(many: int) -> int:
    """Of a property that takes more or fewer than others: that many in the thorough run."""
    return max(1, many * settings().max_examples // MANY)


def first_of_each(cases: Iterable[T], kind: Callable[[T], Hashable]) -> list[T]:
    """One case of each kind, in their order."""
    found: dict[Hashable, T] = {}
    for case in cases:
        found.setdefault(kind(case), case)
    return list(found.values())


def thorough(cases: Iterable[Any]) -> list[Any]:
    """Cases of a table that only the thorough run looks at."""
    return [pytest.param(case, marks=pytest.mark.thorough) for case in cases]
