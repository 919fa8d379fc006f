"""Two worker processes race on one table for real: whoever is first, each question gets one reply."""

from __future__ import annotations

import random
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

import pytest

from tests.fakes.clock import FakeClock
from tests.faults.doors import run_process
from tests.faults.invariants import faults, unaccounted_calls
from tests.faults.killing import Child
from tests.faults.outside import Call, Line
from tests.faults.world import Statuses, World

CUSTOMERS, QUESTIONS = 6, 4


class Counter:
    """Where the workers fetch their records, and where customers go on writing meanwhile."""

    def __init__(self, world: World, draw: random.Random) -> None:
        self.world, self._draw = world, draw
        self._given = [0, 0]
        self._left = [(customer, n) for n in range(QUESTIONS) for customer in range(1, CUSTOMERS + 1)]

    def next_event(self, worker: int) -> dict[str, Any] | None:
        """The next records, while customers go on writing; None when the day is over. Neither worker runs ahead."""
        if self._given[worker] > self._given[1 - worker]:
            return {"Records": []}
        self._given[worker] += 1
        for _ in range(self._draw.choice((0, 1, 3))):
            self._somebody_writes()
        while self._left and not self.world.queue.waiting:
            self._somebody_writes()
        batch = self.world.queue.receive(self._draw.choice((1, 1, 4)))
        return {"Records": [held.record(fifo=self.world.fifo) for held in batch]} if batch else None

    def done(self, ids: set[str], failed: set[str]) -> None:
        self.world.queue.done(ids - failed)

    def _somebody_writes(self) -> None:
        if not self._left:
            return
        customer, n = self._left.pop(0)
        self.world.arrives(self.world.asks(customer * 100 + n, customer=customer))
        if not self.world.fifo:  # a standard queue delivers at least once: both workers get this one
            held = self.world.queue.held[-1]
            self.world.queue.put(held.body, group=held.group)


def worker(world: World, number: int) -> Callable[[Line, FakeClock], int]:
    """Works until there is nothing to do; how many records it was given."""

    def work(line: Line, clock: FakeClock) -> int:
        given = 0
        while (event := line(Call(port="counter", method="next_event", args=(number,)))) is not None:
            failed = run_process(event, line, clock, policy=world.policy)
            ids = {record["messageId"] for record in event["Records"]}
            line(Call(port="counter", method="done", args=(ids, failed)))
            given += len(ids)
        return given

    return work


@pytest.mark.parametrize("fifo", [True, False], ids=["fifo", "standard"])
def test_two_workers_give_one_reply_to_each_question(fifo: bool) -> None:
    world = World(statuses=Statuses.BEFORE, fifo=fifo)
    world.ports["counter"] = Counter(world, random.Random(5))
    workers = [Child(world, worker(world, number)) for number in range(2)]
    serving = {child.connection: child for child in workers}
    while serving:
        for connection in wait(list(serving)):
            if not serving[connection].serve():
                del serving[connection]
    given = [child.result() for child in workers]
    world.goes_on(minutes=15)
    assert min(given) >= QUESTIONS, "one of the workers did all the work"
    assert faults(world, may_double=False) == []
    assert len(world.conversations) == CUSTOMERS
    assert unaccounted_calls(world) == 0
