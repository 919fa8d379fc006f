"""What came of a turn when it was played again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from core.domain.ledger import ModelCall
from replay.playing.facts import Facts
from replay.playing.recorded_model import CallPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A request that reads otherwise than the recorded one: no regression of itself."""

    place: CallPlace
    recorded: str
    played: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """`error` is why there is no answer, "" where there is one. `calls` are those that this replay made."""

    number: int
    facts: Facts
    text: str = ""
    calls: tuple[ModelCall, ...] = ()
    drift: tuple[Drift, ...] = ()
    error: str = ""

    @property
    def cost_usd(self) -> Decimal | None:
        """None where a call's cost is unknown."""
        return cost_of(self.calls)

    @property
    def latency_ms(self) -> int:
        """Time that a customer waited for models."""
        return sum(call.latency_ms for call in self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSession:
    """`stopped_at` is the turn after which a carried session was not played on, because it had diverged."""

    id: str
    turns: tuple[PlayedTurn, ...]
    stopped_at: int | None = None
    incomplete: tuple[str, ...] = field(default=())


def cost_of(calls: Sequence[ModelCall]) -> Decimal | None:
    """Money of calls together; None where one is unknown."""
    costs = [call.cost_usd for call in calls if call.failure is None]
    return None if any(cost is None for cost in costs) else sum((c for c in costs if c is not None), Decimal(0))
