"""Money that model calls cost, as it is summed: whole millionths of a dollar, by the day of the company's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What a conversation cost on a `day` (`spending_day`)."""

    day: str
    micro_usd: int


def spending_day(day: date) -> str:
    """A day's name in the table: `20261201`."""
    return f"{day:%Y%m%d}"


def micro_usd(*costs: Decimal | None) -> int:
    """Rounded up, so that a cap is never too kind. What has no price is not counted."""
    return sum(int((cost * _MILLION).to_integral_value(ROUND_CEILING)) for cost in costs if cost is not None)
