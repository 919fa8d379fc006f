"""Meta's body of one text message, as other producers put it on the queue."""

from __future__ import annotations

from typing import Any

from core.domain.messages import InboundMessage


def raw_body(message: InboundMessage) -> dict[str, Any]:
    """The least that Meta sends."""
    item = {
        "from": message.sender.phone,
        "id": message.provider_id,
        "timestamp": str(message.sent_at_ms // 1000),
        "type": "text",
        "text": {"body": message.text},
    }
    contact = {"wa_id": message.sender.phone, "profile": {"name": "Lara Quintela"}}
    if message.sender.bsuid:
        item["from_user_id"] = contact["user_id"] = message.sender.bsuid
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": "551930000000", "phone_number_id": message.phone_number_id},
        "contacts": [contact],
        "messages": [item],
    }
    return {
        "object": "whatsapp_business_account",
        "entry": [{"id": "1", "changes": [{"field": "messages", "value": value}]}],
    }
