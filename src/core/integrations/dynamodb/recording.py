"""How a message reaches the table: one transaction and, for whatever it meets, one more each (docs/turn.md, "Record").

It may meet a conversation that moved, a head past its life, one that is due too late, and one that does not know the
other id of its customer (docs/adr/0005-one-conversation-per-customer.md).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.domain.conversation import InboundRecord
from core.domain.errors import IntegrationError, SplitIdentityError
from core.domain.messages import InboundPointer
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import Item
from core.integrations.dynamodb.expressions import Action
from core.integrations.dynamodb.head_actions import HeadActions, Identity
from core.integrations.dynamodb.requests import TableRequests

# A message follows a moved conversation this far; and HEAD may move, expire, learn an id and come due under one record.
MAX_HOPS = 8
_STEPS = MAX_HOPS + 6
_REMEMBERED = 10_000


class KnownPairs:
    """Ids that this process has seen together: a hint that saves writes, never a truth. Safe under threads."""

    def __init__(self) -> None:
        self._pairs: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, pair: tuple[str, str]) -> bool:
        return pair in self._pairs

    def add(self, pair: tuple[str, str]) -> None:
        """The oldest pair makes room."""
        with self._lock:
            self._pairs[pair] = None
            self._pairs.move_to_end(pair)
            if len(self._pairs) > _REMEMBERED:
                self._pairs.popitem(last=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One try: what happens to the head, and to another head in the same transaction. `inbounds` are not known yet."""

    inbounds: Sequence[InboundRecord]
    identity: Identity
    head: Action
    other_head: Action | None = None

    @property
    def conversation(self) -> str:
        """Where it is tried."""
        return self.inbounds[0].conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """`put` makes the action that puts a message that is not there yet, `note` the one that notes a message without a
    time as known, if it is not.
    """

    requests: TableRequests
    heads: HeadActions
    put: Callable[[InboundRecord], Action]
    note: Callable[[InboundRecord], Sequence[Action]]
    known: KnownPairs

    def run(self, inbounds: Sequence[InboundRecord], also: str | None) -> Sequence[InboundPointer]:
        """See `ConversationStore.record` and `record_burst`: one conversation's messages, none without a time unless it
        is alone. Ids that are new to this process are noted at once, known or not.
        """
        asked = inbounds[0].conversation
        new = also is not None and (asked, also) not in self.known
        step = self._step(inbounds, Identity(asked=asked, other=also, notes=new))
        for _ in range(_STEPS):
            puts = [self.put(each) for each in step.inbounds]
            actions = [*puts, step.head, *([step.other_head] if step.other_head else [])]
            refused = self.requests.transact([*actions, *self.note(step.inbounds[0])])
            noted = refused.get(len(actions))
            unknown = [each for place, each in enumerate(step.inbounds) if place not in refused]
            if not refused or noted or not unknown:
                if also is not None:
                    self.known.add((asked, also))
                sks = [noted["message"]] if noted else [each.sk for each in inbounds]
                return tuple(InboundPointer(conversation=step.conversation, sk=sk) for sk in sks)
            if len(unknown) < len(puts):
                step = self._step(unknown, step.identity, other_head=step.other_head)
            else:
                old = refused.get(len(puts))
                taken = _taken(step.inbounds, old)
                if not taken:  # of before what was held was erased: told as recorded, and dropped
                    sks = [each.sk for each in inbounds]
                    return tuple(InboundPointer(conversation=step.conversation, sk=sk) for sk in sks)
                step = self._after(replace(step, inbounds=taken), old)
        raise IntegrationError("DynamoDB record: the conversation keeps moving")

    def _after(self, step: _Step, old: Item | None) -> _Step:
        """The next try, by what the head was when it refused, if it did."""
        inbounds, identity = step.inbounds, step.identity
        if old is None:
            # The other id leads elsewhere, which this head may know; or an alias that was followed is gone.
            return self._step(inbounds, replace(identity, notes=False, taken=identity.notes))
        if codec.expired(old, now_ms=self.heads.now_ms):
            return self._renew_head(step)
        if target := old.get("moved_to"):
            kept = self.heads.kept(step.conversation, target)
            there = replace(identity, other=None if identity.other == target else identity.other, notes=False)
            return self._step([replace(each, conversation=target) for each in inbounds], there, other_head=kept)
        if identity.other and not identity.notes and not self._knows(old, identity.other):
            if identity.taken:
                raise SplitIdentityError("identity_split")
            return self._step(inbounds, replace(identity, notes=True))
        return replace(step, head=self._on_head(inbounds, identity, sooner=True))

    def _step(
        self, inbounds: Sequence[InboundRecord], identity: Identity, *, other_head: Action | None = None
    ) -> _Step:
        if identity.other and identity.notes:
            other_head = self.heads.alias(identity.other, inbounds[0].conversation)
        head = self._on_head(inbounds, identity, sooner=False)
        return _Step(inbounds=inbounds, identity=identity, head=head, other_head=other_head)

    def _renew_head(self, step: _Step) -> _Step:
        """A head past its life is replaced; the customer's other id is noted by the next message."""
        unknown = Identity(asked=step.identity.asked)
        if not step.inbounds[0].message.opens_turn:
            return self._step(step.inbounds, unknown)
        return _Step(inbounds=step.inbounds, identity=unknown, head=self.heads.renewed(step.inbounds))

    def _on_head(self, inbounds: Sequence[InboundRecord], identity: Identity, *, sooner: bool) -> Action:
        """What messages do to HEAD: they wait there, unless it is one that opens no turn."""
        if not inbounds[0].message.opens_turn:
            return self.heads.not_moved(inbounds[0].conversation, identity, inbounds)
        return self.heads.with_pending(inbounds, identity, sooner=sooner)

    def _knows(self, old: Item, other: str) -> bool:
        return int(old.get(codec.alias_attribute(other), 0)) > self.heads.now_ms


def _taken(inbounds: Sequence[InboundRecord], old: Item | None) -> Sequence[InboundRecord]:
    """Those that were sent after what was held of the customer was erased, if it ever was."""
    erased_at_ms = -1 if old is None or "moved_to" in old else int(old.get("erased_at_ms", -1))
    return [each for each in inbounds if each.message.sent_at_ms > erased_at_ms]
