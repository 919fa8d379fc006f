"""What the ledger says that a turn's calls were, became and cost."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from core.application.journal import TurnJournal
from core.domain.errors import LLMProviderError
from core.domain.ledger import CallOutcome, ModelCall, ModelPrice
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure, ModelRef
from tests.fakes.llm_client import result_of

PRICES = {
    ModelRef(provider="openai", model="dear"): ModelPrice(input=Decimal(2), cached=Decimal(1), output=Decimal(10)),
    ModelRef(provider="anthropic", model="other"): ModelPrice(
        input=Decimal(4), cached=Decimal("0.4"), output=Decimal(20), cache_write=Decimal(5)
    ),
}
MILLION = 1_000_000


def journal() -> TurnJournal:
    return TurnJournal(PRICES.get)


def failed_attempt(number: int = 1, *, tokens_input: int = 0, tokens_output: int = 0) -> LLMAttempt:
    return LLMAttempt(
        number=number,
        latency_ms=90,
        failure=LLMFailure.SERVER_ERROR,
        status=500,
        tokens_input=tokens_input,
        tokens_output=tokens_output,
    )


def answered(**changes: object) -> LLMCallResult:
    return replace(result_of("{}", model="dear"), **changes)  # type: ignore[arg-type]


def written(result: LLMCallResult, model: str = "dear") -> list[ModelCall]:
    book = journal()
    book.called(result, model, CallPurpose.AGENT)
    return book.calls


def test_a_call_says_what_it_used_and_what_that_cost() -> None:
    (call,) = written(answered(tokens_input=3 * MILLION, tokens_cached=MILLION, tokens_output=MILLION))

    assert (call.sequence, call.attempt, call.status, call.outcome) == (1, 1, 200, CallOutcome.USED)
    assert call.cost_usd == 2 * 2 + 1 + 10
    assert not call.wasted


def test_a_call_without_attempts_was_the_first() -> None:
    (call,) = written(answered(attempts=()))

    assert call.attempt == 1


def test_failed_attempts_before_the_answer_are_lines_of_their_own() -> None:
    attempts = (failed_attempt(1), LLMAttempt(number=2, latency_ms=700, status=200))

    first, second = written(answered(attempts=attempts))

    assert [(each.sequence, each.attempt, each.outcome) for each in (first, second)] == [
        (1, 1, CallOutcome.FAILED),
        (2, 2, CallOutcome.USED),
    ]
    assert (first.failure, first.status, first.wasted) == (LLMFailure.SERVER_ERROR, 500, True)


def test_a_price_known_by_the_asked_name_alone_is_good_for_the_dated_one() -> None:
    (call,) = written(answered(model="dear-2026-11-01", tokens_input=MILLION, tokens_output=0))

    assert call.cost_usd == 2


def test_the_model_that_answered_is_what_is_paid_for() -> None:
    (call,) = written(answered(tokens_input=MILLION, tokens_output=0), model="asked for")

    assert call.cost_usd == 2


def test_each_request_is_paid_at_the_price_of_whom_it_asked() -> None:
    failed = LLMAttempt(
        number=1, latency_ms=9, failure=LLMFailure.INCOMPLETE, tokens_input=MILLION, provider="openai", model="dear"
    )
    second = LLMAttempt(
        number=2,
        latency_ms=9,
        status=200,
        provider="anthropic",
        model="other",
        rung=1,
        fallback_reason="server_error",
        skipped=("stub/x breaker",),
    )
    tokens = {"tokens_input": MILLION, "tokens_cached": 0, "tokens_cache_written": MILLION, "tokens_output": 0}
    first, answer = written(answered(model="other", attempts=(failed, second), **tokens))

    assert [(each.provider, each.requested_model, each.cost_usd) for each in (first, answer)] == [
        ("openai", "dear", Decimal(2)),
        ("anthropic", "other", Decimal(5)),
    ]
    assert (answer.rung, answer.fallback_reason, answer.skipped) == (1, "server_error", ("stub/x breaker",))


def test_a_model_of_a_provider_without_a_price_is_unknown_though_another_sells_it() -> None:
    attempt = LLMAttempt(number=1, latency_ms=9, status=200, provider="chat_completions", model="dear")
    (call,) = written(answered(model="dear", attempts=(attempt,)))
    assert call.cost_usd is None


def test_what_a_call_cost_is_unknown_without_a_price_or_without_usage() -> None:
    (unpriced,) = written(answered(model="new"), model="new")
    (unmeasured,) = written(answered(usage_missing=True))

    assert (unpriced.cost_usd, unmeasured.cost_usd) == (None, None)
    assert (unpriced.usage_missing, unmeasured.usage_missing) == (False, True)


def failure_with(*attempts: LLMAttempt, model: str = "dear") -> list[ModelCall]:
    book = journal()
    book.failed(LLMProviderError("x", failure=LLMFailure.SERVER_ERROR, attempts=attempts), model, CallPurpose.SUMMARY)
    return book.calls


def test_a_call_that_failed_for_good_is_told_attempt_by_attempt() -> None:
    calls = failure_with(failed_attempt(1), failed_attempt(2))

    assert [(each.sequence, each.attempt, each.outcome, each.purpose) for each in calls] == [
        (1, 1, CallOutcome.FAILED, CallPurpose.SUMMARY),
        (2, 2, CallOutcome.FAILED, CallPurpose.SUMMARY),
    ]
    assert all(each.cost_usd is None and each.usage_missing for each in calls)


@pytest.mark.parametrize(
    ("attempt", "cost"),
    [
        pytest.param(failed_attempt(tokens_input=MILLION), Decimal(2), id="it read"),
        pytest.param(failed_attempt(tokens_output=MILLION), Decimal(10), id="it wrote"),
        pytest.param(failed_attempt(tokens_input=MILLION, tokens_output=MILLION), Decimal(12), id="it did both"),
    ],
)
def test_a_failed_attempt_costs_what_it_used(attempt: LLMAttempt, cost: Decimal) -> None:
    (call,) = failure_with(attempt)

    assert (call.cost_usd, call.usage_missing) == (cost, False)
    assert failure_with(attempt, model="new")[0].cost_usd is None


def test_what_became_of_the_newest_call_is_said_of_it_alone() -> None:
    book = journal()
    book.mark_last(CallOutcome.REJECTED)  # nothing was called yet
    for _ in range(2):
        book.called(answered(), "dear", CallPurpose.AGENT)

    book.mark_last(CallOutcome.UNPARSEABLE)

    assert [(each.sequence, each.outcome) for each in book.calls] == [
        (1, CallOutcome.USED),
        (2, CallOutcome.UNPARSEABLE),
    ]


def test_a_run_that_was_overtaken_wasted_what_no_rerun_uses() -> None:
    book = journal()
    book.called(answered(), "dear", CallPurpose.TRANSCRIPTION)
    book.called(answered(), "dear", CallPurpose.AGENT, CallOutcome.SILENT)
    book.called(answered(), "dear", CallPurpose.AGENT, CallOutcome.REJECTED)
    book.called(answered(), "dear", CallPurpose.AGENT)

    book.overtaken()

    assert [each.outcome for each in book.calls] == [
        CallOutcome.USED,
        CallOutcome.OVERTAKEN,
        CallOutcome.REJECTED,
        CallOutcome.OVERTAKEN,
    ]


def test_a_rerun_keeps_what_was_paid_and_nothing_of_the_dropped_answer() -> None:
    book = journal()
    book.called(answered(), "dear", CallPurpose.AGENT)
    book.codes.append(1)
    book.packages.append("SERVICES")
    book.action_errors.append("x")
    book.egress_findings.append("x")
    book.guard["x"] = 1
    book.repair_method = book.dropped_prefix = "x"

    book.restart()
    book.restart()

    assert (len(book.calls), book.reruns) == (1, 2)
    left = (book.codes, book.packages, book.action_errors, book.egress_findings, book.guard)
    assert not any(left)
    assert (book.repair_method, book.dropped_prefix) == (None, None)
