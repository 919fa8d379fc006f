"""What operators do by hand, on the deployment itself: silence and its end, a look at a conversation, a redrive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from conversation.customer import Customer
from conversation.webhook_body import invented_person
from core.domain.messages import InboundPointer
from core.domain.pointer import pointer_body
from core.domain.record_keys import conversation_of, is_inbound, is_message
from local_stack.stack import Stack
from operator_tools.command import main

pytestmark = pytest.mark.e2e

WAIT_SECONDS = 30.0
SILENCE_SECONDS = 3.0


@pytest.fixture
def customer(stack: Stack) -> Customer:
    return Customer(stack=stack, person=invented_person("Lara Quintela"))


@pytest.fixture
def paused(stack: Stack) -> Iterator[None]:
    """A deployment in which nothing is answered; whatever happens, others find it awake."""
    assert operate("pause") == 0
    yield
    assert operate("resume") == 0


def operate(*arguments: str) -> int:
    return main([*arguments, "--local", "e2e"])


def eventually(true: Callable[[], bool]) -> bool:
    ends = time.monotonic() + WAIT_SECONDS
    while not true():
        if time.monotonic() > ends:
            return False
        time.sleep(0.1)
    return True


def test_a_message_waits_through_a_pause_and_is_answered_after_it(
    stack: Stack, customer: Customer, paused: None, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = stack.post_webhook(customer.bodies.text("Vocês calibram balanças?"))
    assert reply.status == 200
    time.sleep(SILENCE_SECONDS)
    assert stack.outbox() == []

    assert operate("find", "--phone", customer.person.phone) == 0
    assert "1 message waits for an answer" in capsys.readouterr().out

    assert operate("resume") == 0
    assert "1 message waits\n" in capsys.readouterr().out
    assert eventually(lambda: len(stack.outbox()) == 1)


def test_a_conversation_is_found_and_shown_as_it_took_place(
    stack: Stack, customer: Customer, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = customer.says("quero falar com um atendente")

    assert operate("find", "--id", stack.outbox()[0]["wamid"]) == 0
    assert "human_requested" in capsys.readouterr().out
    assert operate("show", conversation_of(customer.pk)) == 0

    shown = " ".join(capsys.readouterr().out.split())
    assert "quero falar com um atendente" in shown
    assert f"turn {seen.turn.turn}: handoff" in shown
    assert "para quem atende" in shown


def test_a_dead_letter_goes_back_and_its_customer_is_not_answered_twice(
    stack: Stack, customer: Customer, capsys: pytest.CaptureFixture[str]
) -> None:
    customer.says("bom dia")
    conversation = conversation_of(customer.pk)
    sk = next(
        item["sk"] for item in stack.table_items(customer.pk) if is_message(item["sk"]) and is_inbound(item["sk"])
    )
    stack.client("sqs").send_message(
        QueueUrl=stack.state.dead_letter_queue,
        MessageBody=pointer_body(InboundPointer(conversation=conversation, sk=sk)),
        MessageGroupId=conversation,
        MessageDeduplicationId=sk,
    )

    assert operate("redrive", "--dry-run") == 0
    assert f"conversation {conversation}" in capsys.readouterr().out
    assert stack.queue_depth(dead=True) == 1

    assert operate("redrive") == 0
    assert stack.queue_depth(dead=True) == 0
    assert eventually(lambda: stack.queue_depth() == 0)
    assert len(stack.outbox()) == 1
