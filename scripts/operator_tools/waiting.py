"""Whom people have, by reason: read from the index that the attendants' queue is read from."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.conversation import QueueEntry
from core.domain.handoff import HandoffReason
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.system.clock import SystemClock

from .deployment import Deployment
from .errors import NoConversationError, OperatorError
from .times import moment_ago

ANY = "any"
_PAGE = 200
_UNUSED_RETENTION_DAYS = 1  # nothing is written


def waiting_for(deployment: Deployment, reason: str) -> Iterator[QueueEntry]:
    """Who waits longest first. Raises `OperatorError` for a reason that there is none of, and where nobody waits."""
    if reason != ANY and reason not in set(HandoffReason):
        message = f"there is no reason {reason!r}"
        raise OperatorError(message, next_step=f"one of: {ANY}, {', '.join(sorted(HandoffReason))}")
    store = DynamoConversationStore(
        deployment.client("dynamodb"),
        table_name=deployment.outputs["TableName"],
        retention_days=_UNUSED_RETENTION_DAYS,
        clock=SystemClock(),
    )
    found, after = False, None
    while page := store.people_queue(limit=_PAGE, after=after):
        for entry in page:
            if reason in (ANY, entry.head.handoff_reason):
                found = True
                yield entry
        last = page[-1]
        after = (last.head.people_since_ms or 0, last.conversation)
    if not found:
        message = "people have no conversation" if reason == ANY else f"people have no conversation for {reason}"
        raise NoConversationError(message, next_step=f"find --reason {ANY} lists everything that people have")


def told(entry: QueueEntry, *, now_ms: int) -> str:
    """A line: the hash, the reason, since when, and who has it. No customer's name."""
    head = entry.head
    since = moment_ago(head.people_since_ms, now_ms=now_ms) if head.people_since_ms else "since when is unknown"
    who = f"with {head.owner_name or head.owner}" if head.owner else "nobody has taken it yet"
    return f"{entry.conversation}  {head.handoff_reason or 'unknown'}  {since}; {who}"
