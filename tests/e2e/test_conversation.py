"""A whole conversation on the deployment, from the first message to the person who takes over."""

from __future__ import annotations

import pytest

from conversation.company import chosen_company
from conversation.customer import Customer
from conversation.playing import shortfall
from conversation.scenes import load_scenes
from core.domain.conversation import Mode
from local_stack.stack import Stack

pytestmark = pytest.mark.e2e


def test_a_customer_is_served_until_a_person_has_the_card(stack: Stack, customer: Customer) -> None:
    company = chosen_company()
    scene = load_scenes(company.folder, company.catalog)[0]
    turns = []
    for line in scene.says:
        turns.append(customer.says(line))
        if turns[-1].head.mode is Mode.HUMAN:
            break

    assert shortfall(scene.expected, turns) is None
    effect = turns[-1].effect
    assert effect is not None
    card = effect.payload["summary"]
    assert customer.person.name in card["dados_coletados"].values()
    # every text of every turn reached WhatsApp, in order and once
    assert [message["text"] for message in stack.outbox()] == [text for turn in turns for text in turn.answers]
    assert stack.whatsapp()["refused"] == []

    said = len(stack.outbox())
    after = customer.says("obrigada!")
    assert after.head.mode is Mode.HUMAN
    assert len(stack.outbox()) - said == len(after.answers)
