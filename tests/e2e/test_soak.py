"""Two hundred conversations on the deployment, with every kind of failure: nothing lost, nothing doubled."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from conversation.webhook_body import Person, WebhookBodies
from core.domain.conversation import EffectState, Mode
from core.domain.delivery import PartState
from local_stack.errors import StackError
from local_stack.lifecycle import running_stack
from local_stack.stack import Stack
from tests.e2e.deployed_world import world_of
from tests.faults.invariants import faults, standing
from tests.faults.world import World

pytestmark = pytest.mark.e2e

CONVERSATIONS = 200
SHARE = 0.05  # of the conversations, for each kind of failure
UNKNOWN_SECONDS, MODEL_SECONDS = 30, 2
PATIENCE_SECONDS = 600

MODEL_FAILURES: dict[str, dict[str, Any]] = {
    "model 5xx": {"http_status": 500},
    "model timeout": {"delay_seconds": MODEL_SECONDS + 2.0},
    "model malformed": {"malformed": True},
}
WHATSAPP_FAILURES: dict[str, dict[str, Any]] = {
    "whatsapp 5xx": {"http_status": 502},
    "whatsapp code": {"code": 131000},
    "whatsapp 429": {"code": 130429},
    "lost before": {"close": "before_recording"},
    "lost after": {"close": "after_recording"},
}


@pytest.fixture(scope="module")
def soaked() -> Iterator[Stack]:
    """A stack of its own: short waits, so that what is unknown is settled while one looks."""
    parameters = {
        "OutboxUnknownSeconds": str(UNKNOWN_SECONDS),
        "LlmTimeoutSeconds": str(MODEL_SECONDS),
        "BatchSize": "10",
    }
    try:
        with running_stack(name="soak", parameters=parameters) as stack:
            yield stack
    except StackError as error:
        pytest.fail(error.report(), pytrace=False)


def marker(number: int) -> str:
    """What tells a conversation's prompts from all others."""
    return f"lote L{number:04d}"


def plan() -> dict[int, list[tuple[str, dict[str, Any], bool]]]:
    """Which failures are ordered with which conversation; the model's last through all of its retries every other time."""
    draw, ordered = random.Random(2026), dict[int, list[tuple[str, dict[str, Any], bool]]]()
    for failures, of_model in ((MODEL_FAILURES, True), (WHATSAPP_FAILURES, False)):
        for name, order in failures.items():
            for place, number in enumerate(draw.sample(range(CONVERSATIONS), round(CONVERSATIONS * SHARE))):
                ordered.setdefault(number, []).append(
                    (name, {**order, "times": 4 if of_model and place % 2 else 1}, of_model)
                )
    return ordered


def writes(stack: Stack, number: int, orders: list[tuple[str, dict[str, Any], bool]]) -> None:
    """One customer: a message, sometimes two; the failures that come with it are ordered first."""
    for _, order, of_model in orders:
        if of_model:
            stack.control_model({"fail": {**order, "contains": marker(number)}})
        else:
            stack.control_whatsapp({"fail": order})
    person = Person(name="Lara Quintela", phone=f"551198000{number:04d}", user_id=f"BR.71{number:014d}")
    bodies = WebhookBodies(
        person=person,
        phone_number_id=stack.state.phone_number_id,
        display_phone_number=stack.state.display_phone_number,
    )
    texts = [f"Oi! Quero analisar a água do {marker(number)}."]
    if number % 4 == 0:
        texts.append(f"São 3 amostras do {marker(number)}, de poço.")
    for text in texts:
        body = bodies.text(text)
        while stack.post_webhook(body).status != 200:
            time.sleep(0.5)  # as Meta does, if sooner


def is_over(world: World) -> bool:
    """Nothing waits any more."""
    for conversation in world.conversations:
        parts, effects = world.store.parts(conversation), world.store.effects(conversation)
        waiting = any(part.state is not PartState.SENT and part.due_ms is not None for part in parts)
        if waiting or world.store.head(conversation).pending or any(e.state is not EffectState.DONE for e in effects):
            return False
    return len([each for each in world.conversations if world.store.inbounds(each)]) == CONVERSATIONS


def test_nothing_is_lost_and_nothing_said_twice(soaked: Stack) -> None:
    ordered = plan()
    began = time.monotonic()
    with ThreadPoolExecutor(max_workers=4) as customers:
        list(customers.map(lambda n: writes(soaked, n, ordered.get(n, [])), range(CONVERSATIONS)))
    world = world_of(soaked, outbox_unknown_seconds=UNKNOWN_SECONDS)
    while not (soaked.queue_depth() == 0 and is_over(world)):
        assert time.monotonic() - began < PATIENCE_SECONDS, faults(world)[:10]
        time.sleep(3)
        soaked.invoke("sweep", {})
        world = world_of(soaked, outbox_unknown_seconds=UNKNOWN_SECONDS)
    assert faults(world, may_double=False) == []
    assert soaked.queue_depth(dead=True) == 0

    turns = [turn for each in world.conversations for turn in standing(world, each)]
    reasons = Counter(turn.handoff_reason for turn in turns if turn.handoff_reason)
    assert reasons["llm_timeout"] >= 10, "the model's failures were not met"
    again = [part for each in world.conversations for part in world.store.parts(each) if part.attempt > 1]
    assert len(again) >= CONVERSATIONS * SHARE, "WhatsApp's failures were not met"
    people = [each for each in world.conversations if world.store.head(each).mode is Mode.HUMAN]
    assert len(people) < CONVERSATIONS / 2
    calls = sum(len(turn.calls) for each in world.conversations for turn in world.store.turns(each))
    summaries = sum(
        len(effect.payload["calls"]) for each in world.conversations for effect in world.store.effects(each)
    )
    assert calls + summaries == len(soaked.model_calls())
