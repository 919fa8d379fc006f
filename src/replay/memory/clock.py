"""The clock of a recorded turn: it says again what it said then."""

from __future__ import annotations

from core.domain.ledger import TurnRecord


class RecordedClock:
    """A turn reads it when it begins, when it opens, and from its commit on; `opens` says that the table was read."""

    def __init__(self) -> None:
        self._now_ms = 0
        self._next_ms: list[int] = []

    def begins(self, record: TurnRecord) -> None:
        """The readings of a turn that was recorded."""
        self._now_ms = record.started_at_ms
        self._next_ms = [record.started_at_ms + record.wall_ms, record.decided_at_ms]

    def stands_at(self, now_ms: int) -> None:
        """No turn: a message is being recorded."""
        self._now_ms, self._next_ms = now_ms, []

    def opens(self) -> None:
        """The next reading is the one by which the turn decides; those after it are the commit's."""
        if len(self._next_ms) > 1:
            self._now_ms = self._next_ms.pop()

    def now_ms(self) -> int:
        """As it was then."""
        now_ms = self._now_ms
        if len(self._next_ms) == 1:
            self._now_ms = self._next_ms.pop()
        return now_ms

    @property
    def hand_ms(self) -> int:
        """The time that it shows, which nobody is taken to have read."""
        return self._now_ms


class ClockHand:
    """The same time for those whose looking does not count."""

    def __init__(self, clock: RecordedClock) -> None:
        self._clock = clock

    def now_ms(self) -> int:
        """Without a reading."""
        return self._clock.hand_ms
