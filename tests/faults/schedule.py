"""A day at the desk in any order: workers, a webhook, a sweep, customers, time, deaths and failures, one move at a time.

Every move is chosen from those that are possible, so the same choices are the same day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.application.intake.inbound_batch import WebhookBatch
from core.domain.conversation import Mode
from core.domain.messages import InboundMessage
from tests.faults.actor import Actor, Order
from tests.faults.doors import FUNCTION_MS, run_process, run_sweep, run_webhook
from tests.faults.failing import PLAIN_FAULTS, REFUSING, Fault, outage
from tests.faults.model import plainly
from tests.faults.scenes import at_length, hands_over
from tests.faults.world import Statuses, World

Choose = Callable[[Sequence[str]], str]

WORKERS, QUESTIONS_MAX = 2, 9
# By what a move's name holds; others weigh 1.
WEIGHTS = {
    " goes on ": 50,
    # where an answer is on its way, a death matters most
    " dies behind commit": 15,
    " dies before send": 15,
    " dies behind send": 15,
    " dies before record_outcome": 15,
    " dies ": 3,
    "the queue is polled": 40,
    "a customer writes": 8,
    "a second": 4,
    "statuses come": 4,
    "the schedule fires": 3,
    "delivers twice": 2,
    "hand back": 12,
    "sends again": 4,
}
WAITS = {"a second": 1, "a while": 20, "past a lease": 70, "past the wait": 130, "past the visibility": 365}
LONG, HANDED_OVER = frozenset({2, 4}), 6


def agent(numbers: Sequence[int]) -> str:
    """Answers are short, or take two parts; the sixth question takes a person."""
    if HANDED_OVER in numbers:
        return hands_over(numbers)
    return at_length(numbers) if LONG & set(numbers) else plainly(numbers)


@dataclass
class Schedule:
    """`choose` picks the next move by its name; `told` is the day so far."""

    choose: Choose
    statuses: Statuses = Statuses.LATE
    fifo: bool = True
    moves: int = 60
    deaths_max: int = 3
    faults_max: int = 3
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world = World(agent=agent, statuses=self.statuses, fifo=self.fifo)
        self.actors: list[Actor] = []
        self.deaths = self.faults = self.outlived = self.questions = 0
        self._unacknowledged: list[InboundMessage] = []
        self._ends: dict[Actor, Callable[[Actor], None]] = {}

    def run(self) -> World:
        """The day, and then everything that was begun."""
        for _ in range(self.moves):
            possible = self._possible()
            name = self.choose([name for name in possible for _ in range(_weight(name))])
            self.told.append(name)
            possible[name]()
        self._close()
        return self.world

    # What may happen next

    def _possible(self) -> dict[str, Callable[[], None]]:
        moves: dict[str, Callable[[], None]] = {}
        for actor in self.actors:
            moves |= self._moves_of(actor)
        moves |= self._beginnings() | self._peoples()
        if self.statuses is Statuses.LATE:
            moves["statuses come"] = self.world.report
        if not self.fifo and self.world.queue.held:
            moves["the queue delivers twice"] = self._duplicate
        waits = WAITS if self.world.disturbance is None else WAITS | {"past all patience": 605}
        return moves | {f"time passes, {name}": partial(self._wait, seconds) for name, seconds in waits.items()}

    def _beginnings(self) -> dict[str, Callable[[], None]]:
        """What may be begun now."""
        moves: dict[str, Callable[[], None]] = {}
        if self.questions < QUESTIONS_MAX:
            moves["a customer writes"] = self._write
        if self.world.asked and not self._busy("webhook"):
            moves["the provider repeats itself"] = lambda: self._webhook(list(self.world.asked.values())[-1])
        if self._unacknowledged and not self._busy("webhook"):
            moves["the provider sends again"] = self._send_again
        free = next((f"worker {n}" for n in range(1, WORKERS + 1) if not self._busy(f"worker {n}")), None)
        if free is not None and self.world.queue.waiting:
            moves["the queue is polled"] = partial(self._work, free)
        if not self._busy("sweep"):
            moves["the schedule fires"] = self._sweep
        return moves

    def _peoples(self) -> dict[str, Callable[[], None]]:
        """What the people of the business may do, and those of the channel."""
        moves: dict[str, Callable[[], None]] = {}
        refuses = self.world.disturbance is not None
        moves["the channel is back" if refuses else "the channel refuses everybody"] = partial(self._channel, refuses)
        for conversation in self.world.conversations:
            head = self.world.store.head(conversation)
            if head.mode is Mode.HUMAN:
                moves["people hand back"] = partial(self.world.people_hand_back, conversation)
            if not (head.mode is Mode.HUMAN and head.handoff_acknowledged):
                moves["a person takes over"] = partial(self.world.people_take_over, conversation)
        return moves

    def _moves_of(self, actor: Actor) -> dict[str, Callable[[], None]]:
        assert actor.waits_at is not None
        where, call = actor.waits_at
        moves: dict[str, Callable[[], None]] = {f"{actor.name} goes on {where} {call.name}": lambda: self._move(actor)}
        if self.deaths < self.deaths_max:
            moves[f"{actor.name} dies {where} {call.name}"] = partial(self._move, actor, "die")
        if where == "before" and self.faults < self.faults_max:
            for fault in Fault if call.name in REFUSING else PLAIN_FAULTS:
                moves[f"{actor.name} meets {fault} at {call.name}"] = partial(self._move, actor, fault)
        return moves

    # What happens

    def _channel(self, takes: bool) -> None:
        for_good = outage("sender", Fault.REFUSED, clock=self.world.clock, seconds=10**6)
        self.world.disturbance = None if takes else for_good

    def _write(self) -> None:
        self.questions += 1
        message = self.world.asks(self.questions)
        if self._busy("webhook"):
            self._unacknowledged.append(message)
        else:
            self._webhook(message)

    def _webhook(self, message: InboundMessage) -> None:
        batch = WebhookBatch(messages=(message,))

        def ended(actor: Actor) -> None:
            if actor.died or actor.returned.failed:
                self._unacknowledged.append(message)

        self._begin("webhook", lambda line: run_webhook(batch, line, self.world.clock, policy=self.world.policy), ended)

    def _send_again(self) -> None:
        self._webhook(self._unacknowledged.pop(0))

    def _work(self, name: str) -> None:
        batch = self.world.queue.receive()
        if not batch:
            return
        event = {"Records": [held.record(fifo=self.fifo) for held in batch]}

        def ended(actor: Actor) -> None:
            if not actor.died:
                self.world.queue.done({held.id for held in batch} - actor.returned)

        self._begin(name, lambda line: run_process(event, line, self.world.clock, policy=self.world.policy), ended)

    def _sweep(self) -> None:
        work: Callable[[Any], Any] = lambda line: run_sweep(line, self.world.clock, policy=self.world.policy)  # noqa: E731
        self._begin("sweep", work, lambda _actor: None)

    def _duplicate(self) -> None:
        held = self.world.queue.held[0]
        self.world.queue.put(held.body, group=held.group)

    def _wait(self, seconds: int) -> None:
        """Lambda ends what outlives its time."""
        self.world.clock.advance(seconds=seconds)
        for actor in [each for each in self.actors if each.until_ms <= self.world.clock.now_ms()]:
            self.outlived += 1
            self._move(actor, "die", counted=False)

    def _begin(self, name: str, work: Callable[[Any], Any], ended: Callable[[Actor], None]) -> None:
        actor = Actor(name, self.world.answer, work, until_ms=self.world.clock.now_ms() + FUNCTION_MS)
        self._ends[actor] = ended
        self.actors.append(actor)
        self._retire(actor)

    def _move(self, actor: Actor, order: Order = "go", *, counted: bool = True) -> None:
        self.deaths += counted and order == "die"
        self.faults += isinstance(order, Fault)
        actor.move(order)
        self._retire(actor)

    def _retire(self, actor: Actor) -> None:
        if actor.waits_at is None:
            self.actors.remove(actor)
            self._ends.pop(actor)(actor)

    def _busy(self, name: str) -> bool:
        return any(actor.name == name for actor in self.actors)

    def _close(self) -> None:
        """Everything begun comes to its end, and the provider is heard."""
        self.world.disturbance = None
        while self.actors:
            self._move(self.actors[0])
        while self._unacknowledged:
            self._send_again()
            while self.actors:
                self._move(self.actors[0])


def _weight(name: str) -> int:
    """More goes on than goes wrong."""
    return next((weight for words, weight in WEIGHTS.items() if words in name), 1)
