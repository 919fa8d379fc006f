"""What is said to Meta: message objects of the Cloud API, which End User Messaging passes through as they are."""

from __future__ import annotations

from typing import Any

from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import SendRefusedError
from core.domain.messages import Media, MessageKind

_LANGUAGE = "pt_BR"


def text_message(*, recipient: Recipient, text: str, callback: str, reply_to: str | None = None) -> dict[str, Any]:
    """A text without link previews; `callback` comes back in statuses. Raises `SendRefusedError` without an address."""
    message: dict[str, Any] = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_address(recipient),
        "type": "text",
        "text": {"preview_url": False, "body": text},
        "biz_opaque_callback_data": callback,
    }
    if reply_to:
        message["context"] = {"message_id": reply_to}
    return message


def template_message(*, recipient: Recipient, template: str, callback: str) -> dict[str, Any]:
    """An approved template without parameters: `name`, or `name:language` when it is not in Brazilian Portuguese."""
    name, _, language = template.partition(":")
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_address(recipient),
        "type": "template",
        "template": {"name": name, "language": {"code": language or _LANGUAGE}},
        "biz_opaque_callback_data": callback,
    }


def media_message(*, recipient: Recipient, media: Media, caption: str, callback: str) -> dict[str, Any]:
    """A file by its media id. Only a document has a name. Raises `SendRefusedError` without an address."""
    file = {"id": media.media_id}
    if caption:
        file["caption"] = caption
    if media.kind is MessageKind.DOCUMENT and media.filename:
        file["filename"] = media.filename
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        **_address(recipient),
        "type": media.kind.value,
        media.kind.value: file,
        "biz_opaque_callback_data": callback,
    }


def read_receipt(*, provider_id: str, typing: bool) -> dict[str, Any]:
    """Blue ticks for a message and, with `typing`, the indicator that ends after 25 s or with our answer."""
    receipt: dict[str, Any] = {"messaging_product": "whatsapp", "status": "read", "message_id": provider_id}
    if typing:
        receipt["typing_indicator"] = {"type": "text"}
    return receipt


def _address(recipient: Recipient) -> dict[str, str]:
    # The phone first: sending to a BSUID is the newer road, needed only when there is no phone.
    if recipient.phone:
        return {"to": recipient.phone}
    if recipient.bsuid:
        return {"recipient": recipient.bsuid}
    raise SendRefusedError("the recipient has no address", failure=SendFailure.BAD_REQUEST)
