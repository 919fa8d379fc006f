"""End User Messaging hands on what Meta said, an envelope or two deeper."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.channels.whatsapp.inbound.social_event import is_social_event, parse_social_event
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.errors import BadInputError
from tests.cases.webhook_files import RECEIVED_AT_MS, meta_webhook_names, webhook_json


def social_message(name: str, *, strip_metadata: bool = False) -> dict[str, Any]:
    entry = webhook_json(name)["entry"][0]
    if strip_metadata:
        for change in entry["changes"]:
            change["value"].pop("metadata", None)
    return {
        "context": {
            "MetaWabaIds": [{"wabaId": "210000000000451", "arn": "arn:aws:social-messaging:sa-east-1:1:waba/f"}],
            "MetaPhoneNumberIds": [{"metaPhoneNumberId": "330000000000982", "arn": "arn:aws:social-messaging:x"}],
        },
        "whatsAppWebhookEntry": json.dumps(entry),
        "aws_account_id": "123456789012",
        "message_timestamp": "2026-11-29T12:00:01.271279391Z",
        "messageId": "6d69f07a-0000-4000-8000-000000000000",
    }


def sns_event(*messages: Any) -> dict[str, Any]:
    return {
        "Records": [
            {"EventSource": "aws:sns", "EventVersion": "1.0", "Sns": {"Type": "Notification", "Message": message}}
            for message in messages
        ]
    }


def parse(event: Any):
    return parse_social_event(event, received_at_ms=RECEIVED_AT_MS)


def test_an_event_yields_what_the_same_webhook_body_yields() -> None:
    for name in set(meta_webhook_names()) - {"mixed_everything"}:
        expected = parse_webhook_body(webhook_json(name), received_at_ms=RECEIVED_AT_MS)

        assert parse(sns_event(json.dumps(social_message(name)))) == expected, name


MESSAGE = social_message("text_simple")
WRAPPINGS: dict[str, Any] = {
    "bare message": MESSAGE,
    "bare message as text": json.dumps(MESSAGE),
    "bytes": json.dumps(MESSAGE).encode(),
    "sns envelope from a queue": {"Type": "Notification", "Message": json.dumps(MESSAGE)},
    "one sns record": sns_event(json.dumps(MESSAGE))["Records"][0],
    "lambda event": sns_event(json.dumps(MESSAGE)),
    "message already read": sns_event(MESSAGE),
    "entry already read": {**MESSAGE, "whatsAppWebhookEntry": json.loads(MESSAGE["whatsAppWebhookEntry"])},
    "entries as a list": {**MESSAGE, "whatsAppWebhookEntry": [json.loads(MESSAGE["whatsAppWebhookEntry"])]},
    "whole body in the entry": {**MESSAGE, "whatsAppWebhookEntry": json.dumps(webhook_json("text_simple"))},
}


@pytest.mark.parametrize("wrapping", WRAPPINGS, ids=str)
def test_the_message_is_found_in_every_wrapping(wrapping: str) -> None:
    event = WRAPPINGS[wrapping]

    assert [m.text for m in parse(event).messages] == ["Oi! Vocês fazem análise de água de poço?"]
    assert not isinstance(event, dict) or is_social_event(event)


def test_the_number_is_taken_from_the_header_when_the_entry_does_not_say() -> None:
    (message,) = parse(social_message("text_simple", strip_metadata=True)).messages

    assert message.phone_number_id == "330000000000982"


def test_with_several_numbers_in_the_header_none_is_guessed() -> None:
    event = social_message("text_simple", strip_metadata=True)
    event["context"]["MetaPhoneNumberIds"] *= 2

    batch = parse(event)

    assert batch.messages[0].phone_number_id == ""
    assert "phone_number_id_missing" in [problem.reason for problem in batch.problems]


@pytest.mark.parametrize("broken", ["", "not json", "{}", None, 5, '{"whatsAppWebhookEntry": "{"}'], ids=str)
def test_a_broken_record_costs_no_other_record(broken: Any) -> None:
    batch = parse(sns_event(broken, json.dumps(MESSAGE)))

    assert len(batch.messages) == 1
    assert batch.problems[0].path == "Records[0]"


@pytest.mark.parametrize("event", [{}, {"Records": []}, {"Message": "x"}, sns_event("x"), "[]", b"oi"], ids=str)
def test_what_holds_no_event_at_all_is_bad_input(event: Any) -> None:
    with pytest.raises(BadInputError):
        parse(event)


@pytest.mark.parametrize(
    "event", [{}, {"object": "whatsapp_business_account", "entry": []}, {"Records": [{"body": "x"}]}], ids=str
)
def test_other_events_are_not_taken_for_social_ones(event: dict[str, Any]) -> None:
    assert not is_social_event(event)
