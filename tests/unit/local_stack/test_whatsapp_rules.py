"""The WhatsApp stand-in takes what Meta takes and refuses what Meta refuses."""

from __future__ import annotations

from typing import Any

import pytest

from local_stack.whatsapp_rules import RefusedError, check_message, http_status_of

TO = {"messaging_product": "whatsapp", "to": "5531980000303"}
TEXT = {**TO, "type": "text", "text": {"body": "Oi!"}}


def text_of(length: int) -> dict[str, Any]:
    return {**TO, "type": "text", "text": {"body": "a" * length}}


def buttons(*titles: str, body: str = "Escolha") -> dict[str, Any]:
    replies = [{"type": "reply", "reply": {"id": f"b{number}", "title": title}} for number, title in enumerate(titles)]
    return {
        **TO,
        "type": "interactive",
        "interactive": {"type": "button", "body": {"text": body}, "action": {"buttons": replies}},
    }


def rows(count: int, *, title: str = "Água") -> dict[str, Any]:
    section = {"rows": [{"id": f"r{number}", "title": title} for number in range(count)]}
    action = {"button": "Serviços", "sections": [section]}
    return {
        **TO,
        "type": "interactive",
        "interactive": {"type": "list", "body": {"text": "Escolha"}, "action": action},
    }


TAKEN = {
    "a text": TEXT,
    "a text without a type": {**TO, "text": {"body": "Oi!"}},
    "the longest text": text_of(4096),
    "a reply": {**TEXT, "context": {"message_id": "wamid.1"}},
    "the longest callback data": {**TEXT, "biz_opaque_callback_data": "x" * 512},
    "a person without a phone": {
        "messaging_product": "whatsapp",
        "recipient": "BR.7100000000000101",
        "text": {"body": "Oi"},
    },
    "a read mark": {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.1"},
    "a read mark that types": {
        "messaging_product": "whatsapp",
        "status": "read",
        "message_id": "wamid.1",
        "typing_indicator": {"type": "text"},
    },
    "three buttons": buttons("a", "b", "c" * 20),
    "ten rows": rows(10),
    "a picture by link": {**TO, "type": "image", "image": {"link": "https://x.example/a.png", "caption": "a" * 1024}},
    "a document by id": {**TO, "type": "document", "document": {"id": "1", "filename": "a" * 240, "caption": "oi"}},
    "a template": {**TO, "type": "template", "template": {"name": "retorno", "language": {"code": "pt_BR"}}},
}

REFUSED = {
    "a list": ([], 100),
    "another product": ({**TEXT, "messaging_product": "messenger"}, 100),
    "no recipient": ({"messaging_product": "whatsapp", "text": {"body": "Oi"}}, 131008),
    "a recipient that is no number": ({**TEXT, "to": "lara"}, 131009),
    "an unknown type": ({**TO, "type": "poll", "poll": {}}, 100),
    "a type that is no word": ({**TO, "type": ["text"]}, 100),
    "a text without a body": ({**TO, "type": "text", "text": {}}, 131008),
    "an empty text": ({**TO, "type": "text", "text": {"body": " "}}, 131009),
    "a text too long": (text_of(4097), 100),
    "callback data too long": ({**TEXT, "biz_opaque_callback_data": "x" * 513}, 100),
    "a reply to nothing": ({**TEXT, "context": {}}, 131009),
    "four buttons": (buttons("a", "b", "c", "d"), 131009),
    "a button title too long": (buttons("a" * 21), 100),
    "an interactive body too long": (buttons("a", body="a" * 1025), 100),
    "eleven rows": (rows(11), 131009),
    "a row title too long": (rows(1, title="a" * 25), 100),
    "a caption too long": ({**TO, "type": "image", "image": {"id": "1", "caption": "a" * 1025}}, 100),
    "a voice note with a caption": ({**TO, "type": "audio", "audio": {"id": "1", "caption": "oi"}}, 131009),
    "a picture with a name": ({**TO, "type": "image", "image": {"id": "1", "filename": "a.png"}}, 100),
    "a name too long": ({**TO, "type": "document", "document": {"id": "1", "filename": "a" * 241}}, 100),
    "a picture without a source": ({**TO, "type": "image", "image": {}}, 131009),
    "a mark that is not read": ({"messaging_product": "whatsapp", "status": "delivered"}, 100),
    "a read mark of nothing": ({"messaging_product": "whatsapp", "status": "read"}, 131009),
}


@pytest.mark.parametrize("body", TAKEN.values(), ids=TAKEN)
def test_what_meta_takes_is_taken(body: dict[str, Any]) -> None:
    assert check_message(body) == body


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
def test_what_meta_refuses_is_refused_with_its_code(body: Any, code: int) -> None:
    with pytest.raises(RefusedError) as refused:
        check_message(body)

    assert refused.value.code == code


@pytest.mark.parametrize(
    ("code", "status"),
    [(190, 401), (200, 403), (299, 403), (131000, 500), (131056, 400), (130429, 400)],
    ids=["token", "first permission", "last permission", "unspecified", "pair limit", "rate limit"],
)
def test_an_error_code_comes_with_its_http_status(code: int, status: int) -> None:
    assert http_status_of(code) == status
