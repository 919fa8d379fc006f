"""One disturbance of one scene, and what became of it once the world went on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.application.turn.decision import TurnOutcome
from tests.faults.failing import Fault, failing
from tests.faults.invariants import faults, standing
from tests.faults.killing import Moment, killed
from tests.faults.scenes import Scene
from tests.faults.world import Run, Statuses, World

LAST_QUESTION = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`answered_s` and `told_s`: seconds until the customer read something, and until people were told."""

    found: tuple[str, ...]
    answered_s: int | None = None
    told_s: int | None = None
    doubled: bool = False


def kill(scene: Scene, at: int, moment: Moment, statuses: Statuses) -> Trial:
    """The process dies at its `at`-th call."""
    name = scene.steps[at - 1]
    sent = name.startswith("send") and moment == "after"
    unreported = name.startswith("record_outcome") and moment == "before"
    return _tried(scene, killed(at, moment), statuses, may_double=sent or unreported)


def fail(scene: Scene, at: int, fault: Fault, statuses: Statuses) -> Trial:
    """The `at`-th call fails."""
    name = scene.steps[at - 1]
    sent = name.startswith("send") and fault is Fault.AFTER
    unreported = name.startswith("record_outcome") and fault is not Fault.AFTER
    return _tried(scene, failing(at, fault), statuses, may_double=sent or unreported)


def undisturbed(scene: Scene, statuses: Statuses) -> Trial:
    """The yardstick."""
    return _tried(scene, None, statuses, may_double=False)


def _tried(scene: Scene, run: Run[Any] | None, statuses: Statuses, *, may_double: bool) -> Trial:
    world = scene.begin(statuses)
    begun_ms, before, told = world.clock.now_ms(), len(world.arrivals), len(world.notices)
    scene.work(world, run)
    notices = _goes_on(world, told)
    found = faults(world, may_double=may_double)
    arrivals = world.arrivals[before:]
    return Trial(
        found=(*found, *last_word(world, may_double=may_double)),
        answered_s=(arrivals[0].at_ms - begun_ms) // 1000 if arrivals else None,
        told_s=None if notices is None else (notices - begun_ms) // 1000,
        doubled=len(world.arrivals) > len({arrival.sk for arrival in world.arrivals}),
    )


def _goes_on(world: World, told: int) -> int | None:
    """Twenty minutes; when people were told, if they were."""
    world.goes_on(minutes=20)
    return world.told_at_ms[told] if len(world.told_at_ms) > told else None


def last_word(world: World, *, may_double: bool = True) -> list[str]:
    """No state that a later message cannot leave: one more question is answered, or seen by people."""
    world.arrives(world.asks(LAST_QUESTION))
    world.goes_on(minutes=5)
    asked = world.inbound_of(LAST_QUESTION)
    turns = [turn for turn in standing(world, asked.conversation) if asked.sk in turn.inbound]
    found = faults(world, may_double=may_double)
    if len(turns) != 1:
        return [*found, "a later message was not taken care of"]
    read = any(turns[0].turn in arrival.sk for arrival in world.arrivals)
    if not read and turns[0].outcome != TurnOutcome.FORWARDED:
        found.append("a later message found silence")
    return found
