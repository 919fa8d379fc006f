"""`biz_opaque_callback_data`: what a send says of itself, so that its statuses can be told apart."""

from __future__ import annotations

import re

from core.domain.delivery import OutboundPart
from core.domain.record_keys import PART_PATTERN

_VERSION = "1"
_CALLBACK = re.compile(rf"1\.([0-9a-z]+)\.({PART_PATTERN})\.([0-9]{{1,6}})")


def callback_of(conversation: str, part: OutboundPart) -> str:
    """`1.<conversation>.<sk>.<attempt>`: which send of which part a status speaks of."""
    return f"{_VERSION}.{conversation}.{part.sk}.{part.attempt}"


def read_callback(callback: str | None) -> tuple[str, str, int] | None:
    """Conversation, part and attempt that a status speaks of; None for what is not of our making."""
    match = _CALLBACK.fullmatch(callback or "")
    return (match[1], match[2], int(match[3])) if match else None
