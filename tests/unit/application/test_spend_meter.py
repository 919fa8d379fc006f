"""The hour's money over all conversations: counted seldom, read seldom, and in nobody's way."""

from __future__ import annotations

import logging
from decimal import Decimal

import pytest

from core.application.spend_meter import SpendMeter
from tests.fakes.clock import FakeClock
from tests.fakes.spend_counter import FakeSpendCounter

DOLLAR = 1_000_000


class Processes:
    """Several meters, each of a process, on one counter."""

    def __init__(self, number: int = 1, *, cap: str = "20") -> None:
        self.clock = FakeClock()
        self.counter = FakeSpendCounter()
        self.meters = [
            SpendMeter(counter=self.counter, clock=self.clock, cap_micro_usd=int(cap) * DOLLAR) for _ in range(number)
        ]

    @property
    def counted(self) -> int:
        return sum(self.counter.hours.values())


def test_a_process_writes_its_sum_at_once_and_then_every_thirty_seconds() -> None:
    world = Processes()
    (meter,) = world.meters

    meter.spent(Decimal("0.01"))
    for _ in range(10):
        world.clock.advance(seconds=2)
        meter.spent(Decimal("0.01"))
    assert (world.counter.writes, world.counted) == (1, DOLLAR // 100)

    world.clock.advance(seconds=10)
    meter.spent(Decimal("0.01"))
    assert (world.counter.writes, world.counted) == (2, 12 * DOLLAR // 100)


def test_what_is_left_is_written_by_the_next_turn_that_asks() -> None:
    world = Processes()
    (meter,) = world.meters
    meter.spent(Decimal(1))
    meter.spent(Decimal(2))
    world.clock.advance(seconds=30)

    meter.is_over()

    assert world.counted == 3 * DOLLAR


def test_the_total_is_read_once_a_minute_at_most() -> None:
    world = Processes()
    (meter,) = world.meters

    for _ in range(119):
        meter.is_over()
        world.clock.advance(seconds=1)

    assert world.counter.reads == 2


def test_what_others_spent_counts_within_a_minute() -> None:
    world = Processes(2)
    one, another = world.meters
    assert not another.is_over()

    one.spent(Decimal(20))

    assert one.is_over()
    assert not another.is_over()
    world.clock.advance(seconds=60)
    assert another.is_over()


def test_ones_own_money_counts_at_once_and_is_never_counted_twice() -> None:
    world = Processes(cap="10")
    (meter,) = world.meters
    meter.spent(Decimal(4))
    meter.spent(Decimal(2))
    world.clock.advance(seconds=60)

    assert not meter.is_over()
    meter.spent(Decimal("3.99"))
    assert not meter.is_over()
    meter.spent(Decimal("0.01"))
    assert meter.is_over()


def test_the_next_hour_begins_with_nothing_spent() -> None:
    world = Processes(2)
    for meter in world.meters:
        meter.spent(Decimal(20))
    assert world.meters[1].is_over()

    world.clock.advance(hours=1)

    assert not any(meter.is_over() for meter in world.meters)


def test_money_of_the_hour_before_is_counted_there() -> None:
    world = Processes()
    (meter,) = world.meters
    hour = world.clock.now_ms() // 3_600_000
    world.clock.advance(minutes=59, seconds=50)
    meter.spent(Decimal(1))
    meter.spent(Decimal(2))

    world.clock.advance(seconds=31)
    meter.spent(Decimal(4))

    assert world.counter.hours == {hour: 3 * DOLLAR, hour + 1: 4 * DOLLAR}


def test_a_counter_that_is_down_stops_nobody_and_loses_nothing(caplog: pytest.LogCaptureFixture) -> None:
    world = Processes()
    (meter,) = world.meters
    world.counter.is_down = True

    meter.spent(Decimal(3))
    assert not meter.is_over()

    world.counter.is_down = False
    world.clock.advance(seconds=60)
    meter.spent(Decimal(1))
    assert world.counted == 4 * DOLLAR
    assert {"spend_not_counted", "spend_not_read"} <= {record.message for record in caplog.records}


def test_reaching_the_cap_is_an_error_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    world = Processes()
    world.meters[0].spent(Decimal(21))
    world.meters[0].is_over()

    (event,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert event.message == "spend_per_hour_reached"


def test_without_a_cap_nothing_is_counted() -> None:
    world = Processes(cap="0")
    (meter,) = world.meters
    meter.spent(Decimal(1_000_000))

    assert not meter.is_over()
    assert (world.counter.writes, world.counter.reads) == (0, 0)
