"""Echoes, statuses, identity changes, faults and mixed bodies."""

from __future__ import annotations

from typing import Any

import pytest

from core.application.intake.inbound_batch import IdentityChange, Problem, ReportedFault
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.delivery import DeliveryStatus, SendFailure
from core.domain.errors import BadInputError
from core.domain.messages import Media, MessageKind, Sender
from tests.cases.webhook_files import RECEIVED_AT_MS, items_of, meta_webhook_names, webhook_bytes

NUMBER = "330000000000982"
T0_MS = 1_795_953_600_000
LARA = Sender(phone="5511980000101", bsuid="BR.7100000000000101", name="Lara Quintela")


def parse(name: str):
    return parse_webhook_body(webhook_bytes(name), received_at_ms=RECEIVED_AT_MS)


@pytest.mark.parametrize(
    ("name", "text", "media", "inner"),
    [
        ("smb_message_echo_human_sent", "Oi Lara, aqui é a Rebeca do comercial", None, "text"),
        (
            "echo_of_a_document",
            "segue a proposta",
            Media(media_id="9100000000000043", mime_type="application/pdf", filename="proposta.pdf"),
            "document",
        ),
    ],
)
def test_an_echo_is_the_business_speaking_in_the_customers_conversation(name, text, media, inner) -> None:
    (message,) = parse(name).messages

    assert (message.kind, message.sender, message.text, message.media) == (MessageKind.ECHO, LARA, text, media)
    assert message.details == {"type": inner}
    assert not message.opens_turn
    assert parse(name).problems == ()


def failed(failure: SendFailure, code: int, title: str) -> dict[str, Any]:
    return {"failure": failure, "error_code": code, "error_title": title}


