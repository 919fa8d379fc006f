"""Webhook bodies in Meta's layout and wire form: compact, \\u escapes, \\/ for slashes, no newline at the end."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """An invented customer. The number is of a range that no operator has given out."""

    name: str
    phone: str
    user_id: str


def invented_person(name: str) -> Person:
    """Another one each time, so that every conversation is new."""
    tail = f"{secrets.randbelow(10_000):04d}"
    return Person(name=name, phone=f"551198000{tail}", user_id=f"BR.71{secrets.randbelow(10**14):014d}")


@dataclass(slots=True, kw_only=True)
class WebhookBodies:
    """Writes the bodies that Meta would post for one person."""

    person: Person
    phone_number_id: str
    display_phone_number: str

    def text(self, *texts: str) -> bytes:
        """One or several text messages of the customer's, sent now, in one body."""
        sender = {"from": self.person.phone, "from_user_id": self.person.user_id}
        return self._body("messages", "messages", [sender | _text_item(text) for text in texts])

    def echo(self, text: str) -> bytes:
        """What a person of the business wrote to the customer, in the business's own app."""
        sides = {"from": self.display_phone_number, "to": self.person.phone, "to_user_id": self.person.user_id}
        return self._body("smb_message_echoes", "message_echoes", [sides | _text_item(text)])

    def _body(self, change: str, key: str, items: Sequence[Mapping[str, Any]]) -> bytes:
        contact = {"profile": {"name": self.person.name}, "wa_id": self.person.phone, "user_id": self.person.user_id}
        value = {
            "messaging_product": "whatsapp",
            "metadata": {"display_phone_number": self.display_phone_number, "phone_number_id": self.phone_number_id},
            "contacts": [contact],
            key: items,
        }
        entry = {"id": "210000000000451", "changes": [{"value": value, "field": change}]}
        body = {"object": "whatsapp_business_account", "entry": [entry]}
        return json.dumps(body, separators=(",", ":")).replace("/", "\\/").encode()


def _text_item(text: str) -> dict[str, Any]:
    return {
        "id": f"wamid.DEMO{secrets.token_hex(12).upper()}",
        "timestamp": str(int(time.time())),
        "type": "text",
        "text": {"body": text},
    }
