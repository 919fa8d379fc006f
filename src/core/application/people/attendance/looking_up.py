"""Where a conversation is now, and where an answer to its customer goes."""

from __future__ import annotations

from core.application.ports import AttendedStore
from core.domain.attendant import Refusal
from core.domain.conversation import InboundRecord, Snapshot
from core.domain.errors import AttendanceRefusedError
from core.domain.salvage import LastHeard

_MOST_HOPS = 8
# Further back than so many messages of ours nobody looks for one of the customer's.
_PAGES, _PAGE = 4, 100


def at_home(store: AttendedStore, conversation: str) -> Snapshot:
    """The conversation where it is now, by one read and one more for each time that it moved. Raises
    `AttendanceRefusedError` for one that nobody knows.
    """
    snapshot = store.read(conversation)
    for _ in range(_MOST_HOPS):
        if snapshot.head.moved_to is None:
            break
        snapshot = store.read(snapshot.head.moved_to)
    if not snapshot.head.exists:
        raise AttendanceRefusedError(Refusal.NOT_FOUND)
    return snapshot


def known_conversation(conversation: str) -> str:
    """Raises `AttendanceRefusedError` for what can be no conversation's name."""
    if not (0 < len(conversation) <= 64 and conversation.isascii() and conversation.isalnum()):
        raise AttendanceRefusedError(Refusal.NOT_FOUND)
    return conversation


def last_heard(store: AttendedStore, snapshot: Snapshot) -> LastHeard | None:
    """The customer's last message that a text of ours may answer; None where nobody wrote for long."""
    newest = snapshot.newest_inbound
    before = snapshot.log[0].sk if snapshot.log else None
    for _ in range(_PAGES):
        if newest is not None or before is None:
            break
        page = store.log_page(snapshot.conversation, before=before, limit=_PAGE)
        wrote = [each for each in page if isinstance(each, InboundRecord) and each.message.opens_turn]
        newest = wrote[-1] if wrote else None
        before = page[0].sk if page else None
    if newest is None:
        return None
    return LastHeard(
        recipient=newest.recipient,
        provider_id=newest.message.provider_id,
        sent_at_ms=min(newest.message.sent_at_ms, newest.received_at_ms),
    )
