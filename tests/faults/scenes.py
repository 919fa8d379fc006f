"""The pieces of work that are killed and failed at every step, each with its undisturbed run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from core.domain.policy import ConversationPolicy
from core.domain.record_keys import STATE, pk_of
from tests.faults.doors import injected
from tests.faults.failing import Fault, outage
from tests.faults.killing import killed
from tests.faults.model import Agent, answer, completes, plainly, says_all
from tests.faults.outside import Counting
from tests.faults.raw_body import raw_body
from tests.faults.world import Run, Statuses, World

_PARAGRAPHS, _SENTENCES = 4, 32


def needs_repair(numbers: Sequence[int]) -> str:
    """A reply that no parser accepts."""
    return '{"s":1,}' + answer(numbers)


def hands_over(numbers: Sequence[int]) -> str:
    """The agent gives up."""
    return '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'


def at_length(numbers: Sequence[int]) -> str:
    """More than one message holds."""
    return '{"s":1}' + "\n\n".join(" ".join([answer(numbers)] * _SENTENCES) for _ in range(_PARAGRAPHS))


def deliver(world: World, run: Run[Any] | None = None) -> None:
    """The process function, with the next record."""
    world.deliver(run=run)


def webhook(world: World, run: Run[Any] | None = None) -> None:
    """The webhook function; the provider sends again what it did not take."""
    message = world.asks(1)
    receipt = world.webhook(message, run=run)
    if receipt is None or receipt.failed:
        world.clock.advance(seconds=20)
        world.arrives(message)


def sweep(world: World, run: Run[Any] | None = None) -> None:
    """The schedule's function."""
    world.sweep(run=run)


def asked(world: World) -> None:
    """One question waits on the queue."""
    world.arrives(world.asks(1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """`work` is what is disturbed, in the world that `before` leads to."""

    name: str
    agent: Agent = plainly
    before: Callable[[World], None] = asked
    work: Callable[[World, Run[Any] | None], None] = deliver
    policy: ConversationPolicy = field(default_factory=ConversationPolicy)

    def begin(self, statuses: Statuses = Statuses.AFTER) -> World:
        """A world in which the work comes next."""
        world = World(agent=self.agent, statuses=statuses, policy=self.policy)
        self.before(world)
        return world

    @property
    def steps(self) -> tuple[str, ...]:
        """The calls of the undisturbed work."""
        return _steps(self)


@cache
def _steps(scene: Scene) -> tuple[str, ...]:
    counted: list[Counting] = []

    def counting(world: World, work: Any) -> Any:
        counted.append(Counting(world.answer))
        return work(counted[-1], world.clock)

    with injected():
        scene.work(scene.begin(), counting)
    return counted[-1].steps


def _newcomer(world: World) -> None:
    asked(world)
    world.model.while_thinking = lambda: world.arrives(world.asks(2))


def _first_meeting(world: World) -> None:
    """A customer known by the phone alone, whose next message names the BSUID too."""
    world.arrives(world.asks(7))
    world.deliver()
    world.bsuid = "BR.7100000000000101"


def _raw_body(world: World) -> None:
    body = json.dumps(raw_body(world.asks(1)))
    world.queue.put(body, group="raw")


def _nobody_took_the_message(world: World) -> None:
    """Recorded, and lost by the queue."""
    asked(world)
    world.queue.held.clear()
    world.clock.advance(minutes=11)


def _died(world: World, step: str, *, moment: Any = "before") -> None:
    asked(world)
    steps = ("read", "mark_read", "model", "commit", "send", "record_outcome", "summary", "update_effect")
    world.deliver(run=killed(steps.index(step) + 1, moment))
    world.queue.held.clear()


def _nobody_reported_the_send(world: World) -> None:
    _died(world, "send")
    world.clock.advance(seconds=70)
    world.sweep()
    world.clock.advance(seconds=125)


def _nobody_sent_the_second_part(world: World) -> None:
    _died(world, "record_outcome", moment="after")
    world.clock.advance(seconds=70)
    world.report()
    world.sweep()
    world.clock.advance(seconds=125)


def _nobody_finished_the_handoff(world: World) -> None:
    _died(world, "summary")
    world.clock.advance(seconds=95)
    world.report()


def _says_all(world: World) -> None:
    world.arrives(world.asks(1, text=says_all(1)))


def _completed(world: World) -> None:
    """The quote is the sweep's."""
    _says_all(world)
    world.deliver()
    world.report()
    world.clock.advance(seconds=5)


def _channel_refuses(world: World) -> None:
    """Since almost ten minutes, and for five more: the next look asks for people."""
    world.disturbance = outage("sender", Fault.REFUSED, clock=world.clock, seconds=900)
    asked(world)
    world.deliver()
    for _ in range(9):
        world.clock.advance(seconds=61)
        world.sweep()
    world.clock.advance(seconds=61)


def _channel_is_back(world: World) -> None:
    """People were asked for, and nobody has come; what was written still waits."""
    _channel_refuses(world)
    world.sweep()
    world.clock.advance(seconds=310)


def _nobody_came(world: World) -> None:
    asked(world)
    world.deliver()
    world.clock.advance(minutes=16)
    world.report()


def _state_cannot_be_read(world: World) -> None:
    """A newer version wrote it; the record has failed once."""
    asked(world)
    world.deliver()
    world.report()
    world.clock.advance(seconds=30)
    world.arrives(world.asks(2))
    (conversation,) = world.conversations
    world.store._items[pk_of(conversation), STATE]["stage"] = "pos_venda"
    world.deliver()
    world.clock.advance(seconds=5)


TURNS = (
    Scene(name="normal"),
    Scene(name="repair", agent=needs_repair, policy=replace(ConversationPolicy(), repair_local=False)),
    Scene(name="handoff", agent=hands_over),
    Scene(name="completion", agent=completes, before=_says_all),
    Scene(name="two-parts", agent=at_length),
    Scene(name="newcomer", before=_newcomer),
    Scene(name="raw-body", before=_raw_body),
    Scene(name="unreadable", before=_state_cannot_be_read),
)
DOORS = (
    Scene(name="door", before=lambda _world: None, work=webhook),
    Scene(name="first-meeting", before=_first_meeting, work=webhook),
)
SWEEPS = (
    Scene(name="overdue", before=_nobody_took_the_message, work=sweep),
    Scene(name="unsent", before=_nobody_reported_the_send, work=sweep),
    Scene(name="second-part", agent=at_length, before=_nobody_sent_the_second_part, work=sweep),
    Scene(name="unfinished", agent=hands_over, before=_nobody_finished_the_handoff, work=sweep),
    Scene(name="quote", agent=completes, before=_completed, work=sweep),
    Scene(name="refused", before=_channel_refuses, work=sweep),
    Scene(name="taken-again", before=_channel_is_back, work=sweep),
    Scene(name="nobody-came", agent=hands_over, before=_nobody_came, work=sweep),
)
SCENES = (*TURNS, *DOORS, *SWEEPS)
