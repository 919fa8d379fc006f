"""From a webhook body to the WhatsApp reply, on the deployment itself."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from conversation.customer import Customer
from conversation.webhook_body import invented_person
from core.domain.conversation import Mode
from local_stack.stack import Stack

pytestmark = pytest.mark.e2e

WAIT_SECONDS = 30.0


@pytest.fixture
def customer(stack: Stack) -> Customer:
    return Customer(stack=stack, person=invented_person("Lara Quintela"))


def eventually(true: Callable[[], bool]) -> bool:
    ends = time.monotonic() + WAIT_SECONDS
    while not true():
        if time.monotonic() > ends:
            return False
        time.sleep(0.1)
    return True


def test_a_message_is_answered_once_on_whatsapp(stack: Stack, customer: Customer) -> None:
    seen = customer.says("Oi! Vocês fazem análise de água de poço?")

    assert [message["text"] for message in stack.outbox()] == list(seen.answers)
    assert len(seen.answers) == 1
    assert stack.whatsapp()["refused"] == []


def test_a_body_that_whatsapp_repeats_is_answered_once(stack: Stack, customer: Customer) -> None:
    body = customer.bodies.text("Quero calibrar uma balança")
    first, second = stack.post_webhook(body), stack.post_webhook(body)

    assert (first.status, second.status) == (200, 200)
    assert eventually(lambda: bool(stack.outbox()) and stack.queue_depth() == 0)
    assert len(stack.outbox()) == 1


def test_a_delivery_status_finds_the_part_that_it_is_about(stack: Stack, customer: Customer) -> None:
    customer.says("bom dia")

    def delivered() -> bool:
        parts = [item for item in stack.table_items(customer.pk) if "#o" in item["sk"]]
        return [part.get("rank") for part in parts] == [2]

    assert eventually(delivered)


def test_a_body_that_somebody_else_signed_is_refused_and_leaves_nothing(stack: Stack, customer: Customer) -> None:
    reply = stack.post_webhook(customer.bodies.text("Oi"), signature="sha256=" + "0" * 64)

    assert reply.status == 401
    assert stack.table_items(customer.pk) == []


def test_the_handshake_answers_only_those_who_know_the_word(stack: Stack) -> None:
    assert stack.handshake(challenge="42").body == b"42"
    assert stack.handshake(verify_token="other").status == 403


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
