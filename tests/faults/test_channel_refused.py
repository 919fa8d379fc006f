"""A channel that takes nothing of anybody: it rings, people have the conversation in time, and nothing is said twice."""

from __future__ import annotations

import pytest

from core.domain.conversation import EffectKind, Mode
from core.domain.delivery import PartState
from core.domain.policy import ConversationPolicy
from tests.faults.failing import Fault, outage
from tests.faults.invariants import faults
from tests.faults.model import Agent, answer, plainly
from tests.faults.scenes import at_length
from tests.faults.world import World

REFUSED, REMINDER = "minhas mensagens não estavam saindo", "Ainda não apareceu"


def refused(minutes: float, *, agent: Agent = plainly, **settings: object) -> World:
    """A question whose answer meets a refused token, which is mended after so long."""
    world = World(agent=agent, **settings)  # type: ignore[arg-type]
    world.disturbance = outage("sender", Fault.REFUSED, clock=world.clock, seconds=minutes * 60)
    world.arrives(world.asks(1))
    return world


def conversation_of(world: World) -> str:
    return world.conversations[0]


def texts(world: World) -> list[str]:
    return [arrival.text for arrival in world.arrivals]


def handoffs(world: World) -> list[tuple[str | None, str]]:
    turns = world.store.turns(conversation_of(world))
    return [(turn.handoff_reason, turn.handoff_detail) for turn in turns if turn.handoff_reason]


def shown_to_people(world: World) -> list[str]:
    effects = world.store.effects(conversation_of(world))
    return [text for each in effects if each.kind is EffectKind.HANDOFF for text in each.payload.get("unread", ())]


@pytest.mark.parametrize("agent", [plainly, at_length], ids=["one part", "two parts"])
def test_a_token_that_is_mended_soon_costs_a_wait_and_nobody_else(agent: Agent) -> None:
    world = refused(4, agent=agent)
    over_ms = world.clock.now_ms() + 4 * 60_000
    world.goes_on(minutes=15)

    assert answer([1]) in texts(world)[0]
    assert world.arrivals[0].at_ms - over_ms <= 125_000
    assert world.notices == []
    assert faults(world) == []


def test_after_ten_minutes_people_have_it_and_see_what_was_written() -> None:
    world = refused(60)
    begun_ms = world.clock.now_ms()
    world.goes_on(minutes=14)

    assert handoffs(world) == [("channel_refused", "190")]
    assert 600_000 <= world.told_at_ms[0] - begun_ms <= 690_000
    assert world.store.head(conversation_of(world)).mode is Mode.HUMAN
    assert shown_to_people(world) == [answer([1])]
    assert (texts(world), len(world.notices)) == ([], 1)


@pytest.mark.parametrize("agent", [plainly, at_length], ids=["one part", "two parts"])
def test_when_the_channel_is_back_the_customer_reads_it_all_once_and_in_order(agent: Agent) -> None:
    world = refused(14, agent=agent)
    over_ms = world.clock.now_ms() + 14 * 60_000
    world.goes_on(minutes=30)

    said = [text for text in texts(world) if REMINDER not in text]
    assert answer([1]) in said[0]
    assert REFUSED in said[-1]
    assert len({arrival.sk for arrival in world.arrivals}) == len(world.arrivals)
    assert world.arrivals[0].at_ms - over_ms <= 6 * 60_000
    assert faults(world) == []


def test_nothing_is_sent_any_more_once_a_person_has_come() -> None:
    world = refused(20)
    world.goes_on(minutes=13)
    world.people_take_over(conversation_of(world))
    world.goes_on(minutes=25)

    assert texts(world) == []
    assert {part.state for part in world.store.parts(conversation_of(world))} == {PartState.CANCELLED}
    assert faults(world) == []


def test_nobody_is_promised_a_person_who_has_come_meanwhile() -> None:
    world = World()
    world.disturbance = outage("sender", Fault.REFUSED, clock=world.clock, seconds=20 * 60)
    world.arrives(world.asks(1, text="quero falar com uma pessoa"))
    world.goes_on(minutes=5)
    world.people_take_over(conversation_of(world))
    world.goes_on(minutes=30)

    assert texts(world) == []
    assert faults(world) == []


def test_nor_that_nobody_has_come_yet() -> None:
    world = World()
    world.arrives(world.asks(1, text="quero falar com uma pessoa"))
    world.goes_on(minutes=14)
    world.disturbance = outage("sender", Fault.REFUSED, clock=world.clock, seconds=20 * 60)
    world.goes_on(minutes=4)
    world.people_take_over(conversation_of(world))
    world.goes_on(minutes=30)

    assert not any(REMINDER in text for text in texts(world))
    assert faults(world) == []


def test_a_person_who_comes_before_the_ten_minutes_is_not_asked_again() -> None:
    world = refused(20)
    world.goes_on(minutes=5)
    world.people_take_over(conversation_of(world))
    world.goes_on(minutes=30)

    assert (texts(world), world.notices) == ([], [])
    assert faults(world) == []


def test_who_keeps_writing_does_not_wait_longer_for_people() -> None:
    world = refused(60)
    begun_ms = world.clock.now_ms()
    world.goes_on(minutes=4)
    world.arrives(world.asks(2))
    world.goes_on(minutes=4)
    world.arrives(world.asks(3))
    world.goes_on(minutes=5)

    assert handoffs(world) == [("channel_refused", "190")]
    assert world.told_at_ms[0] - begun_ms <= 690_000
    assert shown_to_people(world) == [answer([3])]


def test_who_writes_while_people_are_awaited_still_gets_the_answer_once_the_channel_is_back() -> None:
    world = refused(20)
    world.goes_on(minutes=13)
    world.arrives(world.asks(2))
    world.goes_on(minutes=25)

    assert answer([1]) in texts(world)
    assert faults(world) == []


def test_an_outage_that_nobody_looks_after_silences_nobody_for_longer_than_itself() -> None:
    world = refused(60)
    world.goes_on(minutes=40)
    world.arrives(world.asks(2))
    world.goes_on(minutes=60)

    assert answer([2]) in texts(world)
    assert answer([1]) not in texts(world)
    assert faults(world) == []


def test_a_handoff_for_another_reason_shows_people_what_was_written_too() -> None:
    world = refused(60)
    world.goes_on(minutes=4)
    world.arrives(world.asks(2, text="quero falar com uma pessoa"))
    world.goes_on(minutes=2)

    assert handoffs(world) == [("human_requested", "")]
    assert shown_to_people(world) == [answer([1])]


def test_without_people_the_answer_waits_for_the_channel() -> None:
    world = refused(60, policy=ConversationPolicy(handoff_enabled=False))
    world.goes_on(minutes=70)

    assert texts(world) == [answer([1])]
    assert handoffs(world) == []


def test_a_channel_that_is_gone_for_days_leaves_nothing_due_for_ever() -> None:
    world = refused(60 * 60)
    world.goes_on(minutes=30 * 60)

    assert texts(world) == []
    assert handoffs(world)[0] == ("channel_refused", "190")
    due = world.store.due(now_ms=world.clock.now_ms())
    assert due == ()
