"""What a stack holds, as the world that the fault tests judge: its table, and what WhatsApp took."""

from __future__ import annotations

import time

from core.domain.part_callback import read_callback
from core.domain.policy import ConversationPolicy
from core.integrations.dynamodb.attributes import unmarshalled
from local_stack.stack import Stack
from tests.faults.world import Arrival, Statuses, World


def world_of(stack: Stack, *, outbox_unknown_seconds: int) -> World:
    """As it is now."""
    policy = ConversationPolicy(outbox_unknown_seconds=outbox_unknown_seconds)
    world = World(statuses=Statuses.AFTER, policy=policy, numbered=False)
    world.clock.advance(int(time.time() * 1000) - world.clock.now_ms())
    pages = stack.client("dynamodb").get_paginator("scan").paginate(TableName=stack.state.table, ConsistentRead=True)
    world.store.lay_items(unmarshalled(item) for page in pages for item in page["Items"])
    for message in stack.outbox():
        address = read_callback(message["callback_data"])
        assert address is not None, message["callback_data"]
        conversation, sk, attempt = address
        world.arrivals.append(
            Arrival(
                at_ms=int(message["at"] * 1000),
                conversation=conversation,
                sk=sk,
                attempt=attempt,
                text=message["text"],
            )
        )
    return world
