"""A stranger with one number, who does what costs most: the day's cap and one turn are all that it can bring about."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from core.agents.invoker import AgentInvokerImpl
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult
from core.domain.spending import micro_usd, spending_day
from tests.desk import Desk

TURNS_AN_HOUR = 39
HOURS = 2
NEWCOMERS = 3
HUGE = "preciso de instalação de split " * 300


class DearModel:
    """Bills every character that it is told and the longest answer there is; while it thinks, the stranger goes on."""

    def __init__(self, desk: Desk) -> None:
        self.calls = 0
        self._desk = desk
        self.newcomers = 0

    def chat(
        self, *, model: str, messages: Any, purpose: CallPurpose = CallPurpose.AGENT, **_rest: Any
    ) -> LLMCallResult:
        self.calls += 1
        if self.newcomers and purpose is not CallPurpose.SUMMARY:
            self.newcomers -= 1
            self._desk.record(self._desk.message(f"{self.calls} {HUGE}"))
        reply = "{}" if purpose is CallPurpose.SUMMARY else f'{{"s":1}}Entendi, pedido {self.calls}. Qual é o endereço?'
        return LLMCallResult(
            raw_response=reply,
            model=model,
            tokens_input=sum(len(message["content"]) for message in messages) // 3,
            tokens_output=1_200,
            latency_ms=900,
            attempts=(LLMAttempt(number=1, latency_ms=900, status=200),),
        )


def attacked() -> Desk:
    """A desk after hours of it, half of them on either side of the company's midnight."""
    desk = Desk()
    model = DearModel(desk)
    desk.llm = model  # type: ignore[assignment]
    desk.invoker = AgentInvokerImpl(llm=model, prompts=desk.prompts, catalog=desk.catalog, models=desk.settings.models)
    desk.clock.advance(hours=15 - HOURS / 2)
    for number in range(HOURS * TURNS_AN_HOUR):
        model.newcomers = NEWCOMERS
        desk.says(f"{number} {HUGE}")
        desk.clock.advance(seconds=3600 / TURNS_AN_HOUR - 5)
    return desk


def costs_of(desk: Desk) -> tuple[Counter[str], Counter[str]]:
    """What the ledger says that each day and each turn cost: overtaken runs and summaries included."""
    by_day, by_turn = Counter[str](), Counter[str]()
    for turn, at_ms, cost in itertools.chain(_of_turns(desk), _of_effects(desk)):
        by_day[spending_day(desk.catalog.hours.local_date(at_ms))] += cost
        by_turn[turn] += cost
    return by_day, by_turn


def _of_turns(desk: Desk) -> Iterator[tuple[str, int, int]]:
    for turn in desk.turns:
        yield turn.turn, turn.decided_at_ms, micro_usd(*(call.cost_usd for call in turn.calls))


def _of_effects(desk: Desk) -> Iterator[tuple[str, int, int]]:
    for effect in desk.store.effects(desk.conversation):
        calls = effect.payload.get("calls", ())
        yield effect.turn, effect.created_at_ms, micro_usd(*(call["cost_usd"] for call in calls))


def test_a_stranger_with_one_number_spends_the_days_cap_and_one_turn_at_most() -> None:
    desk = attacked()
    cap = desk.policy.spend_per_day_micro_usd

    by_day, by_turn = costs_of(desk)

    dearest = max(by_turn.values())
    assert len(by_day) == 2
    assert all(cap <= spent <= cap + dearest for spent in by_day.values())
    assert dearest < cap / 2
    # nothing was paid for that the conversation's sum or everybody's sum do not know
    assert desk.head.spent == {max(by_day): by_day[max(by_day)]}
    desk.clock.advance(minutes=1)
    desk.meter.is_over()
    assert sum(desk.counter.hours.values()) == sum(by_day.values())
