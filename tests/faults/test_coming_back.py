"""Turns that fail for a while: each comes back by itself, soon after the cause is gone, and nobody waits for ever."""

from __future__ import annotations

import pytest

from core.application.turn.decision import TurnOutcome
from core.domain.conversation import Mode
from tests.faults.failing import Fault, outage
from tests.faults.invariants import faults, standing, unaccounted_calls
from tests.faults.model import answer
from tests.faults.world import World

THINKS_AND_SENDS_S = 2


def asked() -> World:
    world = World()
    world.arrives(world.asks(1))
    return world


def answered_after_s(world: World, since_ms: int) -> float:
    return (world.arrivals[0].at_ms - since_ms) / 1000


def handed_over(world: World) -> tuple[str | None, str]:
    (turn,) = standing(world, world.conversations[0])
    return turn.handoff_reason, turn.handoff_detail


@pytest.mark.parametrize("seconds", [12, 70, 300])
def test_a_hiccup_of_the_store_of_secrets_costs_a_minute_at_most_once_it_is_over(seconds: int) -> None:
    world = asked()
    over_ms = world.starts_from_ms = world.clock.now_ms() + seconds * 1000
    world.goes_on(minutes=9, tick_seconds=1)

    assert [arrival.text for arrival in world.arrivals] == [answer([1])]
    assert answered_after_s(world, over_ms) <= 60 + THINKS_AND_SENDS_S
    assert (world.notices, world.queue.dead) == ([], [])
    assert faults(world) == []


def test_start_ups_that_fail_are_no_failures_of_the_conversation() -> None:
    world = asked()
    world.starts_from_ms = world.clock.now_ms() + 250_000
    world.goes_on(minutes=4, tick_seconds=1)

    assert world.store.head(world.conversations[0]).failures == 0


@pytest.mark.parametrize("seconds", [12, 70, 300])
def test_a_table_that_cannot_be_read_costs_a_minute_at_most_once_it_is_there(seconds: int) -> None:
    world = asked()
    over_ms = world.clock.now_ms() + seconds * 1000
    world.disturbance = outage("store", Fault.BEFORE, clock=world.clock, seconds=seconds)
    while world.clock.now_ms() < over_ms:
        while world.queue.waiting:
            world.deliver()
        world.clock.advance(seconds=1)
    world.goes_on(minutes=9, tick_seconds=1)

    assert [arrival.text for arrival in world.arrivals] == [answer([1])]
    assert answered_after_s(world, over_ms) <= 60 + THINKS_AND_SENDS_S
    assert (world.notices, world.queue.dead) == ([], [])


@pytest.mark.parametrize("seconds", [1, 11, 40, 100])
def test_a_rate_limit_that_passes_is_waited_out(seconds: int) -> None:
    world = asked()
    over_ms = world.clock.now_ms() + seconds * 1000
    world.disturbance = outage("model", Fault.REFUSED, clock=world.clock, seconds=seconds)
    world.goes_on(minutes=9, tick_seconds=1)

    assert [arrival.text for arrival in world.arrivals] == [answer([1])]
    assert answered_after_s(world, over_ms) <= 60 + THINKS_AND_SENDS_S
    assert world.notices == []
    assert world.store.head(world.conversations[0]).failures == 0
    assert faults(world) == []


def test_a_rate_limit_that_stays_is_a_handoff_after_two_minutes() -> None:
    world = asked()
    begun_ms = world.clock.now_ms()
    world.disturbance = outage("model", Fault.REFUSED, clock=world.clock, seconds=3_600)
    world.goes_on(minutes=9, tick_seconds=1)

    assert handed_over(world) == ("llm_timeout", "rate_limited")
    assert 120 <= answered_after_s(world, begun_ms) <= 180 + THINKS_AND_SENDS_S
    assert world.store.head(world.conversations[0]).mode is Mode.HUMAN
    assert (len(world.notices), world.queue.held, world.queue.dead) == (1, [], [])
    assert faults(world) == []


def test_every_call_that_met_the_rate_limit_is_in_the_ledger_and_answers_nothing() -> None:
    world = asked()
    world.disturbance = outage("model", Fault.REFUSED, clock=world.clock, seconds=11)
    world.goes_on(minutes=2, tick_seconds=1)

    turns = world.store.turns(world.conversations[0])
    outcomes = [turn.outcome for turn in turns]
    assert outcomes == [TurnOutcome.POSTPONED, TurnOutcome.POSTPONED, TurnOutcome.ANSWERED]
    assert all(call.wasted for turn in turns[:2] for call in turn.calls)
    assert [(turn.reply, turn.inbound) for turn in turns[:2]] == [(None, ())] * 2
    assert world.model.agent_calls == 1
    assert unaccounted_calls(world) <= 0


@pytest.mark.parametrize("fault", [Fault.BUG, Fault.REFUSED])
def test_a_turn_that_failed_twice_within_seconds_is_tried_again_with_a_model(fault: Fault) -> None:
    world = asked()
    world.disturbance = outage("model", fault, clock=world.clock, seconds=11)
    world.goes_on(minutes=2, tick_seconds=1)

    assert [arrival.text for arrival in world.arrivals] == [answer([1])]


def test_a_turn_that_never_works_is_a_handoff_after_two_minutes_by_its_kind() -> None:
    world = asked()
    begun_ms = world.clock.now_ms()
    world.disturbance = outage("model", Fault.BUG, clock=world.clock, seconds=155)
    world.goes_on(minutes=9, tick_seconds=1)

    assert handed_over(world) == ("internal_error", "repeated_failure")
    assert 120 <= answered_after_s(world, begun_ms) <= 180 + THINKS_AND_SENDS_S
    assert (len(world.notices), world.queue.dead) == (1, [])
    assert faults(world) == []
