"""What attendants read (docs/attendants.md, "Reading"): always from a key on, never a span of time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.application.history.effective_log import as_it_stands
from core.application.people.attendance.desk import audit_of
from core.application.people.attendance.looking_up import at_home
from core.application.people.attendance.views import ConversationView, EntriesPage, QueuePage, TurnsPage
from core.application.people.attendance.wording import (
    OPENED,
    audit_lines,
    card_of_conversation,
    entries_of,
    item_of,
    turn_view,
)
from core.application.people.data_rights import revision_of
from core.application.ports import AttendedStore, Clock
from core.domain.attendant import Attendant, Refusal
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import EffectKind, Head, LogEntry, Mode, Snapshot
from core.domain.errors import AttendanceRefusedError
from core.domain.handoff import HandoffReason
from core.domain.record_keys import effect_sk, message_sk, public_key, turn_key

QUEUE_PAGE, ENTRIES_PAGE, TURNS_PAGE, AUDIT_PAGE = 50, 50, 20, 30
# An opening is written down once for each attendant and so long.
_OPENED_AGAIN_MS = 900_000
# A card's summary comes after HEAD says that people have it: until then nothing that is read is called unchanged.
_CARD_COMES_MS = 180_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AttendantReading:
    """`ids_of_phone` gives the conversations that a phone may have, "" of none. Raises `AttendanceRefusedError`."""

    store: AttendedStore
    clock: Clock
    catalog: Catalog
    ids_of_phone: Callable[[str], Sequence[str]]

    def queue(self, *, cursor: str | None = None) -> QueuePage:
        """One request."""
        after = None
        if cursor:
            since, _, conversation = cursor.partition(".")
            after = (int(since), conversation)
        found = self.store.people_queue(limit=QUEUE_PAGE, after=after)
        items = tuple(item_of(each.conversation, each.head) for each in found)
        more = items[-1] if len(items) == QUEUE_PAGE else None
        return QueuePage(items=items, next_cursor=f"{more.since_ms}.{more.id}" if more else None)

    def search(self, phone: str) -> QueuePage:
        """The conversation of a phone, wherever it is now."""
        found: dict[str, Head] = {}
        for conversation in self.ids_of_phone(phone):
            try:
                snapshot = at_home(self.store, conversation)
            except AttendanceRefusedError:
                continue
            found[snapshot.conversation] = snapshot.head
        return QueuePage(items=tuple(item_of(name, head) for name, head in found.items()), next_cursor=None)

    def snapshot(self, conversation: str) -> Snapshot:
        """One request: enough to say whether anything changed."""
        return at_home(self.store, conversation)

    def tag(self, snapshot: Snapshot) -> str | None:
        """A name of what is read: the same as long as nothing changes. None while the card is still to come."""
        head = snapshot.head
        asked_ms = head.handoff_since_ms or 0
        if head.mode is Mode.HUMAN and self.clock.now_ms() - asked_ms < _CARD_COMES_MS and not head.owner:
            return None
        states = "".join(f"{part.state.value}{int(part.rank)}" for part in snapshot.parts)
        states += "".join(entry.sk for entry in snapshot.log)
        return f"{revision_of(head)}-{hashlib.sha256(states.encode()).hexdigest()[:12]}"

    def opened(self, snapshot: Snapshot, attendant: Attendant, *, after: str | None = None) -> ConversationView:
        """The conversation, with whatever lies between `after` and its newest entries; written down, now and then."""
        conversation, head = snapshot.conversation, snapshot.head
        log = self._since(snapshot, None if after is None else message_sk(after))
        effect = quote = None
        if head.handoff_turn:
            effect = self.store.read_effect(conversation, effect_sk(head.handoff_turn, EffectKind.HANDOFF.value))
            if head.handoff_reason == HandoffReason.COMPLETED.value:
                quote = self.store.read_effect(conversation, effect_sk(head.handoff_turn, EffectKind.QUOTE.value))
        audit = self.store.audit_page(conversation, limit=AUDIT_PAGE)
        now_ms = self.clock.now_ms()
        if not any(
            each.actor == attendant.id and each.action == OPENED and now_ms - each.at_ms < _OPENED_AGAIN_MS
            for each in audit
        ):
            self.store.note_audit(conversation, audit_of(snapshot, attendant, OPENED, now_ms=now_ms))
        return ConversationView(
            item=item_of(conversation, head),
            revision=revision_of(head),
            entries=entries_of(conversation, log),
            older_cursor=_first_key(log),
            cursor=public_key(log[-1].sk) if log else None,
            card=card_of_conversation(snapshot, effect, self.catalog, quote=quote),
            audit=audit_lines(audit),
        )

    def older(self, conversation: str, *, before: str) -> EntriesPage:
        """Entries before a key."""
        home = at_home(self.store, conversation)
        log = self.store.log_page(home.conversation, before=message_sk(before), limit=ENTRIES_PAGE)
        standing = as_it_stands(
            Snapshot(conversation=home.conversation, head=home.head, state=home.state, log=tuple(log))
        )
        return EntriesPage(entries=entries_of(home.conversation, standing.log), older_cursor=_first_key(log))

    def turns(self, conversation: str, *, before: str | None = None) -> TurnsPage:
        """What the bot did, newest first."""
        home = at_home(self.store, conversation)
        found = self.store.turns_page(
            home.conversation, before=None if before is None else turn_key(before), limit=TURNS_PAGE
        )
        more = public_key(found[-1].sk) if len(found) == TURNS_PAGE else None
        return TurnsPage(turns=tuple(turn_view(each) for each in found), older_cursor=more)

    def entry(self, conversation: str, key: str) -> LogEntry:
        """One message."""
        sk = message_sk(key)
        found = self.store.read(conversation, ensure=sk)
        for each in found.log:
            if each.sk == sk:
                return each
        raise AttendanceRefusedError(Refusal.NOT_FOUND)

    def _since(self, snapshot: Snapshot, after: str | None) -> Sequence[LogEntry]:
        """The newest page, and what lies between: late messages sort before newer ones, so the page is given whole."""
        newest = as_it_stands(snapshot).log
        if after is None or not newest or after >= newest[0].sk:
            return newest
        between = self.store.log_page(snapshot.conversation, after=after, limit=4 * ENTRIES_PAGE)
        return (*(each for each in between if each.sk < newest[0].sk), *newest)


def _first_key(log: Sequence[LogEntry]) -> str | None:
    return public_key(log[0].sk) if log else None
