"""The table in memory, for replays and tests.

Faithful because it keeps the table's own items (through the same codec, so that it refuses what the table refuses),
checks the same conditions under one lock, and runs the same contract suite as the adapter
(tests/integration/test_conversation_store_contract.py). Safe under threads.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from core.application.ports import BURST_MAX, Clock
from core.domain import delivery
from core.domain import head_transitions as transitions
from core.domain.conversation import (
    AuditEntry,
    ConversationState,
    Effect,
    EffectState,
    Erasure,
    Head,
    IdentityLink,
    InboundRecord,
    LogEntry,
    PeopleWrite,
    QueueEntry,
    Seizure,
    Snapshot,
    TurnCommit,
)
from core.domain.delivery import DeliveryStatus, OutboundPart, PartChange, PartOutcome, PartState
from core.domain.errors import IntegrationError, OvertakenError, PartMovedError, SplitIdentityError
from core.domain.head_transitions import conflict
from core.domain.ledger import TurnRecord
from core.domain.messages import InboundPointer
from core.domain.record_keys import HEAD, STATE, conversation_of, is_inbound, parts_from, pk_of
from core.domain.salvage import Salvage
from core.domain.spending import Spend
from core.integrations.dynamodb import codec, moving
from core.integrations.dynamodb.attributes import marshalled, unmarshalled
from core.integrations.dynamodb.head_actions import SEIZED, UNOWNED
from core.integrations.dynamodb.reading import legible_log, salvaged, since_erased

READ_LIMIT = 32
MAX_HOPS = 8

Item = dict[str, Any]


class MemoryConversationStore:
    """What it holds can be looked at, and laid in it whole."""

    def __init__(self, clock: Clock, *, retention_days: int = 180) -> None:
        self._clock = clock
        self._retention_days = retention_days
        self._items: dict[tuple[str, str], Item] = {}
        self._keys: defaultdict[str, set[str]] = defaultdict(set)
        self._lock = threading.RLock()

    def lay(self, snapshot: Snapshot) -> None:
        """The conversation stands as in the snapshot, whatever it was."""
        conversation = snapshot.conversation
        for sk in self._keys.pop(pk_of(conversation), ()):
            del self._items[pk_of(conversation), sk]
        self._put_head(conversation, snapshot.head)
        self._put(codec.state_to_item(conversation, snapshot.state))
        for entry in snapshot.log:
            self._put(
                codec.inbound_to_item(entry)
                if isinstance(entry, InboundRecord)
                else codec.part_to_item(conversation, entry)
            )

    def lay_items(self, items: Iterable[Item]) -> None:
        """These as the table gave them, each in the place of its key."""
        for item in items:
            self._lay(item)

    # What it holds

    def head(self, conversation: str) -> Head:
        return codec.item_to_head(self._get(conversation, HEAD) or {})

    def state(self, conversation: str) -> ConversationState:
        return codec.item_to_state(self._get(conversation, STATE) or {})

    def inbounds(self, conversation: str) -> tuple[InboundRecord, ...]:
        return tuple(codec.item_to_inbound(i) for i in self._all(conversation, "M#") if is_inbound(i["sk"]))

    def parts(self, conversation: str) -> tuple[OutboundPart, ...]:
        return tuple(codec.item_to_part(i) for i in self._all(conversation, "M#") if not is_inbound(i["sk"]))

    def log(self, conversation: str) -> tuple[LogEntry, ...]:
        return tuple(codec.item_to_entry(i) for i in self._all(conversation, "M#"))

    def turns(self, conversation: str) -> tuple[TurnRecord, ...]:
        return tuple(codec.item_to_turn(i) for i in self._all(conversation, "T#"))

    def effects(self, conversation: str) -> tuple[Effect, ...]:
        return tuple(codec.item_to_effect(i) for i in self._all(conversation, "E#"))

    def conversations(self) -> tuple[str, ...]:
        """Every conversation that leads nowhere else."""
        heads = (conversation_of(pk) for pk, sk in self._items if sk == HEAD)
        return tuple(each for each in heads if self.head(each).moved_to is None)

    def items(self, conversation: str) -> tuple[Item, ...]:
        """A conversation's items as the table holds them, in the order of their keys."""
        return tuple(self._all(conversation, ""))

    # The port

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        with self._request("read"):
            head, state = self.head(conversation), self.state(conversation)
            entries = self._newest(conversation)
            named = parts_from(ensure) if ensure and ensure not in entries else ()
            beyond = {sk for sk in (*head.pending, *named) if sk not in entries}
            if beyond:
                self._note_request("batch_get")
                items = [self._get(conversation, sk) for sk in beyond]
                entries |= {item["sk"]: item for item in items if item}
            log = since_erased(legible_log(entries, needed={*head.pending, ensure or ""}), head)
            return Snapshot(conversation=conversation, head=head, state=state, log=log)

    def salvage(self, conversation: str, *, ensure: str | None = None) -> Salvage:
        with self._request("salvage"):
            items = self._newest(conversation)
            named = parts_from(ensure) if ensure and ensure not in items else ()
            if named:
                self._note_request("batch_get")
            found = [self._get(conversation, sk) for sk in (HEAD, *named)]
            return salvaged(conversation, items | {item["sk"]: item for item in found if item})

    def seize(self, seizure: Seizure) -> bool:
        with self._request("seize"):
            conversation = seizure.conversation
            if self._get(conversation, seizure.turn.sk):
                return False
            after = transitions.seized(
                reason=seizure.reason, since_ms=seizure.since_ms, due_ms=seizure.due_ms, turn=seizure.turn.turn
            )
            written = codec.head_to_item(conversation, after)
            head = self._get(conversation, HEAD) or {"pk": written["pk"], "sk": written["sk"]}
            items = [
                {
                    **{name: value for name, value in head.items() if name not in UNOWNED},
                    **{name: written[name] for name in SEIZED},
                },
                codec.turn_to_item(conversation, seizure.turn),
                *(codec.part_to_item(conversation, part) for part in seizure.parts),
                *(codec.effect_to_item(conversation, effect) for effect in seizure.effects),
            ]
            for item in items:
                self._put(item)
            return True

    def record(self, inbound: InboundRecord, *, also: str | None = None) -> InboundPointer:
        with self._request("record"):
            conversation, other = inbound.conversation, also
            for _ in range(MAX_HOPS + 1):
                pointer = InboundPointer(conversation=conversation, sk=inbound.sk)
                if self._get(conversation, inbound.sk):
                    return pointer
                if inbound.known_as and (known := self._get(conversation, inbound.known_as)):
                    return replace(pointer, sk=known["message"])
                head = self.head(conversation)
                if head.moved_to is None:
                    if inbound.message.sent_at_ms <= (head.erased_at_ms or -1):
                        return pointer
                    if other is not None and head.aliases.get(other, 0) <= self._clock.now_ms():
                        if head.aliases.get(other):
                            self._note_request("record")
                        head = self._introduced(conversation, head, other, asked=inbound.conversation)
                    self._put_inbound(replace(inbound, conversation=conversation))
                    if inbound.message.opens_turn:
                        self._put_head(conversation, transitions.recorded(head, [inbound]))
                    elif head.exists:
                        self._put_head(conversation, head)
                    return pointer
                self._note_request("record")
                self._put_head(conversation, head)
                conversation = head.moved_to
                other = None if other == conversation else other
            raise IntegrationError("record: too many moves")

    def record_burst(self, inbounds: Sequence[InboundRecord], *, also: str | None = None) -> Sequence[InboundPointer]:
        with self._request("record_burst"):
            if len({inbound.sk for inbound in inbounds}) < len(inbounds) or any(each.known_as for each in inbounds):
                return ()
            if len(inbounds) > BURST_MAX:
                return ()
            asked = conversation = inbounds[0].conversation
            while (head := self.head(conversation)).moved_to is not None:
                self._note_request("record_burst")
                self._put_head(conversation, head)
                conversation = head.moved_to
            also = None if also == conversation else also
            unknown = [
                replace(each, conversation=conversation)
                for each in inbounds
                if not self._get(conversation, each.sk) and each.message.sent_at_ms > (head.erased_at_ms or -1)
            ]
            if unknown and also is not None and head.aliases.get(also, 0) <= self._clock.now_ms():
                head = self._introduced(conversation, head, also, asked=asked)
            items = [codec.inbound_to_item(inbound) for inbound in unknown]
            for item in items:
                self._put(item)
            if unknown:
                self._put_head(conversation, transitions.recorded(head, unknown))
            return tuple(InboundPointer(conversation=conversation, sk=inbound.sk) for inbound in inbounds)

    def interject(self, inbound: InboundRecord, *, seen: Head, head: Head, state: ConversationState) -> bool:
        with self._request("interject"):
            conversation = inbound.conversation
            if self._get(conversation, inbound.sk) or (inbound.known_as and self._get(conversation, inbound.known_as)):
                return True
            if conflict(seen=seen, actual=self.head(conversation), guard_in_rev=True):
                return False
            after = transitions.written(base=seen, wanted=head, answered=frozenset(), now_ms=self._clock.now_ms())
            self._put_inbound(inbound)
            self._put_head(conversation, after)
            self._put(codec.state_to_item(conversation, state))
            return True

    def link(self, link: IdentityLink) -> None:
        with self._request("link"):
            actual = self.head(link.conversation)
            if _differs(actual, link.seen) or actual.moved_to is not None:
                raise OvertakenError("overtaken")
            if link.alias is not None:
                alias = self.head(link.alias)
                known = not link.alias_seen.exists and alias.moved_to == link.conversation
                if _differs(alias, link.alias_seen) and not known:
                    raise OvertakenError("overtaken")
                self._put_head(link.alias, transitions.led_away(alias, link.conversation))
            self._put_head(link.conversation, link.head)
            if link.state is not None:
                self._put(codec.state_to_item(link.conversation, link.state))

    def copy_log(self, source: str, target: str) -> None:
        with self._request("copy_log"):
            for item in self._all(source, "M#"):
                if moving.moves(item):
                    self._lay(moving.copied(item, target))

    def forget_moved(self, source: str) -> None:
        with self._request("forget_moved"):
            if self.head(source).moved_to is None:
                return
            self._items.pop((pk_of(source), STATE), None)
            for item in self._all(source, "M#"):
                if is_inbound(item["sk"]):
                    del self._items[pk_of(source), item["sk"]]

    def commit(self, commit: TurnCommit) -> None:
        with self._request("commit"):
            conversation, actual = commit.conversation, self.head(commit.conversation)
            if error := conflict(seen=commit.seen, actual=actual, guard_in_rev=commit.guard_in_rev):
                raise error
            cancelled = [self._part(conversation, sk) for sk in commit.cancelled_parts]
            if any(part is None or part.state is not PartState.PENDING for part in cancelled):
                raise PartMovedError("part_moved")
            head = transitions.written(
                base=actual,
                wanted=commit.head,
                answered=commit.answered,
                now_ms=self._clock.now_ms(),
                spent=commit.spent,
            )
            items = [
                codec.head_to_item(conversation, head),
                *([] if commit.state is None else [codec.state_to_item(conversation, commit.state)]),
                codec.turn_to_item(conversation, commit.turn),
                *(codec.part_to_item(conversation, part) for part in commit.parts),
                *(codec.effect_to_item(conversation, effect) for effect in commit.effects),
                *(codec.part_to_item(conversation, delivery.cancelled().applied(part)) for part in cancelled if part),
            ]
            for item in items:
                self._put(item)

    def note_failure(self, conversation: str, *, kind: str) -> None:
        for _ in range(MAX_HOPS + 1):
            with self._request("note_failure"):
                item = self._get(conversation, HEAD) or {}
                if salvaged(conversation, {HEAD: item}).head is None:
                    if item.get("pending"):  # as the table: it counts without reading
                        self._lay({**item, "failures": item.get("failures", 0) + 1, "failure_kind": kind})
                    return
                head = self.head(conversation)
                if head.pending:
                    self._put_head(conversation, transitions.failed(head, kind=kind))
                if head.pending or head.moved_to is None:
                    return
                conversation = head.moved_to

    def add_spent(self, conversation: str, spent: Spend) -> None:
        with self._request("add_spent"):
            head = self.head(conversation)
            while head.moved_to is not None:
                conversation, head = head.moved_to, self.head(head.moved_to)
            if head.exists:
                self._put_head(conversation, transitions.paid(head, spent))

    def append_turn(self, conversation: str, turn: TurnRecord) -> None:
        with self._request("append_turn"):
            erased_at_ms = self.head(conversation).erased_at_ms
            if self._get(conversation, turn.sk) is None and (erased_at_ms or -1) < turn.started_at_ms:
                self._put(codec.turn_to_item(conversation, turn))

    def record_outcome(
        self,
        conversation: str,
        outcome: PartOutcome,
        *,
        start_next: OutboundPart | None = None,
        release: str | None = None,
        release_due_ms: int = 0,
    ) -> bool:
        with self._request("record_outcome"):
            part = self._part(conversation, outcome.sk)
            if part is None or part.attempt != outcome.attempt:
                return False
            wrote = self._change(conversation, part, delivery.reported(outcome))
            if wrote and outcome.state is PartState.FAILED:
                self._tell_undelivered(conversation)
            if not wrote and part.state is not PartState.SENT:
                return False
            behind = start_next.sk if start_next is not None else release
            waits = self._part(conversation, behind) if behind is not None else None
            if start_next is None or waits is None:
                if not wrote and release is None:
                    self._change(conversation, part, delivery.rested(attempt=outcome.attempt))
                elif wrote and waits is not None and outcome.state in delivery.SETTLED:
                    self._change(conversation, waits, delivery.released(due_ms=release_due_ms))
                return False
            claimed = self._claim(conversation, start_next, start_next.attempt - 1)
            if claimed and not wrote:
                self._change(conversation, part, delivery.rested(attempt=outcome.attempt))
            if wrote and not claimed and waits.attempt == start_next.attempt - 1:
                self._change(conversation, waits, delivery.cancelled())
            return claimed

    def claim_part(
        self, conversation: str, part: OutboundPart, *, seen_attempt: int, behind: Sequence[str] = ()
    ) -> bool:
        with self._request("claim_part"):
            claimed = self._claim(conversation, part, seen_attempt)
            current = self._part(conversation, part.sk)
            if not claimed and current and current.attempt == seen_attempt:
                for waits in (self._part(conversation, sk) for sk in behind):
                    if waits is not None:
                        self._change(conversation, waits, delivery.cancelled())
                for change in (delivery.cancelled(), delivery.forgotten(attempt=seen_attempt)):
                    self._change(conversation, current, change)
            return claimed

    def rest_part(self, conversation: str, part: OutboundPart) -> None:
        with self._request("rest_part"):
            current = self._part(conversation, part.sk)
            if current is not None:
                self._change(conversation, current, delivery.rested(attempt=part.attempt))

    def postpone(self, pointer: InboundPointer, *, now_ms: int, due_ms: int | None) -> None:
        with self._request("postpone"):
            item = self._get(pointer.conversation, pointer.sk)
            if item is None or item.get("due_at", now_ms + 1) > now_ms:
                return
            index = {} if due_ms is None else {"due_shard": item["due_shard"], "due_at": due_ms}
            rest = {name: value for name, value in item.items() if name not in ("due_shard", "due_at")}
            self._lay({**rest, **index})

    def apply_status(self, status: DeliveryStatus, *, conversation: str, sk: str, attempt: int) -> bool:
        with self._request("apply_status"):
            part = self._part(conversation, sk)
            change = delivery.told(status, attempt=attempt)
            done = part is not None and change is not None and self._change(conversation, part, change)
            if done and status.failed:
                self._tell_undelivered(conversation)
            return done

    def _tell_undelivered(self, conversation: str) -> None:
        head = self.head(conversation)
        if head.exists:
            self._put_head(conversation, transitions.told_undelivered(head))

    def attend(self, write: PeopleWrite) -> bool:
        with self._request("attend"):
            conversation, actual = write.conversation, self.head(write.conversation)
            if error := conflict(seen=write.seen, actual=actual, guard_in_rev=False):
                raise error
            if write.once is not None and self._get(conversation, write.once):
                return False
            cancelled = [self._part(conversation, sk) for sk in write.cancelled_parts]
            if any(part is None or part.state is not PartState.PENDING for part in cancelled):
                raise PartMovedError("part_moved")
            items = [codec.audit_to_item(conversation, write.audit)]
            if write.once is not None:
                turn = write.parts[0].turn if write.parts else ""
                items.append(codec.reply_item(conversation, write.once, turn, at_ms=write.audit.at_ms))
            items += [codec.part_to_item(conversation, part) for part in write.parts]
            if write.state is not None:
                items.append(codec.state_to_item(conversation, write.state))
            after = transitions.written(
                base=actual, wanted=write.head, answered=write.answered, now_ms=self._clock.now_ms()
            )
            self._put_head(conversation, after)
            for item in items:
                self._put(item)
            for part in cancelled:
                if part is not None:
                    self._change(conversation, part, delivery.cancelled())
            return True

    def note_audit(self, conversation: str, entry: AuditEntry) -> None:
        with self._request("note_audit"):
            self._put(codec.audit_to_item(conversation, entry))

    def people_queue(self, *, limit: int, after: tuple[int, str] | None = None) -> Sequence[QueueEntry]:
        with self._request("people_queue"):
            start = (-1, "") if after is None else (after[0], pk_of(after[1]))
            found = sorted(
                (item["people_at"], pk) for (pk, sk), item in self._items.items() if sk == HEAD and "people" in item
            )
            return tuple(
                QueueEntry(conversation=conversation_of(pk), head=codec.item_to_head(self._items[pk, HEAD]))
                for at, pk in found
                if (at, pk) > start
            )[:limit]

    def log_page(
        self, conversation: str, *, before: str | None = None, after: str | None = None, limit: int
    ) -> Sequence[LogEntry]:
        with self._request("log_page"):
            low, high = after or "", before or "M#~"
            some = [item for item in self._all(conversation, "M#") if low < item["sk"] < high]
            some = some[-limit:] if after is None else some[:limit]
            return legible_log({item["sk"]: item for item in some}, needed=())

    def turns_page(self, conversation: str, *, before: str | None = None, limit: int) -> Sequence[TurnRecord]:
        with self._request("turns_page"):
            some = [item for item in self._all(conversation, "T#") if before is None or item["sk"] < before]
            return tuple(codec.item_to_turn(item) for item in reversed(some[-limit:]))

    def audit_page(self, conversation: str, *, limit: int) -> Sequence[AuditEntry]:
        with self._request("audit_page"):
            return tuple(codec.item_to_audit(item) for item in self._all(conversation, "A#")[-limit:])

    def holdings(self, conversation: str, *, after: str | None = None, limit: int) -> Sequence[Mapping[str, Any]]:
        with self._request("holdings"):
            return [item for item in self._all(conversation, "") if after is None or item["sk"] > after][:limit]

    def entomb(self, erasure: Erasure) -> bool:
        with self._request("entomb"):
            conversation, seen = erasure.conversation, erasure.seen
            if seen is not None:
                actual = self.head(conversation)
                if (actual.ver, actual.mode, actual.in_rev) != (seen.ver, seen.mode, seen.in_rev):
                    return False
            self._put_head(conversation, erasure.head)
            self._drop(conversation, STATE)
            self._put(codec.effect_to_item(conversation, erasure.job))
            self._put(codec.audit_to_item(conversation, erasure.audit))
            return True

    def erase(self, conversation: str, sks: Sequence[str]) -> None:
        with self._request("erase"):
            for sk in sks:
                self._drop(conversation, sk)

    def bury(self, alias: str, target: str) -> None:
        with self._request("bury"):
            if self.head(alias).moved_to == target:
                self._put_head(alias, Head(moved_to=target))

    def _drop(self, conversation: str, sk: str) -> None:
        pk = pk_of(conversation)
        self._items.pop((pk, sk), None)
        self._keys[pk].discard(sk)

    def read_effect(self, conversation: str, sk: str) -> Effect | None:
        with self._request("read_effect"):
            item = self._get(conversation, sk)
            return codec.item_to_effect(item) if item is not None else None

    def update_effect(self, conversation: str, effect: Effect) -> None:
        with self._request("update_effect"):
            item = self._get(conversation, effect.sk)
            if item is None:
                return
            if effect.state is EffectState.DONE or codec.item_to_effect(item).state is not EffectState.DONE:
                self._put(codec.effect_to_item(conversation, effect))

    def update_head(self, conversation: str, *, seen: Head, head: Head) -> bool:
        with self._request("update_head"):
            actual = self.head(conversation)
            if actual.ver != seen.ver:
                return False
            after = transitions.written(base=actual, wanted=head, answered=frozenset(), now_ms=self._clock.now_ms())
            self._put_head(conversation, after)
            return True

    def due(self, *, now_ms: int, limit: int = 10_000) -> Sequence[InboundPointer]:
        with self._request("due"):
            waiting = sorted(
                (item["due_at"], pk, sk)
                for (pk, sk), item in self._items.items()
                if item.get("due_at", now_ms + 1) <= now_ms
            )
            return tuple(InboundPointer(conversation=conversation_of(pk), sk=sk) for _, pk, sk in waiting[:limit])

    # The table

    def _claim(self, conversation: str, part: OutboundPart, seen_attempt: int) -> bool:
        current, head = self._part(conversation, part.sk), self.head(conversation)
        if current is None:
            return False
        if not head.lets_send(part):
            return False
        change = delivery.claimed(seen_attempt=seen_attempt, lease_until_ms=part.lease_until_ms, repeated=part.repeated)
        return self._change(conversation, current, change)

    def _change(self, conversation: str, part: OutboundPart, change: PartChange) -> bool:
        if change.allows(part):
            self._put(codec.part_to_item(conversation, change.applied(part)))
        return change.allows(part)

    @contextmanager
    def _request(self, method: str) -> Iterator[None]:
        """One request of a port method; a subclass may look at it, or come before and after it."""
        self._note_request(method)
        with self._lock:
            yield

    def _note_request(self, method: str) -> None:
        """A request, by its port method (`batch_get` for the one that `read` may add)."""

    def _introduced(self, conversation: str, head: Head, other: str, *, asked: str) -> Head:
        """The head that knows the customer's other id, which leads here from now on."""
        known = self._get(other, HEAD)
        if known is not None and known.get("moved_to") != conversation:
            raise SplitIdentityError("identity_split")
        alias = self.head(other)
        self._put_head(other, alias if alias.exists else Head(moved_to=conversation))
        now_ms = self._clock.now_ms()
        until_ms = transitions.alias_lasts_until_ms(now_ms=now_ms, retention_days=self._retention_days)
        return transitions.learned(head, other, until_ms=until_ms, bsuid=asked)

    def _put(self, item: Mapping[str, Any]) -> None:
        ttl = codec.ttl_of(now_ms=self._clock.now_ms(), retention_days=self._retention_days)
        self._lay(unmarshalled(marshalled({**item, "ttl": ttl})))

    def _lay(self, item: Item) -> None:
        self._items[item["pk"], item["sk"]] = item
        self._keys[item["pk"]].add(item["sk"])

    def _put_inbound(self, inbound: InboundRecord) -> None:
        self._put(codec.inbound_to_item(inbound))
        if inbound.known_as is not None:
            self._put(codec.known_item(inbound))

    def _put_head(self, conversation: str, head: Head) -> None:
        self._put(codec.head_to_item(conversation, head))

    def _newest(self, conversation: str) -> dict[str, Item]:
        """The page that a read takes, HEAD and STATE aside."""
        reserved = sum(self._get(conversation, sk) is not None for sk in (HEAD, STATE))
        return {item["sk"]: item for item in self._all(conversation, "M#")[-(READ_LIMIT - reserved) :]}

    def _get(self, conversation: str, sk: str) -> Item | None:
        item = self._items.get((pk_of(conversation), sk))
        return None if item is None or codec.expired(item, now_ms=self._clock.now_ms()) else item

    def _part(self, conversation: str, sk: str) -> OutboundPart | None:
        item = self._get(conversation, sk)
        return codec.item_to_part(item) if item else None

    def _all(self, conversation: str, prefix: str) -> list[Item]:
        with self._lock:
            keys = sorted(sk for sk in self._keys.get(pk_of(conversation), ()) if sk.startswith(prefix))
            return [item for sk in keys if (item := self._get(conversation, sk))]


def _differs(actual: Head, seen: Head) -> bool:
    if not seen.exists:
        return actual.exists
    same = (actual.ver, actual.mode, actual.in_rev, actual.moved_to)
    return same != (seen.ver, seen.mode, seen.in_rev, seen.moved_to)
