"""What a matrix tells of each model, and what it may conclude."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from core.domain.ledger import CallOutcome, ModelCall
from core.domain.llm import CallPurpose, LLMFailure
from evaluation.matrix import Lane, matrix_lines


def call(seconds: float = 1.0, cost: str | None = "0.001", **changes: Any) -> ModelCall:
    told: dict[str, Any] = {
        "sequence": 1,
        "purpose": CallPurpose.AGENT,
        "attempt": 1,
        "provider": "openai",
        "requested_model": "m",
        "outcome": CallOutcome.USED,
        "latency_ms": round(seconds * 1000),
        "tokens_input": 1000,
        "tokens_cached": 900,
        "tokens_output": 50,
        "cost_usd": None if cost is None else Decimal(cost),
    }
    return ModelCall(**{**told, **changes})


def result(*calls: ModelCall, holds: bool = True, incomplete: str = "", **record: Any) -> Any:
    told = {"calls": calls, "repair_method": None, "handoff_reason": None, **record}
    must = SimpleNamespace(is_must=True, passed=holds)
    return SimpleNamespace(
        played=SimpleNamespace(turns=[SimpleNamespace(record=SimpleNamespace(**told))], incomplete=incomplete),
        scores=[must],
        failed_musts=() if holds else (must,),
    )


def lane(name: str, *results: Any) -> Lane:
    return Lane(name=name, evaluation=SimpleNamespace(company="petshop", results=results))  # type: ignore[arg-type]


def lines(*lanes: Lane) -> list[str]:
    return list(matrix_lines(lanes))


def test_a_line_holds_musts_repairs_times_tokens_and_money() -> None:
    results = [
        result(call(1.0)),
        result(call(3.0), repair_method="local"),
        result(call(2.0), holds=False, handoff_reason="llm_invalid_json"),
    ]
    told = lines(lane("openai/m", *results))[4]
    assert told == "| openai/m | 3 | 2/3 | 0/0 | 1 | 1 | 0 | 2.0 / 3.0 | 1000 / 900 / 50 | 0.00100 |"


@pytest.mark.parametrize(
    ("calls", "cost"),
    [
        ([call(cost="0.002"), call(cost="0.004")], "0.00300"),
        ([call(), call(cost=None)], "unknown"),
        ([call(cost=None, failure=LLMFailure.TIMEOUT, usage_missing=True), call(cost="0.004")], "0.00200"),
        ([], "unknown"),
    ],
    ids=["known", "one without a price", "a failure that told no tokens", "none"],
)
def test_a_sum_with_an_unknown_price_in_it_is_unknown(calls: list[ModelCall], cost: str) -> None:
    results = [result(*calls), result()]
    assert lines(lane("m", *results))[4].endswith(f"| {cost} |")


def test_a_model_that_fails_much_more_in_pairs_is_worse_and_one_pair_says_nothing() -> None:
    good, bad = [result() for _ in range(40)], [result(holds=index > 12) for index in range(40)]
    assert lines(lane("a", *good), lane("b", *bad))[-2].endswith("(p 0.000): worse.")
    assert (
        "no difference that chance does not explain" in lines(lane("a", result()), lane("b", result(holds=False)))[-2]
    )


def test_what_is_incomplete_in_one_is_no_pair() -> None:
    told = lines(lane("a", result(), result()), lane("b", result(), result(incomplete="the model failed")))
    assert "b against a, 1 pairs" in told[-2]


def test_the_smallest_difference_falls_with_the_pairs() -> None:
    assert "too few" in lines(lane("a", result()))[-1]
    told = [lines(lane("a", *[result()] * pairs))[-1] for pairs in (100, 400)]
    shares = [float(each.split(" is ")[1].split("%")[0]) for each in told]
    assert shares[0] > shares[1]
