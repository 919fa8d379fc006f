"""Whether a conversation got anywhere (docs/guard.md, "Progress"); the guard's loop detector asks."""

from __future__ import annotations

from core.domain.conversation import ConversationState


def progressed(before: ConversationState, after: ConversationState) -> bool:
    """A new or corrected value, a field declined, a stage change, or a package served for the first time.

    Service and segment count as values. What is cleared, repeated or merely said again does not count.
    """
    return (
        after.stage is not before.stage
        or _is_new_choice(before.service, after.service)
        or _is_new_choice(before.segment, after.segment)
        or not set(after.packages_served) <= set(before.packages_served)
        or _fields_moved(before, after)
    )


def _is_new_choice(before: str | None, after: str | None) -> bool:
    return after is not None and after != before


def _fields_moved(before: ConversationState, after: ConversationState) -> bool:
    for name, entry in after.fields.items():
        known = before.fields.get(name)
        if known is None or (known.status, known.value) != (entry.status, entry.value):
            return True
    return False
