"""Where a message goes down: whose it is, how old it is, whether it goes together with others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.intake.customer_ids import conversation_id
from core.application.intake.inbound_batch import IdentityChange
from core.domain.messages import InboundMessage, MessageKind, Sender
from tests.desk import PHONE_NUMBER_ID, Desk

ANA, ANAS_BSUID = "5511980000111", "BR.7100000000000111"
OTHER_NUMBER = "330000000000999"


@pytest.fixture
def desk() -> Desk:
    return Desk()


def of(desk: Desk, sender: Sender) -> str:
    return conversation_id(sender, PHONE_NUMBER_ID, desk.settings.identity_key)


@pytest.mark.parametrize(("seconds", "stale"), [(899, False), (900, False), (901, True)])
def test_a_message_is_stale_when_it_is_older_than_the_limit(desk: Desk, seconds: int, stale: bool) -> None:
    message = desk.message("oi", sent_at_ms=desk.clock.now_ms() - seconds * 1000)

    pointer = desk.record(message)

    (record,) = desk.store.inbounds(pointer.conversation)
    assert record.stale is stale


@pytest.mark.parametrize(
    ("ours", "theirs", "taken"),
    [(PHONE_NUMBER_ID, PHONE_NUMBER_ID, True), (PHONE_NUMBER_ID, OTHER_NUMBER, False), ("", OTHER_NUMBER, True)],
    ids=["ours", "another's", "every number is ours"],
)
def test_only_what_was_sent_to_our_number_is_ours(desk: Desk, ours: str, theirs: str, taken: bool) -> None:
    intake = replace(desk.intake, phone_number_id=ours)

    assert (intake.record(desk.message("oi", phone_number_id=theirs)) is not None) is taken


def test_a_message_of_nobody_is_ignored(desk: Desk) -> None:
    assert desk.intake.record(desk.message("oi", sender=Sender())) is None
    assert desk.store.requests == []


def test_a_phone_seen_with_a_bsuid_leads_to_its_conversation(desk: Desk) -> None:
    pointer = desk.record(desk.message("oi", sender=Sender(phone=ANA, bsuid=ANAS_BSUID)))

    assert pointer.conversation == of(desk, Sender(bsuid=ANAS_BSUID))
    assert desk.store.head(of(desk, Sender(phone=ANA))).moved_to == pointer.conversation


def test_what_the_business_said_in_a_group_is_on_the_log_and_pauses_nobody(desk: Desk) -> None:
    desk.record(desk.message("aqui é a Rebeca", kind=MessageKind.ECHO, group_id="g1"))

    assert "interject" not in desk.store.requests


# Together


def burst(desk: Desk, *messages: InboundMessage, **changes: Any) -> int:
    return len(replace(desk.intake, **changes).record_burst(messages))


def messages(desk: Desk, **changes: Any) -> list[InboundMessage]:
    return [desk.message("um"), desk.message("dois", **changes)]


def test_messages_of_one_customer_go_down_at_once_in_their_order(desk: Desk) -> None:
    assert burst(desk, *messages(desk)) == 2
    (conversation,) = {pointer.conversation for pointer in desk.store.due(now_ms=desk.clock.now_ms() + 10**9)}
    first, second = desk.store.inbounds(conversation)
    assert second.received_at_ms - first.received_at_ms == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"sender": Sender(phone=ANA)},
        {"sender": Sender()},
        {"phone_number_id": OTHER_NUMBER},
        {"kind": MessageKind.REACTION},
        {"kind": MessageKind.ECHO},
    ],
    ids=["of two customers", "of nobody", "to two numbers", "not all to be answered", "not all a customer's"],
)
def test_what_does_not_belong_together_is_left_to_be_recorded_alone(desk: Desk, changes: dict[str, Any]) -> None:
    assert burst(desk, *messages(desk, **changes)) == 0
    assert desk.store.requests == []


def test_a_burst_to_another_number_is_not_ours(desk: Desk) -> None:
    both = [replace(message, phone_number_id=OTHER_NUMBER) for message in messages(desk)]

    assert burst(desk, *both) == 0
    assert burst(desk, *both, phone_number_id="") == 2


def test_a_burst_of_nobody_is_not_recorded(desk: Desk) -> None:
    assert burst(desk, *(replace(message, sender=Sender()) for message in messages(desk))) == 0


def test_a_burst_that_names_both_ids_introduces_them(desk: Desk) -> None:
    known_by_both = Sender(phone=ANA, bsuid=ANAS_BSUID)

    assert burst(desk, *(replace(message, sender=known_by_both) for message in messages(desk))) == 2
    assert desk.store.head(of(desk, Sender(phone=ANA))).moved_to == of(desk, Sender(bsuid=ANAS_BSUID))


# Ids that change


def change(desk: Desk, previous: Sender, current: Sender, *, number: str = PHONE_NUMBER_ID) -> None:
    desk.intake.change_identity(IdentityChange(previous=previous, current=current, phone_number_id=number, at_ms=1))


def test_a_change_at_another_number_links_nobody(desk: Desk) -> None:
    change(desk, Sender(phone=ANA), Sender(phone="5511980000112"), number=OTHER_NUMBER)

    assert desk.store.requests == []


@pytest.mark.parametrize(
    ("previous", "current", "bsuid"),
    [
        (Sender(phone=ANA), Sender(phone="5511980000112", bsuid=ANAS_BSUID), ANAS_BSUID),
        (Sender(phone=ANA, bsuid=ANAS_BSUID), Sender(phone="5511980000112"), ANAS_BSUID),
        (Sender(bsuid="BR.7100000000000999"), Sender(bsuid=ANAS_BSUID), ANAS_BSUID),
        (Sender(phone=ANA), Sender(phone="5511980000112"), None),
    ],
    ids=["the new one", "the old one", "the newer of two", "none"],
)
def test_a_conversation_keeps_the_bsuid_that_a_change_names(
    desk: Desk, previous: Sender, current: Sender, bsuid: str | None
) -> None:
    pointer = desk.record(desk.message("oi", sender=previous))

    change(desk, previous, current)

    head = desk.store.head(pointer.conversation)
    assert head.bsuid == (None if bsuid is None else of(desk, Sender(bsuid=bsuid)))
    assert {desk.store.head(each).moved_to for each in head.aliases} == {pointer.conversation}
