"""One conversation for each customer, whichever of their ids a message carries (docs/adr/0005).

The id under which a customer was first seen keeps the conversation; every other id becomes an alias of it. These are
the slow roads, for the moment at which ids meet: a message whose ids are known takes none of them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.application.intake.conversation_merge import merged_head, merged_state
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import Head, IdentityLink, Snapshot
from core.domain.errors import IntegrationError, StoreConflictError
from core.domain.head_transitions import alias_lasts_until_ms, known_by

_log = logging.getLogger(__name__)

_TRIES = 6
_MOST_HOPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityLinks:
    """Every write is on heads as they were read: what races it (a message, a turn) makes it look again."""

    store: ConversationStore
    clock: Clock
    retention_days: int
    session_ttl_hours: int
    identity_trust_days: int = 90

    def home(self, ids: Sequence[str]) -> Snapshot:
        """The conversation of a customer of whom nothing is to be recorded or linked yet."""
        first = self._home(ids[0])
        if first.head.exists or len(ids) == 1:
            return first
        second = self._home(ids[1])
        return second if second.head.exists and second.head.bsuid is None else first

    def introduce(self, bsuid: str, phone: str) -> None:
        """A message names both, and the phone leads elsewhere. The first BSUID of a known phone is the same customer's;
        another one is another person's, who has that number now.
        """
        self._until_it_holds(lambda: self._introduce(bsuid, phone))

    def change(self, previous: Sequence[str], current: Sequence[str], *, bsuid: str | None = None) -> None:
        """The provider says that these ids are one customer's, before and after; `bsuid` is the BSUID's among them."""
        self._until_it_holds(lambda: self._change(previous, current, bsuid))

    def _introduce(self, bsuid: str, phone: str) -> None:
        here, there = self._home(bsuid), self._home(phone)
        if here.conversation == there.conversation:
            return
        if self._is_of_another(there, {bsuid, here.conversation, *here.head.aliases}):
            self._pass_by(here, phone, bsuid)
        else:
            self._join(there, here, bsuid)

    def _change(self, previous: Sequence[str], current: Sequence[str], bsuid: str | None) -> None:
        ids = tuple(dict.fromkeys((*previous, *current)))
        homes = [self._home(each) for each in ids]
        kept = next((home for home in homes if home.head.exists), homes[0])
        for each in ids:
            kept, other = self._home(kept.conversation), self._home(each)
            if other.conversation == kept.conversation:
                if each != kept.conversation:
                    self._move_log(each, kept.conversation)  # an earlier try may have ended before this
            elif each in current and self._is_of_another(other, {*ids, kept.conversation, *kept.head.aliases}):
                self._pass_by(kept, each, bsuid)
            else:
                self._join(kept, other, bsuid)
        _log.info("identity_changed", extra={"conversation": kept.conversation, "ids": len(ids)})

    def _is_of_another(self, home: Snapshot, ours: set[str]) -> bool:
        return home.head.bsuid is not None and home.head.bsuid not in ours

    def _pass_by(self, here: Snapshot, other_id: str, bsuid: str | None) -> None:
        """The id is somebody else's: where it only was their alias, it is ours from now on."""
        seen = self.store.read(other_id).head
        head = self._known_by(here.head, other_id, bsuid)
        link = IdentityLink(conversation=here.conversation, seen=here.head, head=head)
        self.store.link(link if seen.moved_to is None else replace(link, alias=other_id, alias_seen=seen))
        _log.warning("identity_of_another", extra={"conversation": here.conversation})

    def _join(self, kept: Snapshot, other: Snapshot, bsuid: str | None) -> None:
        if kept.head.exists and other.head.exists:
            self._merge(kept, other, bsuid)
            return
        if other.head.exists:
            kept, other = other, kept
        head = self._known_by(kept.head, other.conversation, bsuid)
        self.store.link(
            IdentityLink(conversation=kept.conversation, seen=kept.head, head=head, alias=other.conversation)
        )

    def _merge(self, kept: Snapshot, other: Snapshot, bsuid: str | None) -> None:
        """Copied before, so that nothing pending is missing; and after, for what was put in between."""
        ttl_ms = self.session_ttl_hours * 3_600_000
        self.store.copy_log(other.conversation, kept.conversation)
        aliases = {other.conversation: self._lasts_until_ms()}
        head = merged_head(kept, other, aliases=aliases, bsuid=bsuid, session_ttl_ms=ttl_ms)
        self.store.link(
            IdentityLink(
                conversation=kept.conversation,
                seen=kept.head,
                head=head,
                state=merged_state(kept, other, session_ttl_ms=ttl_ms, trust_ms=self.identity_trust_days * 86_400_000),
                alias=other.conversation,
                alias_seen=other.head,
            )
        )
        self._move_log(other.conversation, kept.conversation)
        _log.info("conversations_merged", extra={"conversation": kept.conversation, "other": other.conversation})

    def _move_log(self, source: str, target: str) -> None:
        """Once the ids are linked nothing new comes to the source: what is copied now is all."""
        self.store.copy_log(source, target)
        self.store.forget_moved(source)

    def _known_by(self, head: Head, alias: str, bsuid: str | None) -> Head:
        return known_by(head, alias, until_ms=self._lasts_until_ms(), bsuid=bsuid)

    def _lasts_until_ms(self) -> int:
        return alias_lasts_until_ms(now_ms=self.clock.now_ms(), retention_days=self.retention_days)

    def _home(self, conversation: str) -> Snapshot:
        return read_home(self.store, conversation)

    def _until_it_holds(self, attempt: Callable[[], None]) -> None:
        for _ in range(_TRIES):
            try:
                return attempt()
            except StoreConflictError:
                continue
        raise IntegrationError("two ids of a customer keep moving")


def read_home(store: ConversationStore, conversation: str, *, ensure: str | None = None) -> Snapshot:
    """A conversation where it is now: one read, and one more for each time that it moved."""
    for _ in range(_MOST_HOPS + 1):
        snapshot = store.read(conversation, ensure=ensure)
        if snapshot.head.moved_to is None:
            return snapshot
        conversation = snapshot.head.moved_to
    raise IntegrationError("a conversation moves in circles")
