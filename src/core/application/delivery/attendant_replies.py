"""What attendants write to a customer: parts of the outbox as any answer's, which leave in the order of their keys."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from core.application.delivery.due_parts import is_before
from core.application.delivery.send_parts import LEASE_MARGIN_MS, OutboundService
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import SETTLED, OutboundPart, PartState, Recipient, being_sent
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.domain.record_keys import ms_of, part_sk

# Nobody sends more at once; what is left is the sweep's.
_AT_ONCE = 20


def reply_turn(conversation: str, client_id: str) -> str:
    """What a reply's part is named after: the same call names the same part."""
    return hashlib.sha256(f"{conversation}|reply|{client_id}".encode()).hexdigest()[:12]


def plan_reply(
    snapshot: Snapshot,
    text: str,
    *,
    turn: str,
    author: str,
    recipient: Recipient,
    now_ms: int,
    due_ms: int,
    window_closes_ms: int,
    media: Media | None = None,
) -> OutboundPart:
    """One part, waiting behind whatever attendants wrote before it; at `due_ms` it is the sweep's."""
    newest_ms = max((ms_of(entry.sk) for entry in snapshot.log), default=0)
    return OutboundPart(
        sk=part_sk(max(now_ms, newest_ms + 1), turn, 1),
        turn=turn,
        number=1,
        text=text,
        recipient=recipient,
        state=PartState.PENDING,
        created_at_ms=now_ms,
        due_ms=due_ms,
        exempt=True,
        window_closes_ms=window_closes_ms,
        author=author,
        media=media,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantOutbox:
    """Sends what waits, oldest first, until something is not settled: whoever races it, one wins."""

    store: ConversationStore
    outbound: OutboundService
    clock: Clock

    def upload(self, file: OutgoingFile, phone_number_id: str, deadline: Deadline) -> Media:
        """See `OutboundService.upload`."""
        return self.outbound.upload(file, phone_number_id, deadline)

    def drain(self, conversation: str, deadline: Deadline) -> None:
        """A part that was refused for now, or of which nobody knows, holds those behind it: the sweep goes on."""
        for _ in range(_AT_ONCE):
            snapshot = self.store.read(conversation)
            waiting = [part for part in snapshot.parts if part.author is not None and part.state not in SETTLED]
            if not waiting or waiting[0].state is not PartState.PENDING or waiting[0].attempt > 0:
                return
            if any(is_before(each, waiting[0]) for each in snapshot.parts):
                return
            claimed = being_sent(waiting[0], lease_until_ms=deadline.ends_at_ms + LEASE_MARGIN_MS)
            if not self.store.claim_part(conversation, claimed, seen_attempt=waiting[0].attempt):
                return
            self.outbound.send(conversation, [claimed], deadline)
