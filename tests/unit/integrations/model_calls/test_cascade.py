"""Who is asked, how often and for how long, whatever fails."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from core.application.turn_scope import one_turn
from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError
from core.domain.llm import LLMCallResult, LLMFailure, ModelRef
from core.integrations.model_calls.breaker import Breaker
from core.integrations.model_calls.cascade import Cascade, CascadePolicy
from tests.fakes.model_endpoint import FakeModelEndpoint, Step, fault

DOWN = fault(LLMFailure.SERVER_ERROR, 503)
HANGS: Step = (10_000.0, "tarde")
FIRST, SECOND, THIRD = (ModelRef(provider=name, model=f"modelo-{name}") for name in ("um", "dois", "tres"))
MESSAGES = [{"role": "user", "content": "oi"}]
PASSING = [
    fault(LLMFailure.SERVER_ERROR, 500),
    fault(LLMFailure.SERVER_ERROR, 529),
    fault(LLMFailure.SERVER_ERROR, 200),  # an answer that is none: HTML, an error with status 200
    fault(LLMFailure.RATE_LIMITED, 429),
    fault(LLMFailure.RATE_LIMITED, 498),
    fault(LLMFailure.QUOTA, 429),
    fault(LLMFailure.CONNECTION),
    fault(LLMFailure.TIMEOUT),
    fault(LLMFailure.TIMEOUT, 408),
]
FINAL = [
    fault(LLMFailure.BAD_REQUEST, 400),
    fault(LLMFailure.BAD_REQUEST, 404),
    fault(LLMFailure.AUTH, 401),
    fault(LLMFailure.AUTH, 403),
    fault(LLMFailure.REFUSED, 200),
    fault(LLMFailure.INCOMPLETE, 200),
    fault(LLMFailure.EMPTY, 200),
]


class Rungs:
    """A cascade over as many providers as are given, on one clock."""

    def __init__(self, *endpoints: tuple[Step, ...], **policy: Any) -> None:
        self.clock = [1000.0]
        self.refs = (FIRST, SECOND, THIRD)[: len(endpoints)]
        self.endpoints = [FakeModelEndpoint(*steps, clock=self.clock) for steps in endpoints]
        named = {ref.provider: each for ref, each in zip(self.refs, self.endpoints, strict=True)}
        self.cascade = Cascade(
            named,
            CascadePolicy(**policy),
            breaker=Breaker(lambda: self.clock[0]),
            monotonic=lambda: self.clock[0],
        )

    def ask(self, seconds: float | None = 45.0) -> LLMCallResult:
        return self.cascade.chat(model=FIRST.model, messages=MESSAGES, timeout_seconds=seconds, route=self.refs)

    def fail(self, seconds: float | None = 45.0) -> LLMError:
        with pytest.raises(LLMError) as raised:
            self.ask(seconds)
        return raised.value

    @property
    def asked(self) -> list[int]:
        return [len(each.requests) for each in self.endpoints]


@pytest.mark.parametrize("failure", PASSING, ids=str)
def test_what_another_may_do_better_passes_on_at_once(failure: Step) -> None:
    rungs = Rungs((failure,), ("do segundo",))
    result = rungs.ask()
    assert (result.raw_response, rungs.asked) == ("do segundo", [1, 1])
    assert rungs.endpoints[1].requests[0].model == SECOND.model


@pytest.mark.parametrize("failure", FINAL, ids=str)
def test_what_the_next_would_say_too_does_not_pass_on(failure: Step) -> None:
    rungs = Rungs((failure,), ("do segundo",))
    assert isinstance(rungs.fail(), LLMProviderError)
    assert rungs.asked == [1, 0]


def test_the_ledger_reads_who_was_asked_and_why_the_next() -> None:
    result = Rungs((fault(LLMFailure.RATE_LIMITED, 429),), (DOWN,), ("do terceiro",)).ask()
    told = [(each.number, each.provider, each.model, each.rung, each.fallback_reason) for each in result.attempts]
    assert told == [
        (1, "um", "modelo-um", 0, ""),
        (2, "dois", "modelo-dois", 1, "rate_limited"),
        (3, "tres", "modelo-tres", 2, "server_error"),
    ]


def test_a_fallback_is_an_event(caplog: pytest.LogCaptureFixture) -> None:
    Rungs((DOWN,), ("do segundo",)).ask()
    [record] = [each for each in caplog.records if each.message == "llm_fallback"]
    assert (record.provider, record.model, record.reason) == ("dois", "modelo-dois", "server_error")  # type: ignore[attr-defined]


def test_what_is_asked_reaches_every_rung_unchanged_but_for_the_model() -> None:
    rungs = Rungs((DOWN,), (DOWN,), ("do terceiro",))
    schema = {"name": "reply", "schema": {"type": "object"}}
    asked: dict[str, Any] = {"cache_key": "k", "safety_identifier": "hash", "output_schema": schema}
    rungs.cascade.chat(model=FIRST.model, messages=MESSAGES, route=rungs.refs, **asked)
    requests = [each.requests[0] for each in rungs.endpoints]
    assert [each.model for each in requests] == [ref.model for ref in rungs.refs]
    assert all(each.output_schema is schema and each.messages is MESSAGES for each in requests)
    assert {(each.cache_key, each.safety_identifier) for each in requests} == {("k", "hash")}


# Time


def test_the_second_answers_while_the_first_hangs_and_the_deadline_holds() -> None:
    rungs = Rungs((HANGS,), ((3.0, "do segundo"),))
    began = rungs.clock[0]
    assert rungs.ask(45.0).raw_response == "do segundo"
    assert rungs.clock[0] - began <= 45.0
    assert rungs.endpoints[0].seconds == [30.0]


@pytest.mark.parametrize(
    ("left", "first"),
    [(45.0, 30.0), (30.0, 22.0), (16.0, 8.0), (15.0, 15.0), (5.0, 5.0)],
    ids=lambda seconds: f"{seconds:g}s",
)
def test_each_rung_behind_keeps_its_share_where_there_is_time_for_both(left: float, first: float) -> None:
    rungs = Rungs(("do primeiro",), ("do segundo",))
    rungs.ask(left)
    assert rungs.endpoints[0].seconds == [first]


@pytest.mark.parametrize("left", [1.0, 7.9, 16.0, 24.0, 45.0, 300.0])
@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    "step", [HANGS, DOWN, (7.0, DOWN), fault(LLMFailure.TIMEOUT)], ids=["hangs", "down", "slow", "late"]
)
def test_all_down_ends_within_the_deadline_and_with_one_request_more_than_rungs(
    left: float, count: int, step: Step
) -> None:
    rungs = Rungs(*([(step,)] * count), retry_max=5 if count > 1 else 1)
    began = rungs.clock[0]
    error = rungs.fail(left)
    assert rungs.clock[0] - began <= left + 0.01
    assert sum(rungs.asked) <= count + 1
    assert len(error.attempts) == sum(rungs.asked) >= 1


def test_a_hanging_last_rung_is_a_timeout() -> None:
    assert isinstance(Rungs((DOWN,), (HANGS,)).fail(), LLMTimeoutError)


# Repeating


def test_only_the_last_rung_is_asked_again() -> None:
    rungs = Rungs((DOWN,), (DOWN, "do segundo"))
    assert (rungs.ask().raw_response, rungs.asked) == ("do segundo", [1, 2])


def test_no_rung_is_asked_again_where_retries_are_off() -> None:
    rungs = Rungs((DOWN,), (DOWN,), retry_max=0)
    rungs.fail()
    assert rungs.asked == [1, 1]


def test_a_single_rung_is_asked_as_often_as_the_settings_say_whatever_happened_before() -> None:
    rungs = Rungs((DOWN,), retry_max=3)
    for _ in range(4):
        rungs.fail()
    assert rungs.asked == [16]


# Keys


def test_a_refused_key_is_read_once_more_and_counts_as_the_one_further_request() -> None:
    rungs = Rungs((fault(LLMFailure.AUTH, 401), "do primeiro"), ("do segundo",))
    rungs.endpoints[0].key = FakeModelEndpoint("", fresh_key="nova").key
    assert (rungs.ask().raw_response, rungs.asked) == ("do primeiro", [2, 0])


@pytest.mark.parametrize(("on_auth", "asked"), [(False, [1, 0]), (True, [1, 1])])
def test_a_key_that_stays_refused_rings_and_passes_on_only_where_that_is_wanted(
    on_auth: bool, asked: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    rungs = Rungs((fault(LLMFailure.AUTH, 401),), ("do segundo",), on_auth=on_auth)
    with caplog.at_level(logging.ERROR):
        if on_auth:
            assert rungs.ask().raw_response == "do segundo"
        else:
            assert rungs.fail().failure is LLMFailure.AUTH
    assert rungs.asked == asked
    assert [(each.message, each.provider) for each in caplog.records] == [("provider_refused", "um")]  # type: ignore[attr-defined]


def test_money_that_is_used_up_rings_though_the_second_answers(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        Rungs((fault(LLMFailure.QUOTA, 429),), ("do segundo",)).ask()
    assert [each.message for each in caplog.records] == ["provider_refused"]


# What is remembered


def test_a_rung_that_failed_is_skipped_for_the_rest_of_the_turn_and_no_longer() -> None:
    rungs = Rungs((DOWN,), ("do segundo",))
    with one_turn():
        rungs.ask()
        again = rungs.ask()
    assert rungs.asked == [1, 2]
    assert (again.attempts[0].skipped, again.attempts[0].fallback_reason) == (("um/modelo-um turn",), "turn")
    with one_turn():
        rungs.ask()
    assert rungs.asked == [2, 3]


def test_where_every_rung_failed_in_the_turn_all_are_asked_again() -> None:
    rungs = Rungs((DOWN,), (DOWN,))
    with one_turn():
        rungs.fail()
        rungs.endpoints[0].behave("voltou")
        assert rungs.ask().raw_response == "voltou"


def test_two_failures_open_the_breaker_and_the_ledger_says_who_was_skipped() -> None:
    rungs = Rungs((DOWN,), ("do segundo",))
    rungs.ask(), rungs.ask()
    third = rungs.ask()
    assert rungs.asked == [2, 3]
    assert (third.attempts[0].skipped, third.attempts[0].rung) == (("um/modelo-um breaker",), 1)


def test_after_the_wait_one_request_probes_and_an_answer_closes() -> None:
    rungs = Rungs((DOWN, DOWN, "voltou"), ("do segundo",))
    rungs.ask(), rungs.ask(), rungs.ask()
    rungs.clock[0] += 31
    assert [rungs.ask().raw_response, rungs.ask().raw_response] == ["voltou", "voltou"]


def test_a_provider_that_flaps_costs_at_most_its_probes() -> None:
    rungs = Rungs((DOWN,), ("do segundo",))
    for _ in range(120):
        rungs.clock[0] += 5  # ten minutes
        assert rungs.ask().raw_response == "do segundo"
    assert rungs.asked[0] <= 2 + 5  # 30, 60, 120, 240 and 300 s


def test_a_retry_after_is_waited_for() -> None:
    rungs = Rungs((fault(LLMFailure.RATE_LIMITED, 429, retry_after=120.0),), ("do segundo",))
    rungs.ask(), rungs.ask()
    rungs.clock[0] += 119
    rungs.ask()
    assert rungs.asked[0] == 2
    rungs.clock[0] += 2
    rungs.ask()
    assert rungs.asked[0] == 3


def test_where_every_breaker_is_open_the_first_is_asked_all_the_same() -> None:
    rungs = Rungs((DOWN,), (DOWN,))
    rungs.fail(), rungs.fail()
    rungs.endpoints[0].behave("voltou")
    assert rungs.ask().raw_response == "voltou"


def test_a_process_that_was_frozen_starts_with_the_first_again() -> None:
    rungs = Rungs((DOWN,), ("do segundo",))
    rungs.ask(), rungs.ask()
    rungs.clock[0] += 3600
    rungs.endpoints[0].behave("voltou")
    assert rungs.ask().raw_response == "voltou"


def test_a_failure_before_the_freeze_does_not_add_up_with_one_after_it() -> None:
    rungs = Rungs((DOWN,), ("do segundo",))
    rungs.ask()
    rungs.clock[0] += 3600
    rungs.ask()
    rungs.ask()
    assert rungs.asked[0] == 3


def test_what_a_model_refuses_says_nothing_of_the_provider() -> None:
    rungs = Rungs((DOWN, fault(LLMFailure.REFUSED, 200), DOWN, "do primeiro"), ("do segundo",))
    rungs.ask(), rungs.fail(), rungs.ask()
    assert rungs.ask().raw_response == "do primeiro"
