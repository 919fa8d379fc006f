"""The actions on HEAD, each with its condition from 20-turn.md ("Record", "Commit")."""

from __future__ import annotations

from dataclasses import dataclass, fields

from core.domain.conversation import PENDING_OVERDUE_MS, Head, InboundRecord, Mode
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.expressions import Action, Expression
from core.integrations.dynamodb.keys import HEAD, due_shard, ms_of, pk_of

# What a commit writes of HEAD: all but what only `record` adds to, and the index's two attributes.
_WRITTEN = ({f.name for f in fields(Head)} - {"pending", "in_rev"}) | {"due_shard", "due_at"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadActions:
    """`now_ms` is this request's time and `ttl` (seconds) what it gives to what it writes."""

    table: str
    now_ms: int
    ttl: int

    def with_pending(self, inbound: InboundRecord, *, sooner: bool = False) -> Action:
        """A message waits. Refused when the conversation moved, when HEAD is past its ttl, and when it is due later
        than this message would be overdue; `sooner` then brings the due time forward.
        """
        overdue = inbound.received_at_ms + PENDING_OVERDUE_MS
        e = Expression()
        e.add("in_rev", 1)
        e.add("pending", frozenset({inbound.sk}))
        e.set_default("mode", Mode.BOT.value)
        e.set_default("ver", 0)
        e.set_default("pending_since_ms", inbound.received_at_ms)
        e.set_default("session_start_ms", ms_of(inbound.sk))
        e.set("ttl", self.ttl)
        keep_or_set = e.set if sooner else e.set_default
        keep_or_set("due_shard", due_shard(pk_of(inbound.conversation)))
        keep_or_set("due_at", overdue)
        e.require(e.absent("moved_to"))
        e.require(f"{e.absent('ttl')} OR {e.name('ttl')} > {e.value(self.now_ms // 1000)}")
        if not sooner:
            e.require(f"{e.absent('due_at')} OR {e.name('due_at')} <= {e.value(overdue)}")
        return e.update(self.table, pk_of(inbound.conversation), HEAD)

    def renewed(self, inbound: InboundRecord) -> Action:
        """The same on a HEAD that the table should have dropped: nothing of it is kept."""
        head = Head(
            in_rev=1,
            pending=frozenset({inbound.sk}),
            pending_since_ms=inbound.received_at_ms,
            session_start_ms=ms_of(inbound.sk),
        )
        return self._put_new(inbound.conversation, head)

    def not_moved(self, conversation: str) -> Action:
        """Asks only whether the conversation is still here."""
        e = Expression()
        e.require(f"{e.absent('moved_to')} OR {e.name('ttl')} <= {e.value(self.now_ms // 1000)}")
        return e.check(self.table, pk_of(conversation), HEAD)

    def kept(self, alias: str, target: str) -> Action:
        """An alias that was followed lives on."""
        e = Expression()
        e.set("ttl", self.ttl)
        e.require(e.equals("moved_to", target))
        return e.update(self.table, pk_of(alias), HEAD)

    def written(
        self, conversation: str, *, seen: Head, after: Head, answered: frozenset[str], guard_in_rev: bool
    ) -> Action:
        """HEAD as a commit or a mode change leaves it, if it is as seen. A head never seen must not exist."""
        if seen.ver == 0 and seen.in_rev == 0:
            return self._put_new(conversation, after)
        item = codec.head_to_item(conversation, after)
        e = Expression()
        for name in sorted(_WRITTEN):
            e.set(name, item.get(name))
        e.set("ttl", self.ttl)
        e.delete("pending", answered)
        e.require(e.equals("ver", seen.ver))
        e.require(e.equals("mode", seen.mode.value))
        if guard_in_rev:
            never = f"{e.absent('in_rev')} OR " if seen.in_rev == 0 else ""
            e.require(never + e.equals("in_rev", seen.in_rev))
        return e.update(self.table, pk_of(conversation), HEAD)

    def answers(self, conversation: str, turn: str) -> Action:
        """Asks whether this turn is still the last one and no person has taken over."""
        e = Expression()
        e.require(f"{e.name('mode')} <> {e.value(Mode.HUMAN.value)}")
        e.require(e.equals("last_turn", turn))
        return e.check(self.table, pk_of(conversation), HEAD)

    def _put_new(self, conversation: str, head: Head) -> Action:
        e = Expression()
        e.require(f"{e.absent('sk')} OR {e.name('ttl')} <= {e.value(self.now_ms // 1000)}")
        return e.put(self.table, {**codec.head_to_item(conversation, head), "ttl": self.ttl})