@pytest.mark.parametrize(
    ("name", "status", "seconds", "rest"),
    [
        ("status_sent", "sent", 90, {}),
        ("status_delivered", "delivered", 92, {}),
        ("status_read", "read", 93, {}),
        ("status_played", "played", 121, {}),
        ("status_sent_with_callback", "sent", 120, {"callback": "1.0f3c.M#1795953600000#o1.1.2"}),
        ("status_failed_131026", "failed", 95, failed(SendFailure.RECIPIENT, 131026, "Message undeliverable")),
        ("status_failed_131047", "failed", 94, failed(SendFailure.WINDOW_OVER, 131047, "Re-engagement message")),
        (
            "status_failed_131049",
            "failed",
            96,
            failed(SendFailure.RECIPIENT, 131049, "Not delivered to maintain healthy ecosystem engagement"),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("status_") else "",
)
def test_a_status_says_what_became_of_our_message(name, status, seconds, rest) -> None:
    batch = parse(name)

    (item,) = items_of(name, "statuses")
    at_ms = T0_MS + seconds * 1000
    assert batch.statuses == (
        DeliveryStatus(provider_id=item["id"], status=status, at_ms=at_ms, phone_number_id=NUMBER, **rest),
    )
    assert (batch.messages, batch.problems) == ((), ())


OLD_BIA, NEW_BIA = Sender(bsuid="BR.7100000000000505"), Sender(bsuid="BR.7100000000000599")
OLD_DAVI, NEW_DAVI_PHONE = Sender(phone="5584980000202"), Sender(phone="5584980000299")
NEW_DAVI = Sender(phone="5584980000299", bsuid="BR.7100000000000299")


@pytest.mark.parametrize(
    ("name", "previous", "current", "seconds"),
    [
        ("system_user_changed_number", OLD_DAVI, NEW_DAVI, 80),
        (
            "system_changed_number_with_previous_user_id",
            Sender(phone="5584980000202", bsuid="BR.7100000000000202"),
            NEW_DAVI,
            110,
        ),
        ("system_legacy_customer_changed_number", OLD_DAVI, NEW_DAVI_PHONE, 111),
        ("system_user_changed_user_id", OLD_BIA, NEW_BIA, 108),
        ("system_user_changed_user_id_body_only", OLD_BIA, NEW_BIA, 109),
    ],
)
def test_a_system_message_links_the_old_identity_to_the_new(name, previous, current, seconds) -> None:
    batch = parse(name)

    at_ms = T0_MS + seconds * 1000
    change = IdentityChange(previous=previous, current=current, phone_number_id=NUMBER, at_ms=at_ms)
    assert batch.identity_changes == (change,)
    assert [(m.kind, m.sender) for m in batch.messages] == [(MessageKind.SYSTEM, previous)]
    assert batch.problems == ()


def test_the_user_id_field_of_early_2026_links_identities_without_a_message() -> None:
    batch = parse("field_user_id_update")

    current = Sender(phone="5531980000599", bsuid="BR.7100000000000599")
    assert batch.identity_changes == (
        IdentityChange(previous=OLD_BIA, current=current, phone_number_id=NUMBER, at_ms=T0_MS + 113_000),
    )
    assert (batch.messages, batch.problems) == ((), ())


def test_a_changed_security_code_is_no_change_of_identity() -> None:
    assert parse("system_security_code_changed").identity_changes == ()


def test_faults_that_meta_reports_are_kept_with_their_codes() -> None:
    assert parse("value_level_errors").faults == (
        ReportedFault(code=130429, title="Rate limit hit", phone_number_id=NUMBER),
        ReportedFault(code=0, title="AuthException", phone_number_id=NUMBER),
    )


@pytest.mark.parametrize(
    ("name", "field"),
    [("field_template_status_update", "message_template_status_update"), ("field_nobody_knows", "calls")],
)
def test_a_field_that_is_not_ours_is_acknowledged_and_told(name: str, field: str) -> None:
    batch = parse(name)

    assert batch.problems == (Problem(reason="field_ignored", path="entry[0].changes[0]", detail=field),)
    assert batch.messages == ()


def test_a_mixed_body_yields_everything_in_its_order_to_the_right_person_and_number() -> None:
    batch = parse("mixed_everything")

    assert [(m.kind.value, m.sender.name, m.text, m.phone_number_id) for m in batch.messages] == [
        ("text", "Davi Mourão", "primeiro do Davi", NUMBER),
        ("text", "Lara Quintela", "da Lara", NUMBER),
        ("text", "Davi Mourão", "segundo do Davi", NUMBER),
        ("echo", "Lara Quintela", "aqui é do comercial", NUMBER),
        ("text", "Noá Peçanha 🌵", "para o outro número", "330000000000999"),
    ]
    assert [(s.status, s.error_code) for s in batch.statuses] == [("read", None), ("failed", 131049)]
    assert [fault.code for fault in batch.faults] == [131000]
    assert [(problem.reason, problem.path) for problem in batch.problems] == [
        ("status_unknown", "entry[0].changes[0].statuses[1]"),
        ("field_ignored", "entry[0].changes[1]"),
    ]


def test_a_body_read_twice_is_the_same_batch() -> None:
    assert [name for name in meta_webhook_names() if parse(name) != parse(name)] == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "body_not_json"),
        (b"oi", "body_not_json"),
        (b"[]", "body_not_object"),
        (b'"texto"', "body_not_object"),
        (b"{}", "not_a_webhook_body"),
        (b'{"object":"page","entry":[]}', "object_not_whatsapp"),
        (b'{"object":"instagram"}', "object_not_whatsapp"),
        (b"[" * 100_000, "body_not_json"),
        (webhook_bytes("provider_zapi_text"), "not_a_webhook_body"),
        (webhook_bytes("provider_evolution_audio"), "not_a_webhook_body"),
    ],
    ids=["empty", "prose", "array", "string", "no keys", "page", "instagram", "endless", "z-api", "evolution"],
)
def test_what_is_no_body_of_whatsapps_is_bad_input(body: bytes, reason: str) -> None:
    with pytest.raises(BadInputError) as raised:
        parse_webhook_body(body, received_at_ms=RECEIVED_AT_MS)
    assert raised.value.reason == reason
