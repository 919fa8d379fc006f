"""What a turn may still spend."""

from __future__ import annotations

import pytest

from core.domain.deadline import Deadline
from core.domain.errors import DeadlineError

T0 = 1_796_040_000_000


def deadline(left_ms: int) -> Deadline:
    return Deadline(now_ms=lambda: T0, ends_at_ms=T0 + left_ms)


def test_a_model_has_what_is_left_but_for_the_reserve() -> None:
    assert deadline(60_000).model_seconds() == 45
    assert deadline(16_000).model_seconds() == 1
    with pytest.raises(DeadlineError):
        deadline(15_999).model_seconds()


def test_what_is_left_is_never_less_than_nothing() -> None:
    assert [deadline(ms).seconds_left() for ms in (1500, 0, -1)] == [1.5, 0, 0]
