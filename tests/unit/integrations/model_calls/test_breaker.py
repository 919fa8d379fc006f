"""When a rung is asked, and by how many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain.llm import ModelRef
from core.integrations.model_calls.breaker import Breaker

REF, OTHER = ModelRef(provider="um", model="m"), ModelRef(provider="um", model="outro")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock, **asked: float) -> Breaker:
    breaker = Breaker(clock)
    breaker.failed(REF, **asked)  # type: ignore[arg-type]
    breaker.failed(REF, **asked)  # type: ignore[arg-type]
    return breaker


def test_one_failure_opens_nothing_and_two_open_one_model_alone() -> None:
    breaker = Breaker(Clock())
    breaker.failed(REF)
    assert breaker.admits(REF)
    breaker.failed(REF)
    assert (breaker.admits(REF), breaker.is_open(REF), breaker.admits(OTHER)) == (False, True, True)


def test_an_answer_between_two_failures_forgets_the_first() -> None:
    breaker = Breaker(Clock())
    breaker.failed(REF)
    breaker.answered(REF)
    breaker.failed(REF)
    assert breaker.admits(REF)


def test_of_many_at_once_one_probes() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    with ThreadPoolExecutor(8) as pool:
        admitted = list(pool.map(lambda _n: breaker.admits(REF), range(64)))
    assert admitted.count(True) == 1


def test_a_probe_that_nobody_hears_of_is_not_waited_for_for_ever() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 30
    assert breaker.admits(REF)
    clock.now += 60
    assert breaker.admits(REF)


@pytest.mark.parametrize(("asked", "waits"), [(0.0, 5), (1.0, 5), (20.0, 20), (9_000.0, 300)])
def test_the_provider_s_own_wait_is_kept_within_bounds(asked: float, waits: int) -> None:
    clock = Clock()
    breaker = opened(clock, retry_after_seconds=asked)
    clock.now += waits - 1
    assert not breaker.admits(REF)
    clock.now += 1
    assert breaker.admits(REF)


def test_probes_that_fail_double_the_wait_up_to_five_minutes() -> None:
    clock = Clock()
    breaker = opened(clock)
    for waits in (30, 60, 120, 240, 300, 300):
        clock.now += waits - 1
        assert not breaker.admits(REF)
        clock.now += 1
        assert breaker.admits(REF)
        breaker.failed(REF)


def test_its_own_clock_goes_on() -> None:
    breaker = Breaker()
    breaker.failed(REF)
    breaker.failed(REF)
    assert breaker.is_open(REF)
