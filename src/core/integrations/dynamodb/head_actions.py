"""The actions on HEAD, each with its condition from docs/turn.md ("Record", "Commit")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from core.domain.conversation import PENDING_OVERDUE_MS, Erasure, Head, InboundRecord, Mode, Seizure
from core.domain.delivery import OutboundPart
from core.domain.head_transitions import alias_lasts_until_ms, recorded, seized
from core.domain.record_keys import HEAD, due_shard, ms_of, pk_of
from core.domain.spending import Spend
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.expressions import Action, Expression

# What a commit writes of HEAD: all but what other writes add to, and the index's two attributes.
_ADDED_TO = {
    *("pending", "in_rev", "aliases", "bsuid", "spent", "name", "last_inbound_ms", "undelivered"),
    *("erased_at_ms", "formerly"),
}
_WRITTEN = ({f.name for f in fields(Head)} - _ADDED_TO) | {"due_shard", "due_at", "people", "people_at"}

# What is written of a HEAD that nobody can read.
SEIZED = (
    "mode",
    "handoff_reason",
    "handoff_since_ms",
    "handoff_acknowledged",
    "due_ms",
    "due_shard",
    "due_at",
    "handoff_turn",
    "people_since_ms",
    "people",
    "people_at",
)
# Nobody has a conversation that is handed over anew.
UNOWNED = ("owner", "owner_name", "owner_spoke_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """`asked` is the id that a message came for, `other` the id of its sender's phone; `notes`: the head learns it;
    `taken`: it was seen to lead elsewhere.
    """

    asked: str = ""
    other: str | None = None
    notes: bool = False
    taken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadActions:
    """`now_ms` is this request's time, from which `retention_days` count for what it writes."""

    table: str
    now_ms: int
    retention_days: int

    @property
    def ttl(self) -> int:
        """Of what is written now, in seconds."""
        return codec.ttl_of(now_ms=self.now_ms, retention_days=self.retention_days)

    def with_pending(self, inbounds: Sequence[InboundRecord], identity: Identity, *, sooner: bool = False) -> Action:
        """Messages wait. Refused when the conversation moved, when HEAD is past its ttl, when it does not know the
        customer's other id, and when it is due later than they would be overdue; `sooner` then brings the due time
        forward.
        """
        inbound = inbounds[0]
        overdue = inbound.received_at_ms + PENDING_OVERDUE_MS
        e = Expression()
        self._of_customer(e, identity)
        e.add("in_rev", len(inbounds))
        e.add("pending", frozenset(each.sk for each in inbounds))
        e.set_default("mode", Mode.BOT.value)
        e.set_default("ver", 0)
        e.set_default("pending_since_ms", inbound.received_at_ms)
        e.set_default("session_start_ms", ms_of(inbound.sk))
        e.set("last_inbound_ms", inbounds[-1].received_at_ms)
        if name := inbounds[-1].message.sender.name:
            e.set("name", name)
        e.set("ttl", self.ttl)
        keep_or_set = e.set if sooner else e.set_default
        keep_or_set("due_shard", due_shard(pk_of(inbound.conversation)))
        keep_or_set("due_at", overdue)
        e.require(e.absent("moved_to"))
        e.require(f"{e.absent('ttl')} OR {e.name('ttl')} > {e.value(self.now_ms // 1000)}")
        e.require(self._not_erased(e, inbounds))
        if not sooner:
            e.require(f"{e.absent('due_at')} OR {e.name('due_at')} <= {e.value(overdue)}")
        return e.update(self.table, pk_of(inbound.conversation), HEAD)

    def failed(self, conversation: str, *, kind: str) -> Action:
        """A turn of what is pending failed. Refused where nothing is."""
        e = Expression()
        e.add("failures", 1)
        e.set("failure_kind", kind)
        e.require(f"attribute_exists({e.name('pending')})")
        return e.update(self.table, pk_of(conversation), HEAD)

    def renewed(self, inbounds: Sequence[InboundRecord]) -> Action:
        """The same on a HEAD that the table should have dropped: nothing of it is kept."""
        return self._put_new(inbounds[0].conversation, recorded(Head(), inbounds))

    def not_moved(self, conversation: str, identity: Identity, inbounds: Sequence[InboundRecord]) -> Action:
        """Asks only whether the conversation is still here and knows the customer's other id; notes that id if told."""
        e = Expression()
        if identity.notes:
            self._of_customer(e, identity)
            e.set_default("mode", Mode.BOT.value)
            e.set_default("ver", 0)
            e.set("ttl", self.ttl)
            e.require(e.absent("moved_to"))
            e.require(f"{e.absent('ttl')} OR {e.name('ttl')} > {e.value(self.now_ms // 1000)}")
            e.require(self._not_erased(e, inbounds))
            return e.update(self.table, pk_of(conversation), HEAD)
        here = e.absent("moved_to")
        if identity.other:
            here = f"{here} AND {self._known(e, identity.other)}"
        here = f"{here} AND ({self._not_erased(e, inbounds)})"
        e.require(f"({here}) OR {e.name('ttl')} <= {e.value(self.now_ms // 1000)}")
        return e.check(self.table, pk_of(conversation), HEAD)

    def alias(self, alias: str, target: str) -> Action:
        """An id that nobody has leads to `target`, or does already."""
        e = self._leading_away(target)
        e.set_default("ver", 0)
        e.set_default("mode", Mode.BOT.value)
        e.require(f"{self._free(e)} OR {e.equals('moved_to', target)}")
        return e.update(self.table, pk_of(alias), HEAD)

    def led_away(self, alias: str, *, seen: Head, target: str) -> Action:
        """Any id leads to `target`, if its head is still as seen."""
        if not seen.exists:
            return self.alias(alias, target)
        e = self._leading_away(target)
        e.set("ver", seen.ver + 1)
        if seen.moved_to not in (None, target) and seen.formerly is None:
            e.set("formerly", seen.moved_to)
        self._as_seen(e, seen, guard_in_rev=True)
        e.require(e.absent("moved_to") if seen.moved_to is None else e.equals("moved_to", seen.moved_to))
        return e.update(self.table, pk_of(alias), HEAD)

    def kept(self, alias: str, target: str) -> Action:
        """An alias that was followed lives on."""
        e = Expression()
        e.set("ttl", self.ttl)
        e.require(e.equals("moved_to", target))
        return e.update(self.table, pk_of(alias), HEAD)

    def written(
        self,
        conversation: str,
        *,
        seen: Head,
        after: Head,
        answered: frozenset[str],
        guard_in_rev: bool,
        spent: Spend | None = None,
    ) -> Action:
        """HEAD as a commit or a mode change leaves it, if it is as seen. A head never seen must not exist."""
        if not seen.exists:
            return self._put_new(conversation, after)
        e = Expression()
        self._set_written(e, conversation, after)
        e.delete("pending", answered)
        if spent is not None:
            e.add(codec.spent_attribute(spent.day), spent.micro_usd)
            for day in seen.spent.keys() - after.spent.keys():
                e.set(codec.spent_attribute(day), None)
        self._as_seen(e, seen, guard_in_rev=guard_in_rev)
        return e.update(self.table, pk_of(conversation), HEAD)

    def seized(self, seizure: Seizure) -> Action:
        """Over whatever HEAD holds."""
        after = seized(reason=seizure.reason, since_ms=seizure.since_ms, due_ms=seizure.due_ms, turn=seizure.turn.turn)
        item = codec.head_to_item(seizure.conversation, after)
        e = Expression()
        for name in (*SEIZED, *UNOWNED):
            e.set(name, item.get(name))
        e.set("ttl", self.ttl)
        return e.update(self.table, pk_of(seizure.conversation), HEAD)

    def paid(self, conversation: str, spent: Spend) -> Action:
        """Model calls cost so much, whoever has written HEAD meanwhile. Refused where it moved or is unknown."""
        e = Expression()
        e.add(codec.spent_attribute(spent.day), spent.micro_usd)
        e.require(f"attribute_exists({e.name('sk')})")
        e.require(e.absent("moved_to"))
        return e.update(self.table, pk_of(conversation), HEAD)

    def told_undelivered(self, conversation: str) -> Action:
        """A part surely did not arrive, whoever has written HEAD meanwhile. Refused where nobody knows it."""
        e = Expression()
        e.add("undelivered", 1)
        e.require(f"attribute_exists({e.name('sk')})")
        return e.update(self.table, pk_of(conversation), HEAD)

    def joined(self, conversation: str, *, seen: Head, after: Head) -> Action:
        """HEAD with what an alias brings: its pending messages and its id."""
        if not seen.exists:
            return self._put_new(conversation, after)
        e = Expression()
        self._set_written(e, conversation, after)
        if brought := after.pending - seen.pending:
            e.add("pending", brought)
            e.add("in_rev", len(brought))
        for alias, until_ms in after.aliases.items():
            e.set(codec.alias_attribute(alias), until_ms)
        for day, sum_ in sorted(after.spent.items()):
            if brought_usd := sum_ - seen.spent.get(day, 0):
                e.add(codec.spent_attribute(day), brought_usd)
        for name in ("bsuid", "name", "last_inbound_ms"):
            e.set(name, getattr(after, name))
        self._as_seen(e, seen, guard_in_rev=True)
        e.require(e.absent("moved_to"))
        return e.update(self.table, pk_of(conversation), HEAD)

    def lets_send(self, conversation: str, part: OutboundPart) -> Action:
        """Asks what `Head.lets_send` asks, of a part that may not leave whatever happened."""
        e = Expression()
        people = f"{e.name('mode')} = {e.value(Mode.HUMAN.value)}"
        last = f"NOT {people}" if part.exempt else f"NOT {people} AND {e.equals('last_turn', part.turn)}"
        nobody_came = f"{people} AND NOT {e.equals('handoff_acknowledged', True)}" if part.unless_taken else ""
        e.require(f"({last}) OR ({nobody_came})" if nobody_came else last)
        return e.check(self.table, pk_of(conversation), HEAD)

    def moved(self, conversation: str) -> Action:
        """Asks whether the conversation leads elsewhere."""
        e = Expression()
        e.require(f"attribute_exists({e.name('moved_to')})")
        return e.check(self.table, pk_of(conversation), HEAD)

    def entombed(self, erasure: Erasure) -> Action:
        """HEAD whole, with nothing of what it held, if it is as seen."""
        e = Expression()
        if erasure.seen is not None:
            self._as_seen(e, erasure.seen, guard_in_rev=True)
        item = codec.head_to_item(erasure.conversation, erasure.head)
        return e.put(self.table, {**item, "ttl": self.ttl})

    def buried(self, alias: str, target: str) -> Action:
        """An id that leads to `target` keeps nothing but that."""
        e = Expression()
        e.require(e.equals("moved_to", target))
        return e.put(self.table, {**codec.head_to_item(alias, Head(moved_to=target)), "ttl": self.ttl})

    def not_erased_since(self, conversation: str, at_ms: int) -> Action:
        """Asks whether what is held of the customer was not erased since then."""
        e = Expression()
        e.require(f"{e.absent('erased_at_ms')} OR {e.name('erased_at_ms')} < {e.value(at_ms)}")
        return e.check(self.table, pk_of(conversation), HEAD)

    def _not_erased(self, e: Expression, inbounds: Sequence[InboundRecord]) -> str:
        oldest_ms = min(each.message.sent_at_ms for each in inbounds)
        return f"{e.absent('erased_at_ms')} OR {e.name('erased_at_ms')} < {e.value(oldest_ms)}"

    def _put_new(self, conversation: str, head: Head) -> Action:
        e = Expression()
        e.require(self._free(e))
        return e.put(self.table, {**codec.head_to_item(conversation, head), "ttl": self.ttl})

    def _leading_away(self, target: str) -> Expression:
        """Nothing waits at an alias. What its outbox asks of a head stays."""
        e = Expression()
        e.set("moved_to", target)
        e.set("ttl", self.ttl)
        for name in ("pending", "pending_since_ms", "due_ms", "due_shard", "due_at", "people", "people_at"):
            e.set(name, None)
        return e

    def _free(self, e: Expression) -> str:
        return f"{e.absent('sk')} OR {e.name('ttl')} <= {e.value(self.now_ms // 1000)}"

    def _set_written(self, e: Expression, conversation: str, after: Head) -> None:
        item = codec.head_to_item(conversation, after)
        for name in sorted(_WRITTEN):
            e.set(name, item.get(name))
        e.set("ttl", self.ttl)

    def _as_seen(self, e: Expression, seen: Head, *, guard_in_rev: bool) -> None:
        e.require(e.equals("ver", seen.ver))
        e.require(e.equals("mode", seen.mode.value))
        if guard_in_rev:
            never = f"{e.absent('in_rev')} OR " if seen.in_rev == 0 else ""
            e.require(never + e.equals("in_rev", seen.in_rev))

    def _of_customer(self, e: Expression, identity: Identity) -> None:
        """The other id must be known, or is noted now."""
        if identity.other is None:
            return
        if identity.notes:
            e.set(codec.alias_attribute(identity.other), self._alias_lasts_until_ms())
            e.set_default("bsuid", identity.asked)
        else:
            e.require(self._known(e, identity.other))

    def _alias_lasts_until_ms(self) -> int:
        return alias_lasts_until_ms(now_ms=self.now_ms, retention_days=self.retention_days)

    def _known(self, e: Expression, other: str) -> str:
        return f"{e.name(codec.alias_attribute(other))} > {e.value(self.now_ms)}"
