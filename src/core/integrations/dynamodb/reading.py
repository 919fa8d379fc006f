"""A conversation's items as one read, of which something may be unreadable: shared by the adapter and its fake."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from core.domain.conversation import Head, LogEntry
from core.domain.delivery import OutboundPart
from core.domain.errors import UnreadableItemError
from core.domain.record_keys import HEAD, is_inbound, is_message, is_part, ms_of
from core.domain.salvage import Salvage
from core.integrations.dynamodb import codec

_log = logging.getLogger(__name__)


def legible_log(items: Mapping[str, Mapping[str, Any]], *, needed: Collection[str]) -> tuple[LogEntry, ...]:
    """Messages by their keys, in order. One that the turn does not need and nobody can read is left out, with an event.

    Raises `UnreadableItemError` for one of those `needed`.
    """
    log: list[LogEntry] = []
    for sk in sorted(items):
        try:
            log.append(codec.item_to_entry(items[sk]))
        except UnreadableItemError as error:
            if sk in needed:
                raise
            _log.error("item_unreadable", extra={"item": error.what, "reason": error.reason})
    return tuple(log)


def since_erased(log: tuple[LogEntry, ...], head: Head) -> tuple[LogEntry, ...]:
    """Without what is older than an erasure whose job has not come to it yet."""
    if head.erased_at_ms is None:
        return log
    return tuple(entry for entry in log if ms_of(entry.sk) > head.erased_at_ms)


def salvaged(conversation: str, items: Mapping[str, Mapping[str, Any]]) -> Salvage:
    """What the newest items still say. Raises nothing."""
    raw = items.get(HEAD, {})
    failures = raw.get("failures", 0)
    heard = (codec.item_to_last_heard(items[sk]) for sk in sorted(items, reverse=True) if _asks(sk, items[sk]))
    return Salvage(
        conversation=conversation,
        head=_head(raw),
        last=next((each for each in heard if each is not None), None),
        failures=failures if type(failures) is int else None,
        aliases=tuple(sorted(codec.aliases_of(raw))),
        parts=tuple(part for sk in sorted(items) if is_part(sk) and (part := _part(items[sk])) is not None),
    )


def _head(raw: Mapping[str, Any]) -> Head | None:
    try:
        return codec.item_to_head(raw)
    except UnreadableItemError:
        return None


def _part(item: Mapping[str, Any]) -> OutboundPart | None:
    try:
        return codec.item_to_part(item)
    except UnreadableItemError:
        return None


def _asks(sk: str, item: Mapping[str, Any]) -> bool:
    """Of a message that cannot be read nobody knows whether it asks for an answer: better one too many."""
    if not (is_message(sk) and is_inbound(sk)):
        return False
    try:
        return codec.item_to_inbound(item).message.opens_turn
    except UnreadableItemError:
        return True
