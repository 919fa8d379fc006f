"""What may become of an outbound part (docs/outbox.md): pure, shared by the table's adapter and its fake."""

from __future__ import annotations

from dataclasses import replace

from core.domain.delivery import DeliveryRank, OutboundPart, PartOutcome, PartState
from core.domain.messages import DeliveryStatus

# An outcome, and a claim, are taken only from these states.
REPORTABLE = (PartState.SENDING, PartState.UNKNOWN)
CLAIMABLE = (PartState.PENDING, PartState.UNKNOWN)

# A send that a `failed` status can speak of.
FAILABLE = (PartState.SENDING, PartState.UNKNOWN, PartState.SENT)

FAILED_STATUS = "failed"
RANKS = {
    "sent": DeliveryRank.SENT,
    "delivered": DeliveryRank.DELIVERED,
    "read": DeliveryRank.READ,
    "played": DeliveryRank.PLAYED,
}


def claimed(current: OutboundPart, wanted: OutboundPart, *, seen_attempt: int) -> OutboundPart:
    """The part while this process sends it: due when the lease ends, should nobody report."""
    return replace(
        current,
        state=PartState.SENDING,
        attempt=seen_attempt + 1,
        lease_until_ms=wanted.lease_until_ms,
        due_ms=wanted.due_ms if wanted.lease_until_ms is None else wanted.lease_until_ms,
    )


def reported(part: OutboundPart, outcome: PartOutcome) -> OutboundPart:
    """The part with what its send brought; only a part that waits again, or that nobody is sure of, is due."""
    return replace(
        part,
        state=outcome.state,
        rank=DeliveryRank.SENT if outcome.state is PartState.SENT else part.rank,
        provider_id=outcome.provider_id or part.provider_id,
        error_code=outcome.error_code,
        error=outcome.error,
        lease_until_ms=None,
        due_ms=outcome.due_ms,
    )


def cancelled(part: OutboundPart) -> OutboundPart:
    """A pending part that a later turn made pointless."""
    return replace(part, state=PartState.CANCELLED, lease_until_ms=None, due_ms=None)


def retired(part: OutboundPart) -> OutboundPart:
    """A part whose turn lost the word: dropped while it waits, and never looked at again when it may have arrived."""
    return cancelled(part) if part.state is PartState.PENDING else replace(part, due_ms=None)


def with_status(part: OutboundPart, status: DeliveryStatus, *, attempt: int) -> OutboundPart | None:
    """The part after a status, or None when it changes nothing.

    That a message arrived settles every doubt, whichever attempt brought it; that it failed speaks of its attempt only.
    """
    if status.status == FAILED_STATUS:
        if part.state not in FAILABLE or part.attempt != attempt:
            return None
        failed = replace(part, state=PartState.FAILED, error_code=status.error_code, error=status.error_title)
        return replace(failed, lease_until_ms=None, due_ms=None)
    rank = RANKS.get(status.status, DeliveryRank.NONE)
    if rank <= part.rank or part.state is PartState.FAILED:
        return None
    arrived = replace(part, state=PartState.SENT, rank=rank, provider_id=part.provider_id or status.provider_id)
    return replace(arrived, lease_until_ms=None, due_ms=None)
