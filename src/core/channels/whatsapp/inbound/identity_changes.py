"""A customer's number or BSUID changed: system messages, and `user_id_update` of early 2026."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.application.intake.inbound_batch import IdentityChange
from core.channels.whatsapp.inbound.batch_builder import BatchBuilder, Surroundings
from core.channels.whatsapp.inbound.provider_time import provider_time_ms
from core.channels.whatsapp.inbound.senders import as_bsuid, as_phone, identity, is_known
from core.channels.whatsapp.inbound.tolerant_json import as_object, as_text
from core.domain.messages import Sender

# The end of the sentence is Meta's, the name before it the customer's: read from the end.
_FROM_TO = re.compile(r"changed from (\S+) to (\S+)\s*\Z")


def read_system_change(
    item: Mapping[str, Any], sender: Sender, at_ms: int, around: Surroundings, builder: BatchBuilder
) -> Sender:
    """Adds the change that a system message tells, and returns whose conversation it belongs to: the old identity's."""
    system = as_object(item.get("system"))
    current = _current(system)
    previous = _previous(system, sender, current)
    if not is_known(current) or _same(previous, current):
        return sender if is_known(sender) else current
    if not is_known(previous):
        builder.problem("identity_change_incomplete", around.path)
        return current
    builder.identity_changes.append(
        IdentityChange(previous=previous, current=current, phone_number_id=around.phone_number_id, at_ms=at_ms)
    )
    return previous


def add_user_id_update(raw: Any, phone_number_id: str, path: str, builder: BatchBuilder) -> None:
    """One item of `user_id_update[]`: `{wa_id, user_id: {previous, current}}`."""
    item = as_object(raw)
    ids = as_object(item.get("user_id"))
    previous = Sender(phone=as_phone(item.get("old_wa_id")), bsuid=as_bsuid(ids.get("previous")))
    current = Sender(phone=as_phone(item.get("wa_id")), bsuid=as_bsuid(ids.get("current")))
    if not is_known(previous) or not is_known(current):
        builder.problem("identity_change_incomplete", path)
        return
    at_ms = provider_time_ms(item.get("timestamp"), received_at_ms=builder.received_at_ms)
    at_ms = builder.received_at_ms if at_ms is None else at_ms
    builder.identity_changes.append(
        IdentityChange(previous=previous, current=current, phone_number_id=phone_number_id, at_ms=at_ms)
    )


def _current(system: Mapping[str, Any]) -> Sender:
    _, new = _told(system)
    told = identity(phone=new, user_id=new) if as_phone(new) or as_bsuid(new) else Sender()
    return Sender(
        phone=as_phone(system.get("wa_id")) or as_phone(system.get("new_wa_id")) or told.phone,
        bsuid=as_bsuid(system.get("user_id")) or told.bsuid,
    )


def _previous(system: Mapping[str, Any], sender: Sender, current: Sender) -> Sender:
    old, _ = _told(system)
    # Some senders put the new id beside the old number; an id that is the new one is not the old one.
    sender_bsuid = sender.bsuid if sender.bsuid != current.bsuid else None
    return Sender(
        phone=as_phone(system.get("customer")) or sender.phone or as_phone(old),
        bsuid=as_bsuid(system.get("previous_user_id")) or as_bsuid(old) or sender_bsuid,
        name=sender.name,
    )


def _told(system: Mapping[str, Any]) -> tuple[str | None, str | None]:
    match = _FROM_TO.search(as_text(system.get("body")) or "")
    return (match[1], match[2]) if match else (None, None)


def _same(previous: Sender, current: Sender) -> bool:
    """Nothing changed that the new side names: a security code, or an id that stayed."""
    return current.phone in (None, previous.phone) and current.bsuid in (None, previous.bsuid)
