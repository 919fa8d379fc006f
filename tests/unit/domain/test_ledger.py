"""Which calls are wasted, and what one costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.ledger import CallOutcome, ModelCall, ModelPrice
from core.domain.llm import CallPurpose


@pytest.mark.parametrize(
    ("outcome", "wasted"),
    [(each, each not in {CallOutcome.USED, CallOutcome.SILENT}) for each in CallOutcome],
)
def test_all_but_used_and_silent_calls_are_wasted(outcome: CallOutcome, wasted: bool) -> None:
    call = ModelCall(
        sequence=1,
        purpose=CallPurpose.AGENT,
        attempt=1,
        provider="openai",
        requested_model="m",
        outcome=outcome,
        latency_ms=1,
    )

    assert call.wasted is wasted
    assert (call.tokens_input, call.tokens_cached, call.tokens_output, call.tokens_reasoning) == (0, 0, 0, 0)
    assert not call.usage_missing


def test_what_was_cached_costs_the_cached_price_and_nothing_twice() -> None:
    price = ModelPrice(input=Decimal(2), cached=Decimal("0.5"), output=Decimal(8))

    assert price.cost(tokens_input=1_000, tokens_cached=400, tokens_output=10) == Decimal("0.00148")


@pytest.mark.parametrize(("cache_write", "cost"), [(Decimal("2.5"), "0.00178"), (None, "0.00148")])
def test_what_was_written_to_the_cache_costs_its_own_price_or_that_of_any_input(
    cache_write: Decimal | None, cost: str
) -> None:
    price = ModelPrice(input=Decimal(2), cached=Decimal("0.5"), output=Decimal(8), cache_write=cache_write)

    told = {"tokens_input": 1_000, "tokens_cached": 400, "tokens_cache_written": 600, "tokens_output": 10}
    assert price.cost(**told) == Decimal(cost)
