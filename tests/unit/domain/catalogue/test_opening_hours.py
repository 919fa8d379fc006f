"""Whether somebody answers, to the minute; and when next, as a customer reads it."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from core.domain.catalogue.opening_hours import OpeningHours, Shift

ZONE = ZoneInfo("America/Sao_Paulo")
MORNING, AFTERNOON = Shift(start=8 * 60, end=12 * 60), Shift(start=13 * 60 + 30, end=18 * 60)
WEEK = ((MORNING, AFTERNOON),) * 5 + ((), ())
HOURS = OpeningHours(week=WEEK, holidays=frozenset({"2026-12-08", "12-25"}))


def ms(text: str) -> int:
    """Local time on a day of 2026; the 30th of November is a Monday."""
    return round(datetime.fromisoformat(f"2026-{text}").replace(tzinfo=ZONE).timestamp() * 1000)


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [
        ("11-30T07:59:59", False),
        ("11-30T08:00:00", True),
        ("11-30T11:59:59", True),
        ("11-30T12:00:00", False),
        ("11-30T13:29:59", False),
        ("11-30T13:30:00", True),
        ("11-30T18:00:00", False),
        ("11-29T10:00:00", False),
        ("12-08T10:00:00", False),
        ("12-25T10:00:00", False),
        ("12-09T10:00:00", True),
    ],
)
def test_somebody_answers_from_the_first_minute_until_before_the_last(moment: str, is_open: bool) -> None:
    assert HOURS.is_open(ms(moment)) is is_open


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("11-30T07:00:00", "hoje às 8h"),
        ("11-30T08:00:00", "hoje às 13h30"),
        ("11-30T18:00:00", "amanhã às 8h"),
        ("11-29T10:00:00", "amanhã às 8h"),
        ("11-28T10:00:00", "segunda-feira às 8h"),
        ("12-07T18:00:00", "quarta-feira às 8h"),
    ],
)
def test_the_next_opening_is_told_as_people_say_it(moment: str, told: str) -> None:
    assert HOURS.next_opening_text(ms(moment)) == told


@pytest.mark.parametrize(
    ("holidays", "told"),
    [(6, "segunda-feira às 8h"), (7, "dia 08/12 às 8h")],
)
def test_a_week_ahead_a_day_has_its_date(holidays: int, told: str) -> None:
    closed = frozenset(datetime(2026, 12, 1 + day, tzinfo=ZONE).date().isoformat() for day in range(holidays))
    hours = OpeningHours(week=((MORNING,),) * 7, holidays=closed)
    moment = ms("11-30T18:00:00") if holidays == 7 else ms("12-01T09:00:00")

    assert hours.next_opening_text(moment) == told


def test_one_oclock_is_told_in_the_singular() -> None:
    assert OpeningHours(week=((Shift(start=60, end=120),),) * 7).next_opening_text(ms("11-30T00:00:00")) == "hoje à 1h"


def test_where_nobody_ever_answers_nothing_is_told() -> None:
    assert OpeningHours().next_opening_text(ms("11-30T08:00:00")) == ""
    assert not OpeningHours().is_open(ms("11-30T08:00:00"))
    assert len(OpeningHours().week) == 7


def test_two_months_ahead_is_as_far_as_anybody_looks() -> None:
    every_day = ((MORNING,),) * 7
    first = datetime(2026, 11, 30, tzinfo=ZONE)
    closed = [datetime.fromtimestamp(first.timestamp() + n * 86_400, tz=ZONE).date().isoformat() for n in range(61)]

    assert OpeningHours(week=every_day, holidays=frozenset(closed[:60])).next_opening(ms("11-30T00:00:00")) is not None
    assert OpeningHours(week=every_day, holidays=frozenset(closed)).next_opening(ms("11-30T00:00:00")) is None
