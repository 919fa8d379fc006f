"""The conversation table on DynamoDB (docs/turn.md, "Read", "Record", "Commit", "Outcome", "Status")."""

from __future__ import annotations

import heapq
import random as random_module
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from core.application.ports import BURST_MAX, Clock
from core.domain import delivery
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
from core.domain.delivery import DeliveryStatus, OutboundPart, PartOutcome, PartState
from core.domain.errors import BadInputError, OvertakenError, PartMovedError
from core.domain.head_transitions import conflict, written
from core.domain.ledger import TurnRecord
from core.domain.messages import InboundPointer
from core.domain.record_keys import (
    AUDIT,
    DUE_SHARDS,
    HEAD,
    MESSAGES,
    PEOPLE,
    READ_FROM,
    READ_TO,
    STATE,
    TURNS,
    conversation_of,
    is_inbound,
    parts_from,
    pk_of,
)
from core.domain.salvage import Salvage
from core.domain.spending import Spend
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import Item, marshalled
from core.integrations.dynamodb.expressions import Action, Expression
from core.integrations.dynamodb.head_actions import HeadActions
from core.integrations.dynamodb.moving import copied, moves
from core.integrations.dynamodb.part_actions import changed
from core.integrations.dynamodb.reading import legible_log, salvaged, since_erased
from core.integrations.dynamodb.recording import MAX_HOPS, KnownPairs, Recording
from core.integrations.dynamodb.requests import TableRequests
from core.integrations.dynamodb.table import DUE_INDEX, PEOPLE_INDEX

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

READ_LIMIT = 32
# Nobody has written more messages.
_COPIED_MAX = 100_000
_FORGOTTEN_AT_ONCE = 99


