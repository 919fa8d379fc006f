"""On a standard queue (records shuffled, doubled, delayed across batches) customers read what they read on FIFO."""

from __future__ import annotations

import random

import pytest

from tests.effort import thorough
from tests.faults.invariants import faults
from tests.faults.world import Statuses, World

CUSTOMERS = 8


def everybody_writes(world: World) -> None:
    """One to three messages each, all recorded before the first poll."""
    for n in range(3):
        for customer in range(1, CUSTOMERS + 1):
            if customer % 3 >= n:
                world.arrives(world.asks(customer * 10 + n, customer=customer))
        world.clock.advance(seconds=1)


def read_by(world: World) -> dict[str, list[str]]:
    """What each customer read, in order."""
    return {
        each: [arrival.text for arrival in world.arrivals if arrival.conversation == each]
        for each in world.conversations
    }


def in_order() -> World:
    world = World(statuses=Statuses.BEFORE)
    everybody_writes(world)
    world.goes_on(minutes=5)
    return world


@pytest.mark.parametrize("seed", [*range(3), *thorough(range(3, 8))])
def test_shuffled_doubled_and_delayed_records_give_the_same_answers(seed: int) -> None:
    draw = random.Random(seed)
    world = World(statuses=Statuses.BEFORE, fifo=False)
    everybody_writes(world)
    for held in list(world.queue.held):
        if draw.random() < 0.5:
            world.queue.put(held.body, group=held.group)
    for held in world.queue.held:
        held.visible_at_ms += draw.choice((0, 0, 2_000, 90_000))
    draw.shuffle(world.queue.held)
    while world.queue.held:
        while world.deliver(most=draw.choice((1, 3, 10))):
            draw.shuffle(world.queue.held)
        world.clock.advance(seconds=2)
    fifo = in_order()
    assert read_by(world) == read_by(fifo)
    assert world.model.calls == fifo.model.calls
    assert faults(world, may_double=False) == []


@pytest.mark.parametrize("seed", [*range(3), *thorough(range(3, 8))])
def test_while_customers_go_on_writing_every_question_is_answered_once(seed: int) -> None:
    draw = random.Random(seed)
    world = World(statuses=Statuses.BEFORE, fifo=False)
    for number in range(1, 25):
        world.arrives(world.asks(number, customer=draw.randint(1, CUSTOMERS)))
        if draw.random() < 0.3:
            held = draw.choice(world.queue.held)
            world.queue.put(held.body, group=held.group, delay_ms=draw.choice((0, 5_000)))
        draw.shuffle(world.queue.held)
        if draw.random() < 0.6:
            world.deliver(most=draw.choice((1, 4)))
        world.clock.advance(ms=draw.choice((0, 900, 3_000)))
    world.goes_on(minutes=15, most=10)
    assert faults(world, may_double=False) == []
