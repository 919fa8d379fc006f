"""What of a conversation's log goes along when it moves: pure, shared by the table's adapter and its fake."""

from __future__ import annotations

from core.domain.delivery import PartState
from core.domain.record_keys import pk_of
from core.integrations.dynamodb.attributes import Item

_INDEX = {"due_shard", "due_at", "lease_until_ms"}


def moves(item: Item) -> bool:
    """A part that waits to be sent stays where its outbox looks for it: a copy would be sent too."""
    return item.get("state") != PartState.PENDING.value


def copied(item: Item, target: str) -> Item:
    """The same item in another conversation, as history: nothing there is due for it."""
    return {name: value for name, value in item.items() if name not in _INDEX} | {"pk": pk_of(target)}
