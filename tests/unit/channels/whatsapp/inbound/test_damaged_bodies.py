"""What a body with something missing, wrong, huge or nested still yields."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.messages import InboundMessage, MessageKind, Sender
from tests.cases.webhook_files import RECEIVED_AT_MS, webhook_json

LARA = {"profile": {"name": "Lara"}, "wa_id": "5511980000101", "user_id": "BR.101"}
DAVI = {"profile": {"name": "Davi"}, "wa_id": "5584980000202", "user_id": "BR.202"}


def parse(message: Any, contacts: Any = None):
    value = {
        "metadata": {"phone_number_id": "330"},
        "contacts": [LARA] if contacts is None else contacts,
        "messages": [message],
    }
    body = {"object": "whatsapp_business_account", "entry": [{"changes": [{"field": "messages", "value": value}]}]}
    return parse_webhook_body(json.dumps(body), received_at_ms=RECEIVED_AT_MS)


def text(**changes: Any) -> dict[str, Any]:
    item = {
        "from": "5511980000101",
        "from_user_id": "BR.101",
        "id": "wamid.1",
        "timestamp": "1795953600",
        "type": "text",
        "text": {"body": "oi"},
    } | changes
    return {key: value for key, value in item.items() if value is not ...}


def only(message: Any, contacts: Any = None) -> InboundMessage:
    (found,) = parse(message, contacts).messages
    return found


def reasons(message: Any, contacts: Any = None) -> list[str]:
    return [problem.reason for problem in parse(message, contacts).problems]


@pytest.mark.parametrize(
    "timestamp",
    [..., None, "", "ontem", "0", -5, True, "99999999999", 10**40, 1e300, [], {}, "1230767999"],
    ids=str,
)
def test_a_time_that_cannot_be_believed_is_the_time_of_receipt(timestamp: Any) -> None:
    assert only(text(timestamp=timestamp)).sent_at_ms == RECEIVED_AT_MS
    assert only(text(timestamp=timestamp)).undated
    assert reasons(text(timestamp=timestamp)) == ["timestamp_unusable"]


def test_a_message_without_id_gets_the_same_id_each_time_and_another_one_gets_another() -> None:
    first, again = only(text(id=...)), only(text(id=...))
    other = only(text(id=..., text={"body": "outra coisa"}))

    assert first.provider_id == again.provider_id
    assert first.provider_id != other.provider_id
    assert reasons(text(id="")) == ["id_missing"]


@pytest.mark.parametrize(
    ("sent", "contacts", "expected"),
    [
        ({}, [LARA], Sender(phone="5511980000101", bsuid="BR.101", name="Lara")),
        ({}, [DAVI, LARA], Sender(phone="5511980000101", bsuid="BR.101", name="Lara")),
        ({}, [DAVI], Sender(phone="5511980000101", bsuid="BR.101")),
        ({}, [], Sender(phone="5511980000101", bsuid="BR.101")),
        ({"from_user_id": ...}, [DAVI, LARA], Sender(phone="5511980000101", bsuid="BR.101", name="Lara")),
        ({"from": ""}, [DAVI, LARA], Sender(phone="5511980000101", bsuid="BR.101", name="Lara")),
        ({"from": "BR.101", "from_user_id": ""}, [{"user_id": "BR.101"}], Sender(bsuid="BR.101")),
        ({"from": "BR.101"}, [{"wa_id": "BR.101"}], Sender(bsuid="BR.101")),
        ({"from": ..., "from_user_id": ...}, [LARA], Sender(phone="5511980000101", bsuid="BR.101", name="Lara")),
        ({"from_user_id": "not an id"}, [], Sender(phone="5511980000101")),
        ({"from": ..., "from_user_id": "opaque-1"}, [], Sender(bsuid="opaque-1")),
        ({"from": 5511980000101, "from_user_id": 7}, [], Sender(phone="5511980000101")),
        (
            {},
            [{"profile": {"username": "@lara"}, "user_id": "BR.101"}],
            Sender(phone="5511980000101", bsuid="BR.101", name="@lara"),
        ),
    ],
    ids=[
        "own contact",
        "second of two contacts",
        "somebody else's contact",
        "no contacts",
        "bsuid from the contact by phone",
        "phone from the contact by bsuid",
        "bsuid where the phone was",
        "bsuid in both places",
        "nobody but the only contact",
        "user id of no known form beside a phone",
        "user id of no known form alone",
        "numbers for strings",
        "username for a name",
    ],
)
def test_the_sender_is_completed_by_their_own_contact_and_by_no_other(sent, contacts, expected) -> None:
    assert only(text(**sent), contacts).sender == expected


def test_a_message_of_nobody_is_a_problem_because_it_has_no_conversation() -> None:
    batch = parse(text(**{"from": ..., "from_user_id": ...}), contacts=[])

    assert batch.messages == ()
    assert [problem.reason for problem in batch.problems] == ["sender_missing"]


@pytest.mark.parametrize(
    ("sent", "kind", "said"),
    [
        ({"type": ...}, MessageKind.TEXT, "oi"),
        ({"type": "future_text"}, MessageKind.TEXT, "oi"),
        ({"type": 5}, MessageKind.TEXT, "oi"),
        ({"text": "oi"}, MessageKind.TEXT, "oi"),
        ({"type": ..., "text": ..., "image": {"id": "m1", "caption": "c"}}, MessageKind.IMAGE, "c"),
        ({"type": ..., "text": ..., "errors": [{"code": 131051}]}, MessageKind.UNSUPPORTED, ""),
        ({"type": ..., "text": ...}, MessageKind.UNKNOWN, ""),
        ({"text": ...}, MessageKind.UNKNOWN, ""),
        ({"text": {"body": 12}}, MessageKind.TEXT, "12"),
        ({"text": {"body": ["a"]}}, MessageKind.UNKNOWN, ""),
        ({"text": {"body": "   "}}, MessageKind.UNKNOWN, ""),
        ({"type": "button", "button": {"payload": "SIM"}}, MessageKind.BUTTON, "SIM"),
        ({"type": "location", "location": {"latitude": "x", "longitude": None}}, MessageKind.UNKNOWN, ""),
        (
            {"type": "location", "location": {"latitude": True, "address": "Rua A"}},
            MessageKind.LOCATION,
            "Localização: Rua A",
        ),
        ({"type": "contacts", "contacts": [{"name": {}}, 5]}, MessageKind.UNKNOWN, ""),
        ({"type": "order", "order": {"product_items": [{"quantity": 1}]}}, MessageKind.UNKNOWN, ""),
        ({"type": "edit", "edit": {"message": {"type": "edit"}}}, MessageKind.EDIT, ""),
    ],
    ids=str,
)
def test_words_are_found_where_they_are_and_nothing_is_made_of_none(sent, kind, said) -> None:
    message = only(text(**sent))

    assert (message.kind, message.text) == (kind, said)


@pytest.mark.parametrize("media", [..., None, {}, {"id": ""}, {"id": []}, "m1"], ids=str)
def test_media_without_an_id_is_still_known_for_what_it_is(media: Any) -> None:
    message = only(text(type="image", text=..., image=media))

    assert (message.kind, message.media, message.opens_turn) == (MessageKind.IMAGE, None, True)
    assert reasons(text(type="image", text=..., image=media)) == ["media_id_missing"]


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (
            '{"flow_token":"x","a":{"b":true,"c":[1,2.5,"z"]},"d":null}',
            "Formulário respondido: a.b: sim; a.c: 1, 2.5, z",
        ),
        ({"nome": "Ana"}, "Formulário respondido: nome: Ana"),
        ("[1]", "Formulário respondido: resposta: [1]"),
        ("livre", "Formulário respondido: resposta: livre"),
        ('{"flow_token":"x"}', "Sent"),
        (None, "Sent"),
        ("[" * 5000, "Formulário respondido: resposta: " + "[" * 3967),
    ],
    ids=["nested", "object", "array", "prose", "only the token", "absent", "endless"],
)
def test_a_form_is_told_field_by_field(response: Any, said: str) -> None:
    form = {"type": "nfm_reply", "nfm_reply": {"name": "flow", "body": "Sent", "response_json": response}}

    assert only(text(type="interactive", text=..., interactive=form)).text == said


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("olá \ud83d\ude00", "olá 😀"),
        ("meio \ud83d", "meio \ufffd"),
        ("\udc00\ud83d", "\ufffd\ufffd"),
        ("a\x00b", "ab"),
    ],
    ids=["pair", "half", "reversed", "nul"],
)
def test_text_can_always_be_stored(raw: str, kept: str) -> None:
    assert only(text(text={"body": raw})).text == kept
    only(text(text={"body": raw})).text.encode()


def test_a_text_of_100_kb_is_kept_whole_and_one_that_no_table_can_hold_is_cut_and_told() -> None:
    long, endless = "água " * 20_000, "ç" * 1_000_000

    assert only(text(text={"body": long})).text == long
    assert len(only(text(text={"body": endless})).text.encode()) <= 250_000
    assert reasons(text(text={"body": endless})) == ["text_cut"]


@pytest.mark.parametrize(
    "deep", ["[" * 3000 + "]" * 3000, '{"a":' * 3000 + "1" + "}" * 3000], ids=["arrays", "objects"]
)
def test_a_part_nested_without_end_costs_only_itself(deep: str) -> None:
    body = json.dumps(webhook_json("mixed_everything")).replace('"da Lara"', deep, 1)

    batch = parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS)

    assert [m.text for m in batch.messages] == [
        "primeiro do Davi",
        "",
        "segundo do Davi",
        "aqui é do comercial",
        "para o outro número",
    ]
    assert len(batch.statuses) == 2


def test_an_integer_of_five_thousand_digits_costs_only_itself() -> None:
    body = json.dumps(webhook_json("mixed_everything")).replace('"1795953732"', "9" * 5000, 1)

    batch = parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS)

    assert [m.sent_at_ms for m in batch.messages][1] == RECEIVED_AT_MS
    assert len(batch.messages) == 5


@pytest.mark.parametrize("missing", ["object", "field", "metadata", "contacts"])
def test_without_what_frames_it_a_message_is_still_read(missing: str) -> None:
    body = webhook_json("text_simple")
    change = body["entry"][0]["changes"][0]
    for holder in (body, change, change["value"]):
        holder.pop(missing, None)

    (message,) = parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS).messages

    assert message.text == "Oi! Vocês fazem análise de água de poço?"
    assert message.phone_number_id == ("" if missing == "metadata" else "330000000000982")


def test_bytes_that_are_no_utf8_cost_a_character_and_not_the_body() -> None:
    body = json.dumps(webhook_json("text_simple"), ensure_ascii=False).encode().replace("água".encode(), b"\xe1gua")

    (message,) = parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS).messages

    assert "\ufffdgua" in message.text


@pytest.mark.parametrize("value", [None, 5, "x", [], {"code": 1}, [None, 5, "x", []]], ids=str)
def test_lists_that_are_no_lists_are_problems(value: Any) -> None:
    body = webhook_json("text_simple")
    body["entry"][0]["changes"][0]["value"] |= {"statuses": value, "errors": value}

    batch = parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS)

    assert len(batch.messages) == 1


def test_no_problem_carries_what_a_customer_wrote() -> None:
    batch = parse(text(type="Meu CPF é 123"))

    assert [(p.reason, p.detail) for p in parse(text(type="Meu CPF é 123", text=...)).problems] == [
        ("type_unknown", "")
    ]
    assert "CPF" not in str(batch.problems)
