"""A part of an answer that WhatsApp took and then could not deliver: what a person must be told (docs/whatsapp.md)."""

from __future__ import annotations

import logging

from core.domain.conversation import Snapshot
from core.domain.delivery import PartState, SendFailure
from core.domain.handoff import HandoffReason, HandoffRequest

_log = logging.getLogger(__name__)

# No later try can cure these; the customer cannot be written to, so nothing is sent.
_FOR_GOOD = frozenset({SendFailure.RECIPIENT, SendFailure.WINDOW_OVER, SendFailure.BAD_REQUEST})


def handoff_for_undelivered(snapshot: Snapshot, sk: str) -> HandoffRequest | None:
    """Why people must take over after a `failed` status; None when the status changed nothing, or when the
    conversation has gone on since: a later turn (this very handoff's too) has dealt with it.

    `failed` is terminal, so a failure that would have passed is not tried again: people, and the customer, are told.
    """
    part = snapshot.part(sk)
    if part is None or part.state is not PartState.FAILED or snapshot.head.last_turn != part.turn:
        return None
    failure = part.failure or SendFailure.BAD_REQUEST
    extra = {"conversation": snapshot.conversation, "code": part.error_code, "failure": failure.value}
    _log.error("answer_undelivered", extra=extra)
    code = str(part.error_code or failure.value)
    if failure in _FOR_GOOD:
        return HandoffRequest(reason=HandoffReason.OUTSIDE_WINDOW, detail=code)
    return HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail=f"undelivered_{code}")
