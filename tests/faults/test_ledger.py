"""Every model call is in the ledger, with what became of it: also when the run it was made for came to nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.domain.conversation import Mode
from core.domain.errors import IntegrationError
from core.domain.ledger import CallOutcome, TurnRecord
from tests.desk import Desk
from tests.fakes.agent_invoker import FakeAgentInvoker
from tests.faults.invariants import WASTED, unaccounted_calls
from tests.faults.model import THINKS_MS
from tests.faults.scenes import TURNS, Scene
from tests.faults.world import World


def overtaken() -> World:
    """While one worker's model thinks, another one answers."""
    world = World(fifo=False)
    message = world.asks(1)
    world.arrives(message)
    world.arrives(message)
    world.model.while_thinking = world.deliver
    world.deliver()
    return world


def turns_of(world: World) -> list[TurnRecord]:
    return list(world.store.turns(world.conversations[0]))


def test_a_call_whose_run_another_worker_made_useless_is_written_down_as_wasted() -> None:
    world = overtaken()
    wasted = [turn for turn in turns_of(world) if turn.outcome == WASTED]
    assert len(wasted) == 1
    (call,) = wasted[0].calls
    assert (call.outcome, call.wasted) == (CallOutcome.OVERTAKEN, True)
    assert call.cost_usd is not None
    assert call.cost_usd > 0
    assert (wasted[0].reply, wasted[0].inbound) == (None, ())
    assert wasted[0].wall_ms >= THINKS_MS
    assert unaccounted_calls(world) == 0


def test_the_customer_got_one_reply_of_the_two() -> None:
    assert len(overtaken().arrivals) == 1


def test_a_ledger_that_cannot_be_written_leaves_the_answer_as_it_is() -> None:
    world = World(fifo=False)
    message = world.asks(1)
    world.arrives(message)
    world.arrives(message)
    world.store.fail_next("append_turn", IntegrationError("append_turn"))
    world.model.while_thinking = world.deliver
    world.deliver()
    assert (len(world.arrivals), world.queue.held) == (1, [])


def test_what_a_takeover_discards_is_in_the_turn_that_forwards() -> None:
    world = World()
    world.arrives(world.asks(1))
    world.model.while_thinking = lambda: world.people_take_over(world.conversations[0])
    world.deliver()
    (turn,) = turns_of(world)
    assert (turn.outcome, [call.outcome for call in turn.calls]) == ("forwarded", [CallOutcome.OVERTAKEN])
    assert world.arrivals == []
    assert world.store.head(world.conversations[0]).mode is Mode.HUMAN


@pytest.mark.parametrize("scene", TURNS, ids=lambda scene: scene.name)
def test_no_call_of_a_turn_is_left_out(scene: Scene) -> None:
    world = scene.begin()
    scene.work(world, None)
    assert world.model.agent_calls > 0
    assert unaccounted_calls(world) == 0


def test_a_model_that_the_price_list_does_not_know_has_an_unknown_cost_and_never_none_at_all() -> None:
    desk = Desk()
    desk.invoker = FakeAgentInvoker('{"s":1}Olá!', model="modelo-que-ninguem-conhece")
    desk.says("oi")
    (call,) = desk.last_turn.calls
    assert call.cost_usd is None
    assert call.tokens_input > 0


def test_a_known_model_has_its_price() -> None:
    desk = Desk('{"s":1}Olá!')
    desk.says("oi")
    (call,) = desk.last_turn.calls
    assert isinstance(call.cost_usd, Decimal)
    assert call.cost_usd > 0


def test_the_turn_says_how_long_the_customer_waited_for_the_decision() -> None:
    world = World()
    world.arrives(world.asks(1))
    world.deliver()
    (turn,) = turns_of(world)
    assert turn.wall_ms == THINKS_MS
