"""People are told of a handoff, however often telling them fails, and the summary they read is paid for once."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.domain.conversation import EffectKind, EffectState
from core.domain.errors import IntegrationError
from tests.faults.invariants import faults
from tests.faults.scenes import hands_over
from tests.faults.world import Statuses, World


class Unreachable:
    """A notifier that fails `times` times before it takes what it is given."""

    def __init__(self, world: World, times: int) -> None:
        self.world, self.left, self.tries_ms, self.again = world, times, list[int](), 0

    def notify(self, **about: object) -> None:
        if dict(about["payload"])["detail"] == "still_waiting":  # type: ignore[call-overload]
            self.again += 1
            return
        self.tries_ms.append(self.world.clock.now_ms())
        if self.left:
            self.left -= 1
            raise IntegrationError("notify")
        self.world.notify(**about)  # type: ignore[arg-type]


def handed_over(times: int) -> tuple[World, Unreachable]:
    world = World(agent=hands_over, statuses=Statuses.BEFORE)
    notifier = world.ports["notifier"] = Unreachable(world, times)
    world.arrives(world.asks(1))
    world.deliver()
    return world, notifier


@pytest.mark.parametrize("times", [1, 3, 6])
def test_a_notification_that_fails_is_tried_again_until_it_is_taken(times: int) -> None:
    world, notifier = handed_over(times)
    world.goes_on(minutes=90)
    assert len(notifier.tries_ms) == times + 1
    assert len(world.notices) == 1
    assert faults(world) == []


def test_the_summary_is_paid_for_once_however_often_people_could_not_be_told() -> None:
    world, _notifier = handed_over(5)
    calls = world.model.calls
    world.goes_on(minutes=90)
    assert world.model.calls == calls


def test_tries_lie_further_and_further_apart_up_to_a_quarter_of_an_hour() -> None:
    world, notifier = handed_over(6)
    world.goes_on(minutes=90)
    gaps = [later - earlier for earlier, later in pairwise(notifier.tries_ms)]
    assert gaps == sorted(gaps)
    assert max(gaps) <= 16 * 60_000


def test_the_queue_item_stands_while_people_cannot_be_told() -> None:
    world, _notifier = handed_over(100)
    states = {effect.kind: effect.state for effect in world.store.effects(world.conversations[0])}
    assert states == {EffectKind.HANDOFF: EffectState.DONE, EffectKind.NOTIFY: EffectState.FAILED}


def test_a_notification_left_by_a_dead_process_says_what_the_queue_item_says() -> None:
    world = World(agent=hands_over, statuses=Statuses.BEFORE)
    world.arrives(world.asks(1))
    world.ports["notifier"] = Unreachable(world, 1)
    world.store.fail_next("update_effect", IntegrationError("update_effect"), when="after")
    world.deliver()
    world.ports["notifier"] = world
    world.goes_on(minutes=10)
    effects = {effect.kind: effect for effect in world.store.effects(world.conversations[0])}
    assert effects[EffectKind.NOTIFY].payload["summary"] == effects[EffectKind.HANDOFF].payload["summary"]
    assert len(world.notices) == 1


def test_the_sweep_of_an_overdue_message_tells_people_too() -> None:
    world = World(statuses=Statuses.BEFORE)
    world.arrives(world.asks(1))
    world.queue.held.clear()
    world.goes_on(minutes=12)
    assert len(world.notices) == 1


def test_people_are_told_again_where_nobody_came_and_no_second_summary_is_paid_for() -> None:
    world, notifier = handed_over(0)
    calls = world.model.calls

    world.goes_on(minutes=20)

    assert notifier.again == 1
    assert world.model.calls == calls
    assert faults(world) == []
