"""From a webhook body to the WhatsApp reply, on the deployment itself."""

from __future__ import annotations

import pytest

from conversation.customer import Customer
from core.domain.conversation import Mode
from local_stack.processes import wait_until
from local_stack.stack import Stack

pytestmark = pytest.mark.e2e

WAIT_SECONDS = 30.0


def test_a_message_is_answered_once_on_whatsapp(stack: Stack, customer: Customer) -> None:
    seen = customer.says("Oi! Vocês fazem análise de água de poço?")

    assert [message["text"] for message in stack.outbox()] == list(seen.answers)
    assert len(seen.answers) == 1
    assert stack.whatsapp()["refused"] == []


def test_a_delivery_status_finds_the_part_that_it_is_about(stack: Stack, customer: Customer) -> None:
    customer.says("bom dia")

    def delivered() -> bool:
        parts = [item for item in stack.table_items(customer.pk) if "#o" in item["sk"]]
        return [part.get("rank") for part in parts] == [2]

    assert wait_until(delivered, seconds=WAIT_SECONDS)


def test_a_provider_that_is_down_ends_with_a_person(stack: Stack, customer: Customer) -> None:
    stack.control_model({"fail": {"http_status": 503, "times": 9}})
    seen = customer.says("Preciso de uma análise de solo")

    assert seen.head.mode is Mode.HUMAN
    assert len(seen.answers) == 1


def test_what_customers_write_and_who_they_are_is_not_in_the_logs(stack: Stack, customer: Customer) -> None:
    customer.says("segredinho inconfundível")
    logged = "\n".join(line.message for line in stack.logs())

    assert "turn_done" in logged
    assert "segredinho" not in logged
    assert customer.person.phone not in logged
