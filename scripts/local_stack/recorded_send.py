"""A message that WhatsApp took, as the outbox shows it."""

from __future__ import annotations

import base64
import secrets
import time
from collections.abc import Mapping
from typing import Any


def send_of(body: Mapping[str, Any], phone_number_id: str) -> dict[str, Any]:
    """The entry for a body that `check_message` took."""
    kind = body.get("type", "text")
    to = str(body.get("to") or "")
    return {
        "at": time.time(),
        "wamid": _wamid(to),
        "phone_number_id": phone_number_id,
        "to": to,
        "recipient": str(body.get("recipient") or ""),
        "type": kind,
        "text": _shown_text(body, kind),
        "context": (body.get("context") or {}).get("message_id"),
        "callback_data": body.get("biz_opaque_callback_data"),
        "payload": dict(body),
    }


def _shown_text(body: Mapping[str, Any], kind: str) -> str:
    content = body.get(kind) or {}
    if kind == "text":
        return str(content["body"])
    if kind == "interactive":
        return str(content["body"]["text"])
    return str(content.get("caption") or "")


def _wamid(phone: str) -> str:
    """Like the real ones, it holds the recipient's phone: whatever leaks one of these leaks the other."""
    parts = (b"\x1c\x18", phone.encode(), b"\x15\x02\x00", secrets.token_bytes(12))
    return "wamid." + base64.b64encode(b"".join(parts)).decode()
