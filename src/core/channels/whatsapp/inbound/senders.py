"""Who an item speaks of: phone, BSUID and name, matched to the right one of a body's contacts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.channels.whatsapp.inbound.tolerant_json import as_object, as_text
from core.domain.messages import Sender

_NAME_CHARACTERS = 256
_PHONE = re.compile(r"\+?[0-9][0-9 ().-]{3,30}")
# `CC.alnum` up to 131 characters; the parent ids of linked portfolios carry a second dot (`CC.ENT.alnum`).
_BSUID = re.compile(r"[A-Za-z]{2}(?:\.[A-Za-z0-9_-]{1,128}){1,2}")


def as_phone(value: Any) -> str | None:
    """The phone as the provider wrote it, else None: "", a BSUID in the phone's place, or anything else."""
    text = (as_text(value) or "").strip()
    return text if _PHONE.fullmatch(text) else None


def as_bsuid(value: Any) -> str | None:
    """The business-scoped user id, else None."""
    text = (as_text(value) or "").strip()
    return text if _BSUID.fullmatch(text) else None


def identity(*, phone: Any, user_id: Any, name: str | None = None) -> Sender:
    """Both identities of one person.

    Providers have put the BSUID where the phone was. An id of unknown form is better than nobody at all.
    """
    known_phone = as_phone(phone)
    bsuid = as_bsuid(user_id) or as_bsuid(phone)
    if known_phone is None and bsuid is None:
        opaque = as_text(user_id)
        bsuid = opaque if opaque and not re.search(r"\s", opaque) else None
    return Sender(phone=known_phone, bsuid=bsuid, name=name)


def is_known(sender: Sender) -> bool:
    """Whether there is anybody to speak of."""
    return bool(sender.phone or sender.bsuid)


def read_contacts(contacts: Sequence[Any]) -> tuple[Sender, ...]:
    """`contacts[]` of a value; the username stands in for a missing name."""
    return tuple(_read_contact(as_object(contact)) for contact in contacts)


def _read_contact(contact: Mapping[str, Any]) -> Sender:
    profile = as_object(contact.get("profile"))
    name = as_text(profile.get("name"), _NAME_CHARACTERS) or as_text(profile.get("username"), _NAME_CHARACTERS)
    return identity(phone=contact.get("wa_id"), user_id=contact.get("user_id"), name=name)


def complete_sender(sender: Sender, contacts: Sequence[Sender]) -> Sender:
    """The sender with what their own contact adds. Another person's contact adds nothing."""
    contact = _contact_of(sender, contacts)
    if contact is None:
        return sender
    return replace(
        sender,
        phone=sender.phone or contact.phone,
        bsuid=sender.bsuid or contact.bsuid,
        name=contact.name or sender.name,
    )


def _contact_of(sender: Sender, contacts: Sequence[Sender]) -> Sender | None:
    for contact in contacts:
        if sender.bsuid and contact.bsuid == sender.bsuid:
            return contact
    for contact in contacts:
        if sender.phone and contact.phone == sender.phone:
            return contact
    only = contacts[0] if len(contacts) == 1 else None
    return only if only is not None and not _contradict(sender, only) else None


def _contradict(one: Sender, other: Sender) -> bool:
    return bool((one.phone and other.phone) or (one.bsuid and other.bsuid))
