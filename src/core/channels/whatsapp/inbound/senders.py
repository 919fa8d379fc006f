"""Who an item speaks of: phone, BSUID and name, matched to the right one of a body's contacts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """`contacts[]` of a value, by either identity: of several with the same one, the first. `only` is the one that
    stands alone.
    """

    by_bsuid: Mapping[str, Sender]
    by_phone: Mapping[str, Sender]
    only: Sender | None

    def of(self, sender: Sender) -> Sender | None:
        """The sender's own; by BSUID, else by phone, else the only one there is, unless it is surely another's."""
        own = self.by_bsuid.get(sender.bsuid or "") or self.by_phone.get(sender.phone or "")
        if own is None and self.only is not None and not _contradict(sender, self.only):
            return self.only
        return own


def read_contacts(contacts: Sequence[Any]) -> Contacts:
    """The username stands in for a missing name."""
    read = [_read_contact(as_object(contact)) for contact in contacts]
    return Contacts(
        by_bsuid={each.bsuid: each for each in reversed(read) if each.bsuid},
        by_phone={each.phone: each for each in reversed(read) if each.phone},
        only=read[0] if len(read) == 1 else None,
    )


def _read_contact(contact: Mapping[str, Any]) -> Sender:
    profile = as_object(contact.get("profile"))
    name = as_text(profile.get("name"), _NAME_CHARACTERS) or as_text(profile.get("username"), _NAME_CHARACTERS)
    return identity(phone=contact.get("wa_id"), user_id=contact.get("user_id"), name=name)


def complete_sender(sender: Sender, contacts: Contacts) -> Sender:
    """The sender with what their own contact adds. Another person's contact adds nothing."""
    contact = contacts.of(sender)
    if contact is None:
        return sender
    return replace(
        sender,
        phone=sender.phone or contact.phone,
        bsuid=sender.bsuid or contact.bsuid,
        name=contact.name or sender.name,
    )


def _contradict(one: Sender, other: Sender) -> bool:
    return bool((one.phone and other.phone) or (one.bsuid and other.bsuid))
