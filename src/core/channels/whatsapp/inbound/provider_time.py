"""When the provider says that something happened: seconds in a string, at times milliseconds (docs/whatsapp.md)."""

from __future__ import annotations

from typing import Any

from core.channels.whatsapp.inbound.tolerant_json import as_number

_MILLISECONDS_FROM = 10**12
_EARLIEST_MS = 1_230_768_000_000  # 2009-01-01: before WhatsApp
_CLOCK_SKEW_MS = 24 * 3_600_000


def provider_time_ms(value: Any, *, received_at_ms: int) -> int | None:
    """Milliseconds since the epoch; None when missing or not to be believed: before WhatsApp, or a day ahead of us."""
    number = as_number(value)
    if number is None:
        return None
    ms = int(number) if number >= _MILLISECONDS_FROM else int(number * 1000)
    return ms if _EARLIEST_MS <= ms <= received_at_ms + _CLOCK_SKEW_MS else None
