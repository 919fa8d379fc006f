"""WhatsApp's customer service window: free text only within 24 hours of the customer's last message."""

from __future__ import annotations

from core.domain.conversation import Snapshot

_WINDOW_MS = 24 * 3_600_000
# A send takes its time, and clocks differ.
_MARGIN_MS = 600_000


def window_closes_ms(snapshot: Snapshot) -> int:
    """Until when a text may be sent, by the provider's time of what the customer wrote last; 0 when nobody wrote."""
    wrote = (
        min(entry.message.sent_at_ms, entry.received_at_ms) for entry in snapshot.inbounds if entry.message.opens_turn
    )
    newest = max(wrote, default=None)
    return 0 if newest is None else window_closes_after(newest)


def window_closes_after(wrote_ms: int) -> int:
    """Until when a text may be sent to whoever wrote then and nothing since."""
    return wrote_ms + _WINDOW_MS - _MARGIN_MS
