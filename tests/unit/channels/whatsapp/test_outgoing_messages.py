"""What is said to Meta, as its reference pages have it."""

from __future__ import annotations

import pytest

from core.channels.whatsapp.outgoing_messages import media_message, read_receipt, template_message, text_message
from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import SendRefusedError
from core.domain.messages import Media


def test_a_text_to_a_phone_as_the_inbound_wrote_it() -> None:
    recipient = Recipient(phone_number_id="330", phone="553180000303")

    assert text_message(recipient=recipient, text="Olá *Lara*", callback="1.c.sk.1", reply_to="wamid.1") == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "553180000303",
        "type": "text",
        "text": {"preview_url": False, "body": "Olá *Lara*"},
        "context": {"message_id": "wamid.1"},
        "biz_opaque_callback_data": "1.c.sk.1",
    }


def test_a_text_to_a_username_user_goes_to_the_bsuid_and_quotes_nothing_unasked() -> None:
    recipient = Recipient(phone_number_id="330", bsuid="BR.7100000000000505")

    message = text_message(recipient=recipient, text="oi", callback="c")

    assert message["recipient"] == "BR.7100000000000505"
    assert not {"to", "context"} & message.keys()


@pytest.mark.parametrize(
    ("media", "caption", "kind", "file"),
    [
        (Media(media_id="1", mime_type="image/png", filename="a.png"), "veja", "image", {"id": "1", "caption": "veja"}),
        (Media(media_id="1", mime_type="image/jpeg"), "", "image", {"id": "1"}),
        (
            Media(media_id="1", mime_type="application/pdf", filename="a.pdf"),
            "segue",
            "document",
            {"id": "1", "caption": "segue", "filename": "a.pdf"},
        ),
    ],
)
def test_a_file_goes_by_its_id_and_only_a_document_has_a_name(
    media: Media, caption: str, kind: str, file: dict[str, str]
) -> None:
    recipient = Recipient(phone_number_id="330", phone="553180000303")

    assert media_message(recipient=recipient, media=media, caption=caption, callback="c") == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "553180000303",
        "type": kind,
        kind: file,
        "biz_opaque_callback_data": "c",
    }


def test_a_text_to_nobody_is_refused_before_it_is_sent() -> None:
    with pytest.raises(SendRefusedError) as raised:
        text_message(recipient=Recipient(phone_number_id="330"), text="oi", callback="c")
    assert raised.value.failure is SendFailure.BAD_REQUEST


def test_reading_shows_typing_only_when_asked() -> None:
    receipt = {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.1"}

    assert read_receipt(provider_id="wamid.1", typing=False) == receipt
    assert read_receipt(provider_id="wamid.1", typing=True) == receipt | {"typing_indicator": {"type": "text"}}


@pytest.mark.parametrize(
    ("template", "name", "language"),
    [
        ("retomar_conversa", "retomar_conversa", "pt_BR"),
        ("retomar_conversa:en_US", "retomar_conversa", "en_US"),
        ("retomar_conversa:", "retomar_conversa", "pt_BR"),
    ],
)
def test_a_template_is_named_with_its_language(template: str, name: str, language: str) -> None:
    recipient = Recipient(phone_number_id="330", phone="553180000303")

    assert template_message(recipient=recipient, template=template, callback="1.c.sk.1") == {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "553180000303",
        "type": "template",
        "template": {"name": name, "language": {"code": language}},
        "biz_opaque_callback_data": "1.c.sk.1",
    }
