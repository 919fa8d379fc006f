"""Each body of one message yields exactly what docs/whatsapp.md says of its type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.intake.inbound_batch import Problem
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.domain.messages import InboundMessage, Media, MessageKind, Sender
from tests.cases.webhook_files import RECEIVED_AT_MS, items_of, webhook_bytes

LARA = Sender(phone="5511980000101", bsuid="BR.7100000000000101", name="Lara Quintela")
DAVI = Sender(phone="5584980000202", bsuid="BR.7100000000000202", name="Davi Mourão")
IURI = Sender(phone="553180000303", bsuid="BR.7100000000000303", name="Iuri Bragança")
NOA = Sender(phone="5521980000404", bsuid="BR.7100000000000404", name="Noá Peçanha 🌵")
BIA = Sender(bsuid="BR.7100000000000505", name="Bia")

TO_LARA = "wamid.HBgNNTUxMTk4MDAwMDEwMRUCABEYE"
TO_DAVI = "wamid.HBgNNTU4NDk4MDAwMDIwMhUCABEYE"
FROM_LARA = "wamid.HBgNNTUxMTk4MDAwMDEwMRUCABIYF"

OGG = "audio/ogg; codecs=opus"
AD = {
    "ad_source_type": "ad",
    "ad_source_id": "120000000000000777",
    "ad_source_url": "https://fb.me/exemploAd",
    "ad_click_id": "ARfake-clid_0001",
}
PIN = "Localização: Laboratório Fictício | Av. Inventada, 100 - Natal, RN | -5.8000001, -35.2000002"
CARD = "Contato: Téo Compras, Indústria Fictícia Ltda, +55 11 98000-0909, teo@example.com"
ORDER = (
    "Pedido pelo catálogo:\n- 2 x kit-agua-01 (BRL 150.00 cada)\n- 1 x frasco-esteril (BRL 12.50 cada)\n"
    "entregar na portaria"
)


def media(media_id: str, mime_type: str, filename: str | None = None) -> Media:
    return Media(media_id=media_id, mime_type=mime_type, filename=filename)


Row = tuple[str, MessageKind, Sender, int, dict[str, Any]]

# body, kind, sender, seconds after T0, what else is set
TABLE: list[Row] = [
    ("text_simple", MessageKind.TEXT, LARA, 0, {"text": "Oi! Vocês fazem análise de água de poço?"}),
    (
        "text_reply_context",
        MessageKind.TEXT,
        LARA,
        30,
        {"text": "Essa opção mesmo", "quoted_id": f"{TO_LARA}kRFMkQ5MURDMEEyNTgwNDE0RQA="},
    ),
    ("text_forwarded", MessageKind.TEXT, DAVI, 40, {"text": "Promoção encaminhada", "details": {"forwarded": "true"}}),
    (
        "text_frequently_forwarded",
        MessageKind.TEXT,
        NOA,
        116,
        {"text": "corrente", "details": {"frequently_forwarded": "true"}},
    ),
    ("text_emoji_zwj_flag", MessageKind.TEXT, NOA, 42, {"text": "Família 👨‍👩‍👧‍👦 de 🇧🇷 aprovou 👍🏾!"}),
    ("text_br_without_ninth_digit", MessageKind.TEXT, IURI, 44, {"text": "Meu zap veio sem o nono dígito"}),
    ("text_raw_meta_escaped", MessageKind.TEXT, NOA, 130, {"text": "Ação/orçamento: ótimo 👍 a@b.co"}),
    ("text_username_phone_empty_string", MessageKind.TEXT, BIA, 83, {"text": "oi de novo"}),
    ("text_username_phone_omitted", MessageKind.TEXT, BIA, 104, {"text": "vocês atendem sábado?"}),
    ("text_username_id_in_phone_place", MessageKind.TEXT, BIA, 105, {"text": "sou eu de novo"}),
    ("timestamp_as_number", MessageKind.TEXT, LARA, 107, {"text": "número e não texto"}),
    (
        "timestamp_in_milliseconds",
        MessageKind.TEXT,
        LARA,
        106,
        {"text": "chegou em milissegundos", "sent_at_ms": 1_795_953_706_250},
    ),
    ("stale_message_six_days_old", MessageKind.TEXT, LARA, -518_400, {"text": "ainda dá tempo?"}),
    ("group_text", MessageKind.TEXT, DAVI, 102, {"text": "alguém sabe o endereço?", "group_id": "120363000000000001"}),
    (
        "image_caption",
        MessageKind.IMAGE,
        LARA,
        50,
        {"text": "Laudo antigo / página 1", "media": media("9100000000000001", "image/jpeg")},
    ),
    ("image_no_caption", MessageKind.IMAGE, LARA, 51, {"media": media("9100000000000002", "image/jpeg")}),
    ("audio_voice_note", MessageKind.AUDIO, DAVI, 52, {"media": media("9100000000000003", OGG)}),
    (
        "audio_file_forwarded",
        MessageKind.AUDIO,
        DAVI,
        53,
        {"media": media("9100000000000004", "audio/mpeg"), "details": {"forwarded": "true"}},
    ),
    ("legacy_voice_type", MessageKind.AUDIO, DAVI, 103, {"media": media("9100000000000041", OGG)}),
    (
        "document_pdf",
        MessageKind.DOCUMENT,
        LARA,
        54,
        {"text": "segue", "media": media("9100000000000005", "application/pdf", "Relação de amostras nº 7.pdf")},
    ),
    (
        "video_caption",
        MessageKind.VIDEO,
        DAVI,
        55,
        {"text": "o ponto de coleta", "media": media("9100000000000006", "video/mp4")},
    ),
    ("sticker", MessageKind.STICKER, NOA, 56, {"media": media("9100000000000007", "image/webp")}),
    (
        "location_pin",
        MessageKind.LOCATION,
        DAVI,
        57,
        {"text": PIN, "details": {"latitude": "-5.8000001", "longitude": "-35.2000002"}},
    ),
    (
        "location_current",
        MessageKind.LOCATION,
        DAVI,
        58,
        {"text": "Localização: -5.81, -35.21", "details": {"latitude": "-5.81", "longitude": "-35.21"}},
    ),
    ("contacts_card", MessageKind.CONTACTS, LARA, 59, {"text": CARD}),
    ("order_catalog", MessageKind.ORDER, LARA, 100, {"text": ORDER, "details": {"catalog_id": "550000000000111"}}),
    (
        "interactive_button_reply",
        MessageKind.INTERACTIVE,
        LARA,
        62,
        {
            "text": "Falar com atendente",
            "interactive_id": "falar_humano",
            "quoted_id": f"{TO_LARA}jFBRDlBNDdFMTZENzM3QUMyMQA=",
            "details": {"interactive_type": "button_reply"},
        },
    ),
    (
        "interactive_list_reply",
        MessageKind.INTERACTIVE,
        LARA,
        63,
        {
            "text": "Água potável",
            "interactive_id": "svc_agua",
            "quoted_id": f"{TO_LARA}jkxMTE5OEUwQTg1MDhGQTlGNAA=",
            "details": {"interactive_type": "list_reply", "description": "Portaria 888 e similares"},
        },
    ),
    (
        "interactive_flow_nfm_reply",
        MessageKind.INTERACTIVE,
        LARA,
        64,
        {
            "text": "Formulário respondido: cidade: Natal; qtd: 3",
            "quoted_id": f"{TO_LARA}kYyQTlENEZGNzM0QzU2MDlFQwA=",
            "details": {"interactive_type": "nfm_reply", "form": "flow"},
        },
    ),
    (
        "button_template_quick_reply",
        MessageKind.BUTTON,
        DAVI,
        65,
        {
            "text": "Confirmar",
            "interactive_id": "CONFIRMA_VISITA",
            "quoted_id": f"{TO_DAVI}jAxRTAwOUVFNjZFNTY1OUZBMwA=",
        },
    ),
    (
        "reaction_add",
        MessageKind.REACTION,
        NOA,
        60,
        {
            "text": "❤️",
            "target_id": "wamid.HBgNNTUyMTk4MDAwMDQwNBUCABEYEjBFRDI5QUUyQjlGNDMwNUQ4OQA=",
            "details": {"emoji": "❤️"},
        },
    ),
    (
        "reaction_removed",
        MessageKind.REACTION,
        NOA,
        115,
        {"target_id": "wamid.INVENTADO9015", "details": {"removed": "true"}},
    ),
    (
        "message_edit",
        MessageKind.EDIT,
        LARA,
        71,
        {
            "text": "Oi! Fazem análise de água de poço E efluente?",
            "target_id": f"{FROM_LARA}DYyOEI0OUQ5NkRDREU5N0E0MzBEAA==",
            "details": {"type": "text"},
        },
    ),
    (
        "edit_of_caption",
        MessageKind.EDIT,
        LARA,
        117,
        {
            "text": "página 2",
            "target_id": "wamid.INVENTADO9017",
            "media": media("9100000000000042", "image/jpeg"),
            "details": {"type": "image"},
        },
    ),
    ("message_revoke", MessageKind.REVOKE, LARA, 101, {"target_id": "wamid.INVENTADO0001"}),
    ("request_welcome", MessageKind.REQUEST_WELCOME, NOA, 70, {}),
    (
        "unsupported_131051",
        MessageKind.UNSUPPORTED,
        DAVI,
        68,
        {"details": {"error_code": "131051", "error_title": "Message type unknown", "type": "poll_creation"}},
    ),
    (
        "referral_ctwa_ad",
        MessageKind.TEXT,
        NOA,
        73,
        {
            "text": "Olá! Tenho interesse e queria mais informações.",
            "referral": "Anúncio: Análise de água a partir de 1 amostra | Fale com o laboratório",
            "details": AD,
        },
    ),
    (
        "referred_product_context",
        MessageKind.TEXT,
        NOA,
        114,
        {
            "text": "esse ainda tem?",
            "quoted_id": "wamid.INVENTADO9014",
            "referral": "Produto do catálogo: kit-agua-01",
            "details": {"product_id": "kit-agua-01", "product_catalog_id": "550000000000111"},
        },
    ),
    (
        "system_security_code_changed",
        MessageKind.SYSTEM,
        LARA,
        112,
        {"text": "User identity changed", "details": {"type": "customer_identity_changed"}},
    ),
]


def expected(name: str, kind: MessageKind, sender: Sender, seconds: int, rest: dict[str, Any]) -> InboundMessage:
    message = InboundMessage(
        provider_id=items_of(name, "messages")[0]["id"],
        kind=kind,
        sender=sender,
        phone_number_id="330000000000982",
        sent_at_ms=(1_795_953_600 + seconds) * 1000,
    )
    return replace(message, **rest)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_body_of_one_message_yields_that_message_and_nothing_else(row: Row) -> None:
    batch = parse_webhook_body(webhook_bytes(row[0]), received_at_ms=RECEIVED_AT_MS)

    assert batch.messages == (expected(*row),)
    assert (batch.statuses, batch.identity_changes, batch.faults, batch.problems) == ((), (), (), ())


SILENT = {"reaction", "edit", "revoke", "request_welcome", "unsupported", "system"}


def test_only_kinds_that_ask_for_an_answer_open_a_turn() -> None:
    for row in TABLE:
        message = parse_webhook_body(webhook_bytes(row[0]), received_at_ms=RECEIVED_AT_MS).messages[0]

        assert message.opens_turn is (row[1].value not in SILENT and "group_id" not in row[4]), row[0]


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [("interactive_unknown_kind", "content_missing", "interactive"), ("type_nobody_knows", "type_unknown", "hologram")],
)
def test_what_nobody_understands_is_recorded_silent_and_told(name: str, reason: str, detail: str) -> None:
    batch = parse_webhook_body(webhook_bytes(name), received_at_ms=RECEIVED_AT_MS)

    assert [(m.kind, m.sender, m.opens_turn) for m in batch.messages] == [(MessageKind.UNKNOWN, LARA, False)]
    assert batch.problems == (Problem(reason=reason, path="entry[0].changes[0].messages[0]", detail=detail),)