class DynamoConversationStore:
    """Implements `ConversationStore`. `client` is botocore's low-level DynamoDB client, made once with its timeouts.

    Besides what the port names, every method raises `IntegrationError` when the table fails for good and
    `BadInputError` for what the table cannot hold.
    """

    def __init__(
        self,
        client: DynamoDBClient,
        *,
        table_name: str,
        retention_days: int,
        clock: Clock,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random_module.random,
    ) -> None:
        self._requests = TableRequests(client, table_name=table_name, sleep=sleep, random=random)
        self._table = table_name
        self._retention_days = retention_days
        self._clock = clock
        self._known_pairs = KnownPairs()

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        """STATE, HEAD and the newest messages by one query; pending ones further back by one batch get."""
        pk = pk_of(conversation)
        items = self._newest(pk)
        head = codec.item_to_head(items.pop(HEAD, {}))
        state = codec.item_to_state(items.pop(STATE, {}))
        named = parts_from(ensure) if ensure and ensure not in items else ()
        beyond = sorted(sk for sk in {*head.pending, *named} if sk not in items)
        if beyond:
            items |= self._alive(self._requests.batch_get([marshalled({"pk": pk, "sk": sk}) for sk in beyond]))
        log = since_erased(legible_log(items, needed={*head.pending, ensure or ""}), head)
        return Snapshot(conversation=conversation, head=head, state=state, log=log)

    def salvage(self, conversation: str, *, ensure: str | None = None) -> Salvage:
        """The same query."""
        pk = pk_of(conversation)
        items = self._newest(pk)
        if ensure is not None and ensure not in items:
            keys = [marshalled({"pk": pk, "sk": sk}) for sk in parts_from(ensure)]
            items |= self._alive(self._requests.batch_get(keys))
        return salvaged(conversation, items)

    def seize(self, seizure: Seizure) -> bool:
        """TURN, which says whether it was done, HEAD, parts and effects."""
        conversation = seizure.conversation
        e = Expression()
        e.require(e.absent("sk"))
        turn = e.put(self._table, self._fresh(codec.turn_to_item(conversation, seizure.turn)))
        items = [
            *(codec.part_to_item(conversation, part) for part in seizure.parts),
            *(codec.effect_to_item(conversation, effect) for effect in seizure.effects),
        ]
        puts = [Expression().put(self._table, self._fresh(item)) for item in items]
        return not self._requests.transact([turn, self._heads().seized(seizure), *puts])

    def record(self, inbound: InboundRecord, *, also: str | None = None) -> InboundPointer:
        """Puts a new message and makes it pending; follows a conversation that moved, and notes the customer's ids."""
        return self._recording().run([inbound], also)[0]

    def record_burst(self, inbounds: Sequence[InboundRecord], *, also: str | None = None) -> Sequence[InboundPointer]:
        """One transaction, and for whatever it meets one more each; or nothing, for what does not fit one."""
        if len(inbounds) > BURST_MAX or len({inbound.sk for inbound in inbounds}) < len(inbounds):
            return ()
        if any(inbound.known_as for inbound in inbounds):
            return ()
        try:
            return self._recording().run(inbounds, also)
        except BadInputError:
            return ()

    def interject(self, inbound: InboundRecord, *, seen: Head, head: Head, state: ConversationState) -> bool:
        """What the business said, with the mode that follows from it."""
        conversation = inbound.conversation
        written = self._head_written(conversation, seen, head)
        state_put = Expression().put(self._table, self._fresh(codec.state_to_item(conversation, state)))
        refused = self._requests.transact([self._put_new(inbound), written, state_put, *self._note_known(inbound)])
        return not refused or 0 in refused or 3 in refused

    def link(self, link: IdentityLink) -> None:
        """Both heads, and STATE where it changes."""
        heads = self._heads()
        actions = [heads.joined(link.conversation, seen=link.seen, after=link.head)]
        if link.alias is not None:
            actions.append(heads.led_away(link.alias, seen=link.alias_seen, target=link.conversation))
        if link.state is not None:
            item = codec.state_to_item(link.conversation, link.state)
            actions.append(Expression().put(self._table, self._fresh(item)))
        if self._requests.transact(actions):
            raise OvertakenError("overtaken")

    def copy_log(self, source: str, target: str) -> None:
        """The items themselves, life and all, but for the index's attributes: the source's outbox goes on.

        What stands there already is passed over, so that a copy of thousands that ran out of time is taken up where it
        ended.
        """
        there = {item["sk"]: item for item in self._messages(target)}
        copies = (copied(item, target) for item in self._messages(source) if moves(item))
        self._requests.write_all(
            [Expression().put(self._table, copy) for copy in copies if there.get(copy["sk"]) != copy]
        )

    def forget_moved(self, source: str) -> None:
        """Deletes, as many in a transaction as it holds, each asking whether the conversation still leads elsewhere."""
        gone = [STATE, *(item["sk"] for item in self._messages(source) if is_inbound(item["sk"]))]
        for start in range(0, len(gone), _FORGOTTEN_AT_ONCE):
            some = gone[start : start + _FORGOTTEN_AT_ONCE]
            deletes = [Expression().remove(self._table, pk_of(source), sk) for sk in some]
            if self._requests.transact([self._heads().moved(source), *deletes]):
                return

    def _messages(self, conversation: str) -> list[Item]:
        return self._requests.query(
            KeyConditionExpression="#pk = :pk AND begins_with(#sk, :m)",
            ExpressionAttributeNames={"#pk": "pk", "#sk": "sk"},
            ExpressionAttributeValues=marshalled({":pk": pk_of(conversation), ":m": MESSAGES}),
            ConsistentRead=True,
            Limit=_COPIED_MAX,
        )

    def commit(self, commit: TurnCommit) -> None:
        """HEAD, STATE, TURN, parts, effects and cancelled parts, or nothing and the conflict's name."""
        refused = self._commit_on(commit, commit.seen, guard_in_rev=True)
        if 0 in refused and not commit.guard_in_rev:
            # Only a newcomer stood in the way: what HEAD is now says what stays pending and due.
            actual = self._unless_conflict(commit, refused[0])
            refused = self._commit_on(commit, actual, guard_in_rev=False)
        if 0 in refused:
            self._unless_conflict(commit, refused[0])
            raise OvertakenError("overtaken")
        if refused:
            raise PartMovedError("part_moved")

    def note_failure(self, conversation: str, *, kind: str) -> None:
        """One update, and one more for each time that the conversation moved."""
        for _ in range(MAX_HOPS + 1):
            refused = self._requests.transact([self._heads().failed(conversation, kind=kind)])
            if not refused or not (moved_to := refused[0].get("moved_to")):
                return
            conversation = moved_to

    def add_spent(self, conversation: str, spent: Spend) -> None:
        """One update of HEAD, where it is now."""
        for _ in range(MAX_HOPS + 1):
            refused = self._requests.transact([self._heads().paid(conversation, spent)])
            if not refused or "moved_to" not in refused[0]:
                return
            conversation = refused[0]["moved_to"]

    def append_turn(self, conversation: str, turn: TurnRecord) -> None:
        """A TURN item alone; one that is there already stays."""
        e = Expression()
        e.require(e.absent("sk"))
        put = e.put(self._table, self._fresh(codec.turn_to_item(conversation, turn)))
        self._requests.transact([put, self._heads().not_erased_since(conversation, turn.started_at_ms)])

    def record_outcome(
        self,
        conversation: str,
        outcome: PartOutcome,
        *,
        start_next: OutboundPart | None = None,
        release: str | None = None,
        release_due_ms: int = 0,
    ) -> bool:
        """The outcome and the next part's claim together; without the claim when that is refused."""
        report = changed(self._table, conversation, outcome.sk, delivery.reported(outcome))
        tells = [self._heads().told_undelivered(conversation)] if outcome.state is PartState.FAILED else []
        claim = [] if start_next is None else self._claim(conversation, start_next, start_next.attempt - 1)
        freed = delivery.released(due_ms=release_due_ms)
        frees = release is not None and outcome.state in delivery.SETTLED
        beside = [changed(self._table, conversation, str(release), freed)] if frees else claim
        refused = self._telling([report, *beside], tells)
        if not refused:
            return bool(claim)
        if 0 in refused:
            return release is None and self._settled_before(conversation, outcome, refused[0], claim)
        cancels: list[Action] = []
        if start_next is not None and 1 not in refused:  # its turn has lost the word
            cancels = [changed(self._table, conversation, start_next.sk, delivery.cancelled())]
        if self._telling([report, *cancels], tells) and cancels:
            self._requests.transact([report])
        return False

    def _settled_before(self, conversation: str, outcome: PartOutcome, old: Item, claim: list[Action]) -> bool:
        """A status was first: whether the next part was claimed. Where none is, nobody need look at this one again."""
        if not _arrived_already(old, outcome):
            return False
        rest = changed(self._table, conversation, outcome.sk, delivery.rested(attempt=outcome.attempt))
        return not self._requests.transact([rest, *claim]) and bool(claim)

    def claim_part(
        self, conversation: str, part: OutboundPart, *, seen_attempt: int, behind: Sequence[str] = ()
    ) -> bool:
        """To `sending`, if nobody else did and, unless exempt, if its turn still has the word.

        A part whose turn lost it (taken over, overtaken) is retired, or the index would bring it back for ever; and
        those behind it, which the index does not know.
        """
        refused = self._requests.transact(self._claim(conversation, part, seen_attempt))
        if refused and 0 not in refused:
            for sk in (*behind, part.sk):  # the due one last, or a crash here would leave the others for ever
                kept = self._requests.transact([changed(self._table, conversation, sk, delivery.cancelled())])
            if kept:
                forget = changed(self._table, conversation, part.sk, delivery.forgotten(attempt=seen_attempt))
                self._requests.transact([forget])
        return not refused

    def rest_part(self, conversation: str, part: OutboundPart) -> None:
        """One conditional update."""
        self._requests.transact([changed(self._table, conversation, part.sk, delivery.rested(attempt=part.attempt))])

    def postpone(self, pointer: InboundPointer, *, now_ms: int, due_ms: int | None) -> None:
        """Of the index's two attributes alone, so that an item that nobody can read has its turn, too."""
        e = Expression()
        if due_ms is None:
            e.set("due_shard", None)
        e.set("due_at", due_ms)
        e.require(f"{e.name('due_at')} <= {e.value(now_ms)}")
        self._requests.transact([e.update(self._table, pk_of(pointer.conversation), pointer.sk)])

    def apply_status(self, status: DeliveryStatus, *, conversation: str, sk: str, attempt: int) -> bool:
        """One conditional update; a status of a kind that changes nothing makes no request."""
        change = delivery.told(status, attempt=attempt)
        if change is None:
            return False
        tells = [self._heads().told_undelivered(conversation)] if status.failed else []
        return not self._telling([changed(self._table, conversation, sk, change)], tells)

    def _telling(self, actions: list[Action], tells: list[Action]) -> Mapping[int, Item]:
        """The actions, and that HEAD tells of them in the same transaction; without it where there is no HEAD."""
        refused = self._requests.transact([*actions, *tells])
        only_told = bool(tells) and set(refused) == {len(actions)}
        return self._requests.transact(actions) if only_told else refused

    def read_effect(self, conversation: str, sk: str) -> Effect | None:
        """One batch get of one key."""
        key = marshalled({"pk": pk_of(conversation), "sk": sk})
        found = self._alive(self._requests.batch_get([key]))
        return codec.item_to_effect(found[sk]) if sk in found else None

    def update_effect(self, conversation: str, effect: Effect) -> None:
        """Writes over an effect that exists; one that is done stays done, one that was erased stays erased."""
        e = Expression()
        e.require(f"attribute_exists({e.name('sk')})")
        if effect.state is not EffectState.DONE:
            e.require(f"{e.name('state')} <> {e.value(EffectState.DONE.value)}")
        self._requests.transact([e.put(self._table, self._fresh(codec.effect_to_item(conversation, effect)))])

    def update_head(self, conversation: str, *, seen: Head, head: Head) -> bool:
        """A mode change; messages that arrive meanwhile do not stop it, and stay pending and due."""
        refused = self._requests.transact([self._head_written(conversation, seen, head)])
        if not refused:
            return True
        actual = codec.item_to_head(refused[0])
        if conflict(seen=seen, actual=actual, guard_in_rev=False):
            return False
        return not self._requests.transact([self._head_written(conversation, actual, head, guard_in_rev=False)])

    def due(self, *, now_ms: int, limit: int = 10_000) -> Sequence[InboundPointer]:
        """A query for each shard of the sparse index, merged."""
        shards = [self._due_in(shard, now_ms, limit) for shard in DUE_SHARDS]
        merged = heapq.merge(*shards, key=lambda item: (item["due_at"], item["pk"], item["sk"]))
        return tuple(
            InboundPointer(conversation=conversation_of(item["pk"]), sk=item["sk"]) for item in islice(merged, limit)
        )

    def attend(self, write: PeopleWrite) -> bool:
        """HEAD, STATE, the audit, parts and, of a reply, that it is written."""
        refused = self._attend_on(write, write.seen, guard_in_rev=True)
        if 0 in refused:
            actual = codec.item_to_head(refused[0])
            if error := conflict(seen=write.seen, actual=actual, guard_in_rev=False):
                raise error
            refused = self._attend_on(write, actual, guard_in_rev=False)
        if write.once is not None and 2 in refused:
            return False
        if 0 in refused:
            raise OvertakenError("overtaken")
        if refused:
            raise PartMovedError("part_moved")
        return True

    def note_audit(self, conversation: str, entry: AuditEntry) -> None:
        """One put."""
        item = self._fresh(codec.audit_to_item(conversation, entry))
        self._requests.transact([Expression().put(self._table, item)])

    def people_queue(self, *, limit: int, after: tuple[int, str] | None = None) -> Sequence[QueueEntry]:
        """One query of the sparse index."""
        start: dict[str, Any] = {}
        if after is not None:
            at_ms, conversation = after
            key = {"people": PEOPLE, "people_at": at_ms, "pk": pk_of(conversation), "sk": HEAD}
            start = {"ExclusiveStartKey": marshalled(key)}
        items = self._requests.query(
            IndexName=PEOPLE_INDEX,
            KeyConditionExpression="#people = :people",
            ExpressionAttributeNames={"#people": "people"},
            ExpressionAttributeValues=marshalled({":people": PEOPLE}),
            Limit=limit,
            start=start,
        )
        return tuple(QueueEntry(conversation=conversation_of(i["pk"]), head=codec.item_to_head(i)) for i in items)

    def log_page(
        self, conversation: str, *, before: str | None = None, after: str | None = None, limit: int
    ) -> Sequence[LogEntry]:
        """One query."""
        low, high = after or MESSAGES, before or f"{MESSAGES}~"
        items = self._between(conversation, low, high, limit=limit + 2, newest_first=after is None)
        kept = {item["sk"]: item for item in items if item["sk"] not in (before, after)}
        some = sorted(kept, reverse=after is None)[:limit]
        return legible_log(self._alive([kept[sk] for sk in some]), needed=())

    def turns_page(self, conversation: str, *, before: str | None = None, limit: int) -> Sequence[TurnRecord]:
        """One query."""
        items = self._between(conversation, TURNS, before or f"{TURNS}~", limit=limit + 1, newest_first=True)
        return tuple(codec.item_to_turn(item) for item in items if item["sk"] != before)[:limit]

    def audit_page(self, conversation: str, *, limit: int) -> Sequence[AuditEntry]:
        """One query."""
        items = self._between(conversation, AUDIT, f"{AUDIT}~", limit=limit, newest_first=True)
        return tuple(codec.item_to_audit(item) for item in reversed(items))

    def holdings(self, conversation: str, *, after: str | None = None, limit: int) -> Sequence[Mapping[str, Any]]:
        """One query."""
        items = self._between(conversation, after or "!", "~", limit=limit + 1, newest_first=False)
        return [item for item in items if item["sk"] != after][:limit]

    def entomb(self, erasure: Erasure) -> bool:
        """HEAD, STATE, the job and that it was asked for."""
        conversation = erasure.conversation
        items = [
            codec.effect_to_item(conversation, erasure.job),
            codec.audit_to_item(conversation, erasure.audit),
        ]
        puts = [Expression().put(self._table, self._fresh(item)) for item in items]
        state = Expression().remove(self._table, pk_of(conversation), STATE)
        return not self._requests.transact([self._heads().entombed(erasure), state, *puts])

    def erase(self, conversation: str, sks: Sequence[str]) -> None:
        """As few transactions as hold them."""
        pk = pk_of(conversation)
        self._requests.write_all([Expression().remove(self._table, pk, sk) for sk in sks])

    def bury(self, alias: str, target: str) -> None:
        """One put."""
        self._requests.transact([self._heads().buried(alias, target)])

    def _between(self, conversation: str, low: str, high: str, *, limit: int, newest_first: bool) -> list[Item]:
        return self._requests.query(
            KeyConditionExpression="#pk = :pk AND #sk BETWEEN :from AND :to",
            ExpressionAttributeNames={"#pk": "pk", "#sk": "sk"},
            ExpressionAttributeValues=marshalled({":pk": pk_of(conversation), ":from": low, ":to": high}),
            ConsistentRead=True,
            ScanIndexForward=not newest_first,
            Limit=limit,
        )

    def _attend_on(self, write: PeopleWrite, base: Head, *, guard_in_rev: bool) -> Mapping[int, Item]:
        conversation = write.conversation
        head = self._head_written(conversation, base, write.head, answered=write.answered, guard_in_rev=guard_in_rev)
        audit = Expression().put(self._table, self._fresh(codec.audit_to_item(conversation, write.audit)))
        actions = [head, audit]
        if write.once is not None:
            e = Expression()
            e.require(e.absent("sk"))
            turn = write.parts[0].turn if write.parts else ""
            actions.append(
                e.put(
                    self._table, self._fresh(codec.reply_item(conversation, write.once, turn, at_ms=write.audit.at_ms))
                )
            )
        items = [codec.part_to_item(conversation, part) for part in write.parts]
        if write.state is not None:
            items.append(codec.state_to_item(conversation, write.state))
        actions += [Expression().put(self._table, self._fresh(item)) for item in items]
        actions += [changed(self._table, conversation, sk, delivery.cancelled()) for sk in write.cancelled_parts]
        return self._requests.transact(actions)

    def _commit_on(self, commit: TurnCommit, base: Head, *, guard_in_rev: bool) -> Mapping[int, Item]:
        conversation = commit.conversation
        head = self._head_written(
            conversation,
            base,
            commit.head,
            answered=commit.answered,
            guard_in_rev=guard_in_rev,
            spent=commit.spent,
        )
        items = [
            *([] if commit.state is None else [codec.state_to_item(conversation, commit.state)]),
            codec.turn_to_item(conversation, commit.turn),
            *(codec.part_to_item(conversation, part) for part in commit.parts),
            *(codec.effect_to_item(conversation, effect) for effect in commit.effects),
        ]
        puts = [Expression().put(self._table, self._fresh(item)) for item in items]
        cancels = [changed(self._table, conversation, sk, delivery.cancelled()) for sk in commit.cancelled_parts]
        return self._requests.transact([head, *puts, *cancels])

    def _unless_conflict(self, commit: TurnCommit, old: Item) -> Head:
        actual = codec.item_to_head(old)
        if error := conflict(seen=commit.seen, actual=actual, guard_in_rev=commit.guard_in_rev):
            raise error
        return actual

    def _head_written(
        self,
        conversation: str,
        base: Head,
        wanted: Head,
        *,
        answered: frozenset[str] = frozenset(),
        guard_in_rev: bool = True,
        spent: Spend | None = None,
    ) -> Action:
        heads = self._heads()
        after = written(base=base, wanted=wanted, answered=answered, now_ms=heads.now_ms, spent=spent)
        return heads.written(
            conversation, seen=base, after=after, answered=answered, guard_in_rev=guard_in_rev, spent=spent
        )

    def _claim(self, conversation: str, part: OutboundPart, seen_attempt: int) -> list[Action]:
        change = delivery.claimed(seen_attempt=seen_attempt, lease_until_ms=part.lease_until_ms, repeated=part.repeated)
        claim = changed(self._table, conversation, part.sk, change)
        return (
            [claim] if part.exempt and not part.unless_taken else [claim, self._heads().lets_send(conversation, part)]
        )

    def _recording(self) -> Recording:
        return Recording(
            requests=self._requests,
            heads=self._heads(),
            put=self._put_new,
            note=self._note_known,
            known=self._known_pairs,
        )

    def _put_new(self, inbound: InboundRecord) -> Action:
        e = Expression()
        e.require(e.absent("sk"))
        return e.put(self._table, self._fresh(codec.inbound_to_item(inbound)))

    def _note_known(self, inbound: InboundRecord) -> list[Action]:
        if inbound.known_as is None:
            return []
        e = Expression()
        e.require(e.absent("sk"))
        return [e.put(self._table, self._fresh(codec.known_item(inbound)))]

    def _due_in(self, shard: str, now_ms: int, limit: int) -> list[Item]:
        return self._requests.query(
            IndexName=DUE_INDEX,
            KeyConditionExpression="#shard = :shard AND #at <= :now",
            ExpressionAttributeNames={"#shard": "due_shard", "#at": "due_at"},
            ExpressionAttributeValues=marshalled({":shard": shard, ":now": now_ms}),
            Limit=limit,
        )

    def _newest(self, pk: str) -> dict[str, Item]:
        page = self._requests.query(
            KeyConditionExpression="#pk = :pk AND #sk BETWEEN :from AND :to",
            ExpressionAttributeNames={"#pk": "pk", "#sk": "sk"},
            ExpressionAttributeValues=marshalled({":pk": pk, ":from": READ_FROM, ":to": READ_TO}),
            ConsistentRead=True,
            ScanIndexForward=False,
            Limit=READ_LIMIT,
        )
        return self._alive(page)

    def _heads(self) -> HeadActions:
        now_ms = self._clock.now_ms()
        return HeadActions(table=self._table, now_ms=now_ms, retention_days=self._retention_days)

    def _fresh(self, item: Item) -> Item:
        return {**item, "ttl": self._ttl(self._clock.now_ms())}

    def _ttl(self, now_ms: int) -> int:
        return codec.ttl_of(now_ms=now_ms, retention_days=self._retention_days)

    def _alive(self, items: Sequence[Item]) -> dict[str, Item]:
        now_ms = self._clock.now_ms()
        return {item["sk"]: item for item in items if not codec.expired(item, now_ms=now_ms)}


def _arrived_already(old: Item, outcome: PartOutcome) -> bool:
    """Whether a status said, before the send's own answer came, that this attempt arrived."""
    return old.get("state") == PartState.SENT.value and old.get("attempt") == outcome.attempt
