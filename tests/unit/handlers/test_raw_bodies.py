"""Bodies that come another way: raw ones on the queue, and End User Messaging's through SNS."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.domain.conversation import Mode
from core.domain.delivery import DeliveryRank
from core.domain.errors import BadInputError, IntegrationError
from handlers import webhook
from handlers.queue_records import pointers_of, read_record
from tests.cases.webhook_files import webhook_bytes, webhook_json
from tests.desk import Desk
from tests.door import Door, status_body, text_body

HELLO = '{"s":1}Olá! Como posso ajudar?'


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(monkeypatch, Desk(*[HELLO] * 4))


# On the queue


def queued(door: Door, body: bytes | dict[str, Any]) -> list[str]:
    """What the process function makes of a record with this body."""
    text = body.decode() if isinstance(body, bytes) else json.dumps(body)
    record = read_record({"messageId": "1", "body": text, "attributes": {"MessageGroupId": "g"}})
    pointers = pointers_of(record, batches=door.batches, clock=door.desk.clock)
    return [door.desk.process(pointer).outcome.value for pointer in pointers]


def test_a_raw_body_is_recorded_and_answered(door: Door) -> None:
    assert queued(door, text_body("oi")) == ["answered"]
    assert door.desk.replies == ["Olá! Como posso ajudar?"]


@pytest.mark.parametrize("missing", [["timestamp"], ["timestamp", "id"]], ids=["time", "time and id"])
def test_a_message_without_a_time_that_comes_three_times_is_answered_once(door: Door, missing: list[str]) -> None:
    body = text_body("oi")
    message = body["entry"][0]["changes"][0]["value"]["messages"][0]
    for name in missing:
        del message[name]

    outcomes = []
    for _ in range(3):
        outcomes += queued(door, body)
        door.desk.clock.advance(minutes=7)

    assert outcomes == ["answered", "already_answered", "already_answered"]
    assert door.desk.replies == ["Olá! Como posso ajudar?"]


def test_statuses_of_a_raw_body_are_written(door: Door) -> None:
    queued(door, text_body("oi"))
    callback = door.desk.sender.arrived[0].callback

    assert queued(door, status_body("read", callback=callback)) == []
    (part,) = door.desk.store.parts(door.desk.conversation)
    assert part.rank is DeliveryRank.READ


def test_a_failed_status_of_a_raw_body_reaches_people(door: Door) -> None:
    queued(door, text_body("oi"))
    callback = door.desk.sender.arrived[0].callback

    assert queued(door, status_body("failed", callback=callback, code=131026)) == ["handoff"]


def test_an_echo_of_a_raw_body_pauses_the_bot(door: Door) -> None:
    assert queued(door, webhook_bytes("smb_message_echo_human_sent")) == []
    assert {head.mode for head in door.heads().values()} == {Mode.HUMAN}


def test_an_identity_change_of_a_raw_body_links_the_conversation(door: Door) -> None:
    queued(door, text_body("antes", phone="5584980000202", user_id=None))
    queued(door, webhook_bytes("system_user_changed_number"))

    assert door.conversation(phone="5584980000299") == door.conversation(phone="5584980000202")
    assert door.conversation(bsuid="BR.7100000000000299") == door.conversation(phone="5584980000202")


def test_a_raw_body_of_which_a_part_failed_comes_again(door: Door) -> None:
    door.desk.store.fail_next("record", IntegrationError("lost"))

    with pytest.raises(IntegrationError):
        queued(door, text_body("oi"))

    assert queued(door, text_body("oi")) == ["answered"]


@pytest.mark.parametrize("body", ["", "{}", "[]", '{"v":1}', '{"object":"page"}', "texto"])
def test_a_record_that_is_none_of_these_is_bad_input(door: Door, body: str) -> None:
    with pytest.raises(BadInputError):
        queued(door, body.encode())


# Through SNS


def social(*entries: Any, shape: str = "sns") -> dict[str, Any]:
    """The SNS event in which End User Messaging wraps Meta's entry."""
    records = [
        {
            "EventSource": "aws:sns",
            "Sns": {
                "Message": json.dumps(
                    {
                        "context": {"MetaPhoneNumberIds": [{"metaPhoneNumberId": "330000000000982"}]},
                        "whatsAppWebhookEntry": json.dumps(entry),
                    }
                )
            },
        }
        for entry in entries
    ]
    return {"Records": records} if shape == "sns" else records[0]


def entry_of(body: dict[str, Any]) -> Any:
    return body["entry"][0]


def test_an_event_of_end_user_messaging_is_recorded_and_enqueued(door: Door) -> None:
    webhook.social_handler(social(entry_of(text_body("oi")), entry_of(text_body("tudo bem?"))), None)

    assert len(door.queue.taken) == 2
    assert door.process_all() == ["answered", "already_answered"]


@pytest.mark.parametrize("name", ["text_simple", "image_caption", "smb_message_echo_human_sent", "status_read"])
def test_it_yields_what_the_http_door_yields(door: Door, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    other = Door(monkeypatch, Desk(HELLO))
    other.post(webhook_bytes(name))
    monkeypatch.setattr(webhook, "dependencies", lambda: door.dependencies)

    webhook.social_handler(social(entry_of(webhook_json(name))), None)

    assert (door.recorded(), len(door.queue.taken)) == (other.recorded(), len(other.queue.taken))


def test_an_item_that_failed_makes_sns_bring_the_event_again_and_costs_no_other(door: Door) -> None:
    event = social(entry_of(webhook_json("mixed_everything")))
    door.desk.store.fail_next("record", IntegrationError("lost"))

    with pytest.raises(IntegrationError):
        webhook.social_handler(event, None)
    assert len(door.queue.taken) == 2

    webhook.social_handler(event, None)


@pytest.mark.parametrize("event", [{}, {"Records": []}, {"Records": [{"Sns": {"Message": "texto"}}]}, {"Sns": None}])
def test_an_event_that_nobody_can_read_is_not_brought_again(door: Door, event: dict[str, Any]) -> None:
    webhook.social_handler(event, None)

    assert door.desk.store.requests == []
