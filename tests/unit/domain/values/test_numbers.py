"""How large and how fine a number may be, and how many words may stand behind one that is spelled out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.values.numbers import read_integer, read_number


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        (10**15 - 1, Decimal(10**15 - 1)),
        (10**15, None),
        (-(10**15) + 1, Decimal(1 - 10**15)),
        (-(10**15), None),
        ("9" * 15, Decimal("9" * 15)),
        ("9" * 16, None),
        (f"0.{'1' * 15}", Decimal(f"0.{'1' * 15}")),
        (f"0.{'1' * 16}", None),
        (f"{'9' * 15}.{'9' * 15}", Decimal(f"{'9' * 15}.{'9' * 15}")),
        (1e300, None),
        (float("inf"), None),
        (" " * 79 + "7", Decimal(7)),
        (" " * 80 + "7", None),
        ("-7", Decimal(-7)),
        ("dois", Decimal(2)),
        ("zero", Decimal(0)),
        ("um frasco", None),
        ("duas amostras grandes", Decimal(2)),
        ("duas amostras muito grandes", None),
        ("cento e vinte", Decimal(120)),
        ("cento e cento", None),
        ("vinte e dez", None),
        ("vinte e nove", Decimal(29)),
        ("dezenove e um", None),
        ("cem", Decimal(100)),
        ("cem e um", Decimal(101)),
        ("vinte e zero", None),
        (True, None),
        (None, None),
    ],
)
def test_one_number_of_a_sane_size_is_read(raw: object, number: Decimal | None) -> None:
    assert read_number(raw) == number


def test_a_whole_number_has_nothing_behind_the_point() -> None:
    assert [read_integer(raw) for raw in ("7.0", "7.5", "1,200", 7)] == [7, None, None, 7]
