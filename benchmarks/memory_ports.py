"""Ports that cost next to nothing, so that what is measured is the turn. They keep no conditions: tests have fakes."""

from __future__ import annotations

from typing import Any

from core.application.ports import SentMessage
from core.domain.conversation import ConversationState, Effect, Head, InboundRecord, Snapshot, TurnCommit
from core.domain.delivery import OutboundPart, PartOutcome, Recipient
from core.domain.messages import InboundPointer


class MemoryStore:
    """One conversation, always as it was prepared."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.commits: list[TurnCommit] = []

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        return self.snapshot

    def commit(self, commit: TurnCommit) -> None:
        self.commits.append(commit)

    def record_outcome(
        self, conversation: str, outcome: PartOutcome, *, start_next: OutboundPart | None = None, **_: Any
    ) -> bool:
        return start_next is not None

    def update_effect(self, conversation: str, effect: Effect) -> None:
        """Nothing to keep."""


class MemorySender:
    """Takes everything."""

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        return SentMessage(provider_id="wamid.bench")

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        """Nothing to mark."""


def waiting(record: InboundRecord) -> tuple[Snapshot, InboundPointer]:
    """A conversation in which one message waits."""
    head = Head(pending=frozenset({record.sk}), in_rev=1, pending_since_ms=record.received_at_ms)
    snapshot = Snapshot(conversation=record.conversation, head=head, state=ConversationState(), log=(record,))
    return snapshot, InboundPointer(conversation=record.conversation, sk=record.sk)
