"""What model calls cost over all conversations in this hour, as far as one process can know (docs/turn.md, "Money").

The counter is outside every transaction: a conversation's turn neither waits for it nor fails with it.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from decimal import Decimal

from core.application.ports import Clock, ConversationStore, SpendCounter
from core.domain.errors import IntegrationError
from core.domain.spending import Spend, micro_usd

_log = logging.getLogger(__name__)

WRITE_EVERY_MS = 30_000
READ_EVERY_MS = 60_000
_HOUR_MS = 3_600_000


def note_spent(store: ConversationStore, conversation: str, *, day: str, cost: int) -> None:
    """What was paid for after or without a commit, in the conversation's sum. One that cannot be written is told, and
    nothing is undone for it.
    """
    if not cost:
        return
    try:
        store.add_spent(conversation, Spend(day=day, micro_usd=cost))
    except IntegrationError as error:
        _log.warning("spend_not_noted", extra={"conversation": conversation, "error": str(error)})


class SpendMeter:
    """Mutable on purpose, and safe under threads: one for each process. A cap of 0 is none, and asks for no counter.

    A counter that cannot be reached stops nobody: what was not written is written later.
    """

    def __init__(self, *, counter: SpendCounter | None, clock: Clock, cap_micro_usd: int) -> None:
        self._counter = counter if cap_micro_usd else None
        self._clock = clock
        self._cap = cap_micro_usd
        self._lock = threading.Lock()
        self._unwritten: Counter[int] = Counter()
        self._hour = 0
        self._total = 0  # of this hour, when last read
        self._since_read = 0  # of our own, not in that total
        self._written_ms = self._read_ms = -READ_EVERY_MS

    def spent(self, cost_usd: Decimal) -> None:
        """A call was paid for."""
        if self._counter is None:
            return
        cost = micro_usd(cost_usd)
        with self._lock:
            self._turn_hour()
            self._unwritten[self._hour] += cost
            self._since_read += cost
        self._write_when_due(self._counter)

    def is_over(self) -> bool:
        """Whether this hour's money is spent: no model is to be asked."""
        if self._counter is None:
            return False
        self._write_when_due(self._counter)
        self._read_when_due(self._counter)
        with self._lock:
            self._turn_hour()
            return self._total + self._since_read >= self._cap

    def _turn_hour(self) -> None:
        hour = self._clock.now_ms() // _HOUR_MS
        if hour != self._hour:
            self._hour, self._total, self._since_read = hour, 0, 0

    def _write_when_due(self, counter: SpendCounter) -> None:
        with self._lock:
            if not self._unwritten or self._clock.now_ms() - self._written_ms < WRITE_EVERY_MS:
                return
            waiting, self._unwritten = self._unwritten, Counter()
            self._written_ms = self._clock.now_ms()
        for hour, cost in waiting.items():
            try:
                counter.add(hour, cost)
            except IntegrationError as error:
                _log.warning("spend_not_counted", extra={"error": str(error)})
                with self._lock:
                    self._unwritten[hour] += cost

    def _read_when_due(self, counter: SpendCounter) -> None:
        with self._lock:
            self._turn_hour()
            if self._clock.now_ms() - self._read_ms < READ_EVERY_MS:
                return
            self._read_ms, hour = self._clock.now_ms(), self._hour
        try:
            total = counter.total(hour)
        except IntegrationError as error:
            _log.warning("spend_not_read", extra={"error": str(error)})
            return
        with self._lock:
            if hour != self._hour:
                return
            self._total, self._since_read = total, self._unwritten[hour]
        if total >= self._cap:
            _log.error("spend_per_hour_reached", extra={"micro_usd": total, "cap_micro_usd": self._cap})
