"""When people answer: week, holidays and time zone of the company."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

WEEKDAYS = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_WEEKDAY_NAMES = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
_DAYS_AHEAD = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Minutes since midnight, local time: open from `start` until before `end` (1440 is midnight)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningHours:
    """`week` holds seven days from Monday. `holidays` are `YYYY-MM-DD`, or `MM-DD` for every year."""

    timezone: str = "America/Sao_Paulo"
    week: tuple[tuple[Shift, ...], ...] = ((),) * 7
    holidays: frozenset[str] = frozenset()

    def is_open(self, at_ms: int) -> bool:
        """Whether somebody answers at that moment (milliseconds since the epoch)."""
        now = self._local(at_ms)
        minute = now.hour * 60 + now.minute
        return any(shift.start <= minute < shift.end for shift in self._shifts(now.date()))

    def local_date(self, at_ms: int) -> date:
        """The day that it is there at that moment."""
        return self._local(at_ms).date()

    def next_opening(self, at_ms: int) -> datetime | None:
        """The moment at which somebody next begins to answer; None when not within two months."""
        now = self._local(at_ms)
        return next((opening for opening in self._openings(now) if opening > now), None)

    def next_opening_text(self, at_ms: int) -> str:
        """`hoje às 13h`, `amanhã às 8h`, `segunda-feira às 8h30`, `dia 05/01 às 8h`; "" when not known."""
        opening = self.next_opening(at_ms)
        if opening is None:
            return ""
        days = (opening.date() - self._local(at_ms).date()).days
        hour = "à 1h" if opening.hour == 1 else f"às {opening.hour}h"
        return f"{_day_name(opening, days)} {hour}{f'{opening.minute:02d}' if opening.minute else ''}"

    def _local(self, at_ms: int) -> datetime:
        return datetime.fromtimestamp(at_ms / 1000, tz=UTC).astimezone(ZoneInfo(self.timezone))

    def _shifts(self, day: date) -> tuple[Shift, ...]:
        iso = day.isoformat()
        closed = iso in self.holidays or iso[5:] in self.holidays
        return () if closed else self.week[day.weekday()]

    def _openings(self, now: datetime) -> Iterator[datetime]:
        for offset in range(_DAYS_AHEAD + 1):
            day = now.date() + timedelta(days=offset)
            for shift in self._shifts(day):
                yield datetime.combine(day, time(shift.start // 60, shift.start % 60), tzinfo=now.tzinfo)


def _day_name(opening: datetime, days: int) -> str:
    if days <= 1:
        return ("hoje", "amanhã")[days]
    return _WEEKDAY_NAMES[opening.weekday()] if days < 7 else f"dia {opening:%d/%m}"
