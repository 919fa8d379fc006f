"""The actions on outbound parts, each with its condition from 20-turn.md ("Outcome", "Status", step 9)."""

from __future__ import annotations

from core.domain.delivery import DeliveryRank, OutboundPart, PartOutcome, PartState
from core.domain.messages import DeliveryStatus
from core.integrations.dynamodb import part_rules
from core.integrations.dynamodb.expressions import Action, Expression
from core.integrations.dynamodb.keys import due_shard, pk_of


def claim(table: str, conversation: str, part: OutboundPart, *, seen_attempt: int) -> Action:
    """To `sending` at the next attempt, due at the lease's end, if it waits and nobody has begun that attempt."""
    after = part_rules.claimed(part, part, seen_attempt=seen_attempt)
    e = Expression()
    e.set("state", after.state.value)
    e.set("attempt", after.attempt)
    e.set("lease_until_ms", after.lease_until_ms)
    _set_due(e, conversation, after.due_ms)
    e.require(e.among("state", [state.value for state in part_rules.CLAIMABLE]))
    e.require(e.equals("attempt", seen_attempt))
    return e.update(table, pk_of(conversation), part.sk)


def outcome(table: str, conversation: str, brought: PartOutcome) -> Action:
    """What a send brought, if the part is still that attempt's."""
    e = Expression()
    e.set("state", brought.state.value)
    if brought.state is PartState.SENT:
        e.set("rank", int(DeliveryRank.SENT))
    if brought.provider_id:
        e.set("provider_id", brought.provider_id)
    e.set("error_code", brought.error_code)
    e.set("error", brought.error)
    e.set("lease_until_ms", None)
    _set_due(e, conversation, brought.due_ms)
    e.require(e.among("state", [state.value for state in part_rules.REPORTABLE]))
    e.require(e.equals("attempt", brought.attempt))
    return e.update(table, pk_of(conversation), brought.sk)


def cancel(table: str, conversation: str, sk: str) -> Action:
    """A later turn made a pending part pointless."""
    e = Expression()
    e.set("state", PartState.CANCELLED.value)
    e.set("lease_until_ms", None)
    _set_due(e, conversation, None)
    e.require(e.equals("state", PartState.PENDING.value))
    return e.update(table, pk_of(conversation), sk)


def forget(table: str, conversation: str, sk: str, *, attempt: int) -> Action:
    """A part that may have arrived is never sent again: nothing is due, a status may still settle it."""
    e = Expression()
    _set_due(e, conversation, None)
    e.require(e.equals("state", PartState.UNKNOWN.value))
    e.require(e.equals("attempt", attempt))
    return e.update(table, pk_of(conversation), sk)


def status(table: str, conversation: str, sk: str, said: DeliveryStatus, *, attempt: int) -> Action | None:
    """What a status changes (`part_rules.with_status` says why), or None for a status that changes nothing."""
    e = Expression()
    if said.status == part_rules.FAILED_STATUS:
        e.set("state", PartState.FAILED.value)
        e.set("error_code", said.error_code)
        e.set("error", said.error_title)
        e.require(e.among("state", [state.value for state in part_rules.FAILABLE]))
        e.require(e.equals("attempt", attempt))
    elif (rank := part_rules.RANKS.get(said.status)) is not None:
        e.set("state", PartState.SENT.value)
        e.set("rank", int(rank))
        e.set_default("provider_id", said.provider_id)
        e.require(f"{e.name('state')} <> {e.value(PartState.FAILED.value)}")
        e.require(f"{e.name('rank')} < {e.value(int(rank))}")
    else:
        return None
    e.set("lease_until_ms", None)
    _set_due(e, conversation, None)
    return e.update(table, pk_of(conversation), sk)


def _set_due(e: Expression, conversation: str, due_ms: int | None) -> None:
    e.set("due_shard", None if due_ms is None else due_shard(pk_of(conversation)))
    e.set("due_at", due_ms)
