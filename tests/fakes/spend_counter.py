"""Faithful to `SpendCounter`: sums by hour; fails with `IntegrationError` when told to, before anything is counted."""

from __future__ import annotations

from collections import Counter

from core.domain.errors import IntegrationError


class FakeSpendCounter:
    """`hours` are the sums, `writes` and `reads` how often it was asked; `is_down` makes it fail."""

    def __init__(self) -> None:
        self.hours: Counter[int] = Counter()
        self.writes = self.reads = 0
        self.is_down = False

    def add(self, hour: int, micro_usd: int) -> None:
        self.writes += 1
        self._fail_when_down()
        self.hours[hour] += micro_usd

    def total(self, hour: int) -> int:
        self.reads += 1
        self._fail_when_down()
        return self.hours[hour]

    def _fail_when_down(self) -> None:
        if self.is_down:
            raise IntegrationError("DynamoDB UpdateItem: down")
