"""An answer, or a part of one, that did not reach its customer: what a person must be told (docs/whatsapp.md)."""

from __future__ import annotations

import logging

from core.application.delivery.send_parts import SendReport
from core.domain.conversation import Snapshot
from core.domain.delivery import CHANNEL_REFUSALS, OutboundPart, PartState, SendFailure
from core.domain.handoff import HandoffReason, HandoffRequest

_log = logging.getLogger(__name__)

# No later try can cure these; the customer cannot be written to, so nothing is sent.
_FOR_GOOD = frozenset({SendFailure.RECIPIENT, SendFailure.WINDOW_OVER, SendFailure.BAD_REQUEST})


def handoff_for_report(report: SendReport) -> HandoffRequest | None:
    """Why people must take over after a send: who may have got no answer is not left in silence."""
    if report.given_up:
        return HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="undelivered_unknown")
    refusal, reason = report.refused_for_good, HandoffReason.OUTSIDE_WINDOW
    if report.refused_for_long is not None:
        refusal, reason = report.refused_for_long, HandoffReason.CHANNEL_REFUSED
    if refusal is None:
        return None
    return HandoffRequest(reason=reason, detail=str(refusal.code or refusal.failure.value))


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
    if failure in CHANNEL_REFUSALS:
        _log.error("channel_refused", extra={"failure": failure.value, "code": part.error_code, "part": part.number})
    if failure in _FOR_GOOD:
        return HandoffRequest(reason=HandoffReason.OUTSIDE_WINDOW, detail=code)
    return HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail=f"undelivered_{code}")


def waiting_texts(snapshot: Snapshot) -> tuple[str, ...]:
    """What was written for the customer, waits to be sent and would be pointless after another answer, in its order."""
    return tuple(part.text for part in snapshot.parts if _waits(part))


def unread_texts(snapshot: Snapshot) -> tuple[str, ...]:
    """The same, and what surely did not arrive of the last turn: people are shown it."""
    last = snapshot.head.last_turn
    return tuple(
        part.text
        for part in snapshot.parts
        if _waits(part) or (part.state is PartState.FAILED and part.turn == last and part.template is None)
    )


def refused_since_ms(snapshot: Snapshot) -> int | None:
    """Since when the channel refuses what the customer has not got: what takes its place has waited as long."""
    return min(
        (part.refused_since_ms for part in snapshot.parts if _waits(part) and part.refused_since_ms), default=None
    )


def _waits(part: OutboundPart) -> bool:
    return part.state is PartState.PENDING and not part.exempt and part.template is None
