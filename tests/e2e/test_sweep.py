"""What is due and nobody did: the sweep's schedule does it."""

from __future__ import annotations

import pytest

from conversation.customer import Customer
from core.domain.delivery import PartState
from core.integrations.dynamodb import codec
from local_stack.processes import wait_until
from local_stack.stack import Stack

pytestmark = pytest.mark.e2e

ANSWER_SECONDS = 45.0
SWEEP_SECONDS = 120.0  # once a minute, of what waits for 15 s
THROTTLED = 131056


def part_states(stack: Stack, customer: Customer) -> list[PartState]:
    items = [item for item in stack.table_items(customer.pk) if "#o" in item["sk"]]
    return [codec.item_to_part(item).state for item in items]


def test_what_whatsapp_refused_for_now_is_sent_by_the_schedule(stack: Stack, customer: Customer) -> None:
    stack.control_whatsapp({"fail": {"code": THROTTLED}})
    assert stack.post_webhook(customer.bodies.text("Oi! Vocês fazem análise de solo?")).status == 200
    assert wait_until(lambda: part_states(stack, customer) == [PartState.PENDING], seconds=ANSWER_SECONDS)
    assert stack.outbox() == []

    assert wait_until(lambda: bool(stack.outbox()), seconds=SWEEP_SECONDS, every=1.0)
    assert wait_until(lambda: part_states(stack, customer) == [PartState.SENT], seconds=ANSWER_SECONDS)
    assert len(stack.outbox()) == 1
