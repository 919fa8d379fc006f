"""The part's state machine as writes: each arrow an update, with its condition."""

from __future__ import annotations

from enum import Enum
from typing import Any

from core.domain.delivery import PartChange
from core.domain.record_keys import due_shard, pk_of
from core.integrations.dynamodb.expressions import Action, Expression


def changed(table: str, conversation: str, sk: str, change: PartChange) -> Action:
    """The part behind the arrow, if it may take it."""
    e = Expression()
    for name, value in change.sets.items():
        if name == "due_ms":
            e.set("due_shard", None if value is None else due_shard(pk_of(conversation)))
            e.set("due_at", value)
        else:
            e.set(name, _plain(value))
    for name, value in change.defaults.items():
        if value is not None:
            e.set_default(name, _plain(value))
    e.require(e.among("state", sorted(state.value for state in change.allowed_from)))
    if change.attempt is not None:
        e.require(e.equals("attempt", change.attempt))
    if change.rank_below is not None:
        e.require(f"{e.name('rank')} < {e.value(int(change.rank_below))}")
    return e.update(table, pk_of(conversation), sk)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
