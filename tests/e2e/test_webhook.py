"""The public URL: who is let in, and what is taken once."""

from __future__ import annotations

import pytest

from conversation.customer import Customer
from local_stack.http_calls import call
from local_stack.processes import wait_until
from local_stack.stack import Stack
from local_stack.webhook_signature import signed_headers

pytestmark = pytest.mark.e2e

ANSWER_SECONDS = 45.0


def test_the_handshake_answers_only_those_who_know_the_word(stack: Stack) -> None:
    assert stack.handshake(challenge="42").body == b"42"
    for word in ("other", ""):
        refused = stack.handshake(challenge="42", verify_token=word)
        assert refused.status == 403
        assert b"42" not in refused.body


def test_only_a_body_that_meta_signed_is_taken(stack: Stack, customer: Customer) -> None:
    body, other = customer.bodies.text("Oi"), customer.bodies.text("Olá")
    of_other_body = signed_headers(other, stack.state.app_secret)["x-hub-signature-256"]
    of_other_secret = signed_headers(body, "another secret")["x-hub-signature-256"]

    for forged in ("sha256=" + "0" * 64, "sha256=", of_other_body, of_other_secret):
        assert stack.post_webhook(body, signature=forged).status == 401
    assert call("POST", stack.state.webhook, body=body, headers={"content-type": "application/json"}).status == 401
    assert stack.table_items(customer.pk) == []
    assert stack.queue_depth() == 0


def test_a_body_that_whatsapp_repeats_is_answered_once(stack: Stack, customer: Customer) -> None:
    body = customer.bodies.text("Quero calibrar uma balança")

    assert [stack.post_webhook(body).status for _ in range(2)] == [200, 200]
    assert wait_until(lambda: bool(stack.outbox()) and stack.queue_depth() == 0, seconds=ANSWER_SECONDS)
    assert stack.post_webhook(body).status == 200
    # whatever the third left behind would be worked off before what comes after it
    after = customer.says("E um termômetro, também fazem?")
    assert wait_until(lambda: stack.queue_depth() == 0, seconds=ANSWER_SECONDS)

    assert len(stack.outbox()) == 2
    assert stack.outbox()[-1]["text"] == after.answers[-1]


def test_what_is_signed_and_no_body_of_meta_s_is_taken_without_a_trace(stack: Stack) -> None:
    before = len(stack.table_items())

    for body in (b"", b"[]", b'{"object": "page"}', "não é JSON".encode()):
        assert stack.post_webhook(body).status == 200
    assert len(stack.table_items()) == before
    assert stack.queue_depth() == 0
