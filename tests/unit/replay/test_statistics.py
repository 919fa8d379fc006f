"""The test of pairs against figures that anybody can work out, and what it could have seen."""

from __future__ import annotations

import pytest

from replay.comparing.statistics import PairedTest, mcnemar, power, smallest_effect


@pytest.mark.parametrize(
    ("worse", "better", "p"), [(0, 0, 1.0), (1, 0, 0.5), (5, 0, 1 / 32), (6, 1, 8 / 128), (7, 1, 9 / 256), (0, 5, 1.0)]
)
def test_how_likely_chance_alone_flips_so_many(worse: int, better: int, p: float) -> None:
    assert mcnemar(worse, better) == pytest.approx(p)


@pytest.mark.parametrize(("sessions", "seen"), [(30, 0.06), (100, 0.49), (200, 0.84), (400, 0.99)])
def test_how_often_eight_in_a_hundred_made_worse_are_seen(sessions: int, seen: float) -> None:
    assert power(sessions, 0.08, 0.02) == pytest.approx(seen, abs=0.012)


def test_more_sessions_see_smaller_effects_and_a_few_see_none() -> None:
    found = [smallest_effect(n) for n in (3, 30, 100, 200)]

    assert found[0] is None
    assert [each for each in found if each is not None] == sorted((each for each in found if each), reverse=True)
    for sessions, effect in zip((30, 100, 200), found[1:], strict=True):
        assert effect is not None
        assert power(sessions, effect) >= 0.8 > power(sessions, effect - 0.01)


def test_a_test_says_worse_only_where_chance_does_not_explain_it() -> None:
    assert PairedTest(sessions=60, worse=7, better=1).is_worse
    assert not PairedTest(sessions=60, worse=6, better=1).is_worse
    assert not PairedTest(sessions=0, worse=0, better=0).could_see(0.5)


def test_more_changed_pairs_than_a_float_can_count_are_no_error() -> None:
    assert power(1600, 0.9) == pytest.approx(1.0)
