"""The money of an hour that was spent, or not, when a turn was recorded."""

from __future__ import annotations

from decimal import Decimal

from core.application.ports import Clock
from core.application.spend_meter import SpendMeter
from core.domain.handoff import HandoffReason
from core.domain.ledger import TurnRecord

_OF_ALL = "all"


class RecordedMeter(SpendMeter):
    """Over where the turn was handed over because everybody's money was; it counts nothing."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(counter=None, clock=clock, cap_micro_usd=0)
        self._over = False

    def begins(self, record: TurnRecord) -> None:
        """As it stood for this turn."""
        self._over = (record.handoff_reason, record.handoff_detail) == (HandoffReason.SPEND_LIMIT.value, _OF_ALL)

    def spent(self, cost_usd: Decimal) -> None:
        """Paid for then."""
        del cost_usd

    def is_over(self) -> bool:
        """As it was."""
        return self._over
