"""The same message again, lost pointers, bursts, newcomers: what a customer wrote is answered once, whatever comes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.domain.messages import InboundMessage, InboundPointer, MessageKind
from core.domain.pointer import pointer_body
from tests.faults.actor import Actor
from tests.faults.doors import FUNCTION_MS, run_process
from tests.faults.failing import Fault, failing
from tests.faults.invariants import faults, standing
from tests.faults.model import answer
from tests.faults.raw_body import raw_body
from tests.faults.world import World


def conversation_of(world: World) -> str:
    return world.conversations[0]


def texts(world: World) -> list[str]:
    return [arrival.text for arrival in world.arrivals]


def drain(world: World, *, most: int = 1) -> None:
    while world.queue.waiting:
        world.deliver(most=most)


def answered(world: World, *, most: int = 1) -> InboundMessage:
    """One question, and its answer."""
    message = world.asks(1)
    world.arrives(message)
    drain(world, most=most)
    assert texts(world) == [answer([1])]
    return message


def again(world: World, message: InboundMessage) -> None:
    pointer = world.inbound_of(1)
    world.queue.put(
        pointer_body(InboundPointer(conversation=pointer.conversation, sk=pointer.sk)), group=pointer.conversation
    )


def at_the_webhook(world: World, message: InboundMessage) -> None:
    world.arrives(message)


def as_a_raw_body(world: World, message: InboundMessage) -> None:
    world.queue.put(json.dumps(raw_body(message)), group="raw")


# The same id again


@pytest.mark.parametrize("how", [again, at_the_webhook, as_a_raw_body], ids=["record", "webhook", "raw-body"])
@pytest.mark.parametrize("days", [5 / 86_400, 10 / 1_440, 6], ids=["seconds", "minutes", "six-days"])
def test_the_same_message_again_costs_no_model_call_and_no_send(
    how: Callable[[World, InboundMessage], None], days: float
) -> None:
    world = World()
    message = answered(world)
    world.clock.advance(days=days)
    how(world, message)
    drain(world)
    assert (world.model.calls, len(world.arrivals)) == (1, 1)
    assert len(world.store.turns(conversation_of(world))) == 1


def test_six_days_later_it_is_no_stale_message_either() -> None:
    world = World()
    message = answered(world)
    world.clock.advance(days=6)
    world.arrives(message)
    world.goes_on(minutes=15)
    assert faults(world) == []
    assert world.notices == []


@pytest.mark.parametrize("how", [again, at_the_webhook, as_a_raw_body], ids=["record", "webhook", "raw-body"])
def test_twice_in_one_batch_is_answered_once(how: Callable[[World, InboundMessage], None]) -> None:
    world = World(fifo=False)
    message = world.asks(1)
    world.arrives(message)
    how(world, message)
    drain(world, most=10)
    assert texts(world) == [answer([1])]
    # a raw body is of no conversation until it is read, so that both may be decided at once: one of them in vain
    assert world.model.calls <= (2 if how is as_a_raw_body else 1)


def test_twice_in_one_webhook_body_is_answered_once() -> None:
    world = World()
    message = world.asks(1)
    world.arrives(message, message)
    drain(world)
    assert (world.model.calls, texts(world)) == (1, [answer([1])])


@pytest.mark.parametrize("raw", [False, True], ids=["record", "raw-body"])
@pytest.mark.parametrize("lead", range(6))
def test_on_two_workers_at_once_it_gets_one_reply_and_the_other_call_is_on_the_ledger_as_wasted(
    raw: bool, lead: int
) -> None:
    """`lead`: how many calls the first worker is ahead."""
    world = World(fifo=False)
    message = world.asks(1)
    for _ in range(2):
        if raw:
            as_a_raw_body(world, message)
        else:
            world.arrives(message)
    workers = [begun(world, f"worker {n}") for n in (1, 2)]
    for _ in range(2 * lead):
        workers[0].move()
    while any(worker.waits_at for worker in workers):
        for worker in [each for each in workers if each.waits_at]:
            worker.move()
    assert texts(world) == [answer([1])]
    turns = world.store.turns(conversation_of(world))
    assert len(standing(world, conversation_of(world))) == 1
    calls = [call for turn in turns for call in turn.calls]
    assert len(calls) == world.model.calls
    assert sum(not call.wasted for call in calls) == 1


def begun(world: World, name: str) -> Actor:
    event = {"Records": [held.record(fifo=False) for held in world.queue.receive()]}

    def work(line: Any) -> set[str]:
        return run_process(event, line, world.clock, policy=world.policy)

    return Actor(name, world.answer, work, until_ms=world.clock.now_ms() + FUNCTION_MS)


@pytest.mark.parametrize("fault", [Fault.BEFORE, Fault.AFTER], ids=["not taken", "taken and not said so"])
def test_an_enqueue_that_failed_is_healed_by_the_providers_retry(fault: Fault) -> None:
    world = World()
    message = world.asks(1)
    receipt = world.webhook(message, run=failing(2, fault))
    assert receipt.failed == 1
    world.clock.advance(seconds=30)
    world.arrives(message)
    drain(world)
    assert (world.model.calls, texts(world)) == (1, [answer([1])])


def test_a_message_whose_record_the_queue_lost_is_never_left_in_silence() -> None:
    world = World()
    world.arrives(world.asks(1))
    world.queue.held.clear()
    world.goes_on(minutes=12)
    assert faults(world) == []
    assert len(world.arrivals) == 1


# What is pending


@pytest.mark.parametrize("most", [1, 10], ids=["across batches", "in one batch"])
def test_a_burst_is_answered_as_a_whole_once(most: int) -> None:
    world = World()
    for number in (1, 2, 3):
        world.arrives(world.asks(number))
        world.clock.advance(seconds=1)
    drain(world, most=most)
    assert (world.model.calls, texts(world)) == (1, [answer([1, 2, 3])])


def test_a_burst_in_one_webhook_body_is_answered_as_a_whole_once() -> None:
    world = World()
    world.arrives(*(world.asks(number) for number in (1, 2, 3)))
    drain(world, most=10)
    assert (world.model.calls, texts(world)) == (1, [answer([1, 2, 3])])


@pytest.mark.parametrize(
    ("seconds", "order"),
    [
        pytest.param((30, 10, 20), [2, 3, 1], id="recorded out of order: as the customer wrote them"),
        pytest.param((10, 10, 10), [1, 2, 3], id="written in the same second: as they were recorded"),
        pytest.param((20, 10, 10), [2, 3, 1], id="both"),
    ],
)
def test_a_burst_is_read_in_the_customers_order(seconds: tuple[int, ...], order: list[int]) -> None:
    world = World()
    begun_ms = world.clock.now_ms()
    world.clock.advance(seconds=40)
    for number, second in enumerate(seconds, start=1):
        world.arrives(world.asks(number, sent_at_ms=begun_ms + second * 1000))
        world.clock.advance(ms=300)
    drain(world)
    assert texts(world) == [answer(order)]


@pytest.mark.parametrize("kind", [MessageKind.REACTION, MessageKind.EDIT, MessageKind.REVOKE, MessageKind.SYSTEM])
def test_what_asks_for_nothing_never_overtakes_a_question(kind: MessageKind) -> None:
    world = World()
    question = world.asks(1)
    world.arrives(question)
    world.arrives(world.asks(2, kind=kind, text="", target_id="wamid.outra"))
    assert len(world.queue.held) == 1
    drain(world)
    assert texts(world) == [answer([1])]
    assert world.store.head(conversation_of(world)).pending == frozenset()


def test_a_newcomer_during_the_model_call_is_answered_with_the_rest() -> None:
    world = World()
    world.arrives(world.asks(1))
    world.model.while_thinking = lambda: world.arrives(world.asks(2))
    drain(world)
    assert (world.model.calls, texts(world)) == (2, [answer([1, 2])])
    (turn,) = world.store.turns(conversation_of(world))
    assert [call.wasted for call in turn.calls] == [True, False]


def test_whoever_never_stops_writing_is_answered_and_the_last_message_keeps_its_own_turn() -> None:
    world = World()
    world.arrives(world.asks(1))
    numbers = iter((2, 3, 4))

    def writes_on() -> None:
        world.arrives(world.asks(next(numbers)))
        world.model.while_thinking = writes_on if world.model.calls < 3 else None

    world.model.while_thinking = writes_on
    world.deliver()
    assert texts(world) == [answer([1, 2, 3])]
    assert len(world.store.head(conversation_of(world)).pending) == 1
    drain(world)
    assert texts(world) == [answer([1, 2, 3]), answer([4])]
    assert faults(world) == []


def test_an_older_message_that_is_redriven_after_a_later_one_took_it_along_asks_for_nothing() -> None:
    """Its record died five times and went to the dead-letter queue; the next message's turn answered both."""
    world = World()
    world.arrives(world.asks(1))
    dead = world.queue.held.pop()
    world.clock.advance(minutes=5)
    world.arrives(world.asks(2))
    drain(world)
    assert texts(world) == [answer([1, 2])]
    world.clock.advance(hours=3)
    world.queue.put(dead.body, group=dead.group)
    drain(world)
    assert (world.model.calls, len(world.arrivals)) == (1, 1)


def test_a_redriven_message_that_nobody_answered_is_handed_to_a_person_once() -> None:
    world = World()
    world.arrives(world.asks(1))
    dead = world.queue.held.pop()
    world.goes_on(minutes=11)
    assert len(world.notices) == 1
    world.queue.put(dead.body, group=dead.group)
    drain(world)
    assert len(world.arrivals) == 1
    assert faults(world) == []
