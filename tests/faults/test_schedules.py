"""Two workers, a webhook, a sweep, a customer, deaths and failures in any order: the same holds."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from tests.effort import examples, thorough
from tests.faults.invariants import faults, unaccounted_calls
from tests.faults.schedule import Choose, Schedule
from tests.faults.trial import last_word
from tests.faults.world import Statuses

REPORTS = (Statuses.LATE, Statuses.BEFORE, Statuses.WITHHELD)
FEW_SEEDS, MORE_SEEDS = range(6), range(6, 40)

# The same days in every run; one that fails is shortened until nothing can be left out.
always_the_same = settings(
    max_examples=examples(40),
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


def found_in(schedule: Schedule) -> list[str]:
    """What the day left behind that must not be."""
    world = schedule.run()
    world.goes_on(minutes=25)
    found = faults(world)
    if not (schedule.deaths or schedule.faults or schedule.outlived) and unaccounted_calls(world):
        found.append("a model call is in no ledger")
    return found or last_word(world)


@pytest.mark.parametrize("fifo", [True, False], ids=["fifo", "standard"])
@given(data=st.data())
@always_the_same
def test_whatever_the_order_nothing_is_lost_and_nothing_said_twice(data: st.DataObject, fifo: bool) -> None:
    choose: Choose = lambda names: data.draw(st.sampled_from(names))  # noqa: E731
    schedule = Schedule(choose=choose, fifo=fifo, statuses=data.draw(st.sampled_from(REPORTS)), moves=80)
    found = found_in(schedule)
    note("\n".join(schedule.told))
    assert found == []


@pytest.mark.parametrize("seed", [*FEW_SEEDS, *thorough(MORE_SEEDS)])
def test_long_days_leave_nothing_behind(seed: int) -> None:
    draw = random.Random(seed)
    schedule = Schedule(
        choose=draw.choice,
        fifo=draw.random() < 0.5,
        statuses=draw.choice(REPORTS),
        moves=200,
        deaths_max=draw.choice((0, 3)),
        faults_max=draw.choice((0, 3)),
    )
    assert found_in(schedule) == [], "\n".join(schedule.told)


def test_the_same_seed_is_the_same_day() -> None:
    def day() -> list[str]:
        schedule = Schedule(choose=random.Random(11).choice, moves=120)
        schedule.run()
        return schedule.told

    assert day() == day()
