"""Which conversation a person has, and under which key a message is put (docs/turn.md, "Identity").

Keys are keyed hashes: plain hashes of phones can be enumerated.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re

from core.domain.errors import BadInputError
from core.domain.messages import InboundMessage, Sender
from core.domain.record_keys import inbound_sk, known_sk

_HASH_CHARACTERS = 32  # 128 bits
# 55, area code, [9], eight digits that start with 6-9: only those are mobile numbers older than the ninth digit.
_BRAZILIAN_MOBILE = re.compile(r"(55[1-9][1-9])(9?)([6-9][0-9]{7})")


def conversation_id(sender: Sender, phone_number_id: str, key: str) -> str:
    """The conversation of a person with one of our numbers: by BSUID when known, else by phone.

    Raises `BadInputError` when the sender has neither.
    """
    if sender.bsuid:
        return _hash(key, "conversation/1", phone_number_id, "bsuid", sender.bsuid)
    if sender.phone:
        return _hash(key, "conversation/1", phone_number_id, "phone", _with_ninth_digit(sender.phone))
    raise BadInputError("sender_without_identity")


def conversation_ids(sender: Sender, phone_number_id: str, key: str) -> tuple[str, ...]:
    """Every id that a person is known by: the BSUID's first, then the phone's. Raises `BadInputError` for nobody."""
    known = (Sender(bsuid=sender.bsuid), Sender(phone=sender.phone))
    found = tuple(conversation_id(one, phone_number_id, key) for one in known if one != Sender())
    return found or (conversation_id(sender, phone_number_id, key),)


def conversation_ids_of(message: InboundMessage, key: str) -> tuple[str, ...]:
    """The ids of a message's conversation: a group's messages are kept apart from what its members say alone."""
    if message.group_id:
        return (_hash(key, "conversation/1", message.phone_number_id, "group", message.group_id),)
    return conversation_ids(message.sender, message.phone_number_id, key)


def message_key(message: InboundMessage, key: str) -> str:
    """By provider time, and the same however often the message is delivered, if the provider tells one."""
    return inbound_sk(message.sent_at_ms, _name_of(message, key))


def timeless_key(message: InboundMessage, key: str) -> str | None:
    """Where the table notes a message whose key holds no time of the provider's; None for any other."""
    return known_sk(_name_of(message, key)) if message.undated else None


def _name_of(message: InboundMessage, key: str) -> str:
    return _hash(key, "inbound/1", message.provider_id)


def _with_ninth_digit(phone: str) -> str:
    """The form that an id is made of: a mobile number is one person's however it is written. Never for sending."""
    match = _BRAZILIAN_MOBILE.fullmatch(_digits(phone))
    return f"{match[1]}9{match[3]}" if match else _digits(phone)


def _digits(phone: str) -> str:
    return re.sub(r"[^0-9]", "", phone) or phone


def _hash(key: str, *parts: str) -> str:
    if not key:
        raise ValueError("the identity key is empty")
    canonical = json.dumps(parts, separators=(",", ":"))
    return hmac.new(key.encode(), canonical.encode(), hashlib.sha256).hexdigest()[:_HASH_CHARACTERS]
