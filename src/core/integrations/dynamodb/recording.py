"""How a message reaches the table: one transaction and, for whatever it meets, one more each (docs/turn.md, "Record").

It may meet a conversation that moved, a head past its life, one that is due too late, and one that does not know the
other id of its customer (docs/adr/0005-one-conversation-per-customer.md).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
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
    """One try: what happens to the head, and to another head in the same transaction."""

    inbound: InboundRecord
    identity: Identity
    head: Action
    other_head: Action | None = None


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

    def run(self, inbound: InboundRecord, also: str | None) -> InboundPointer:
        """See `ConversationStore.record`. Ids that are new to this process are noted at once, known or not."""
        new = also is not None and (inbound.conversation, also) not in self.known
        step = self._step(inbound, Identity(asked=inbound.conversation, other=also, notes=new))
        for _ in range(_STEPS):
            others = [step.other_head] if step.other_head else []
            actions = [self.put(step.inbound), step.head, *others]
            refused = self.requests.transact([*actions, *self.note(step.inbound)])
            noted = refused.get(len(actions))
            if not refused or 0 in refused or noted:
                if also is not None:
                    self.known.add((inbound.conversation, also))
                sk = noted["message"] if noted else step.inbound.sk
                return InboundPointer(conversation=step.inbound.conversation, sk=sk)
            step = self._after(step, refused)
        raise IntegrationError("DynamoDB record: the conversation keeps moving")

    def burst(self, inbounds: Sequence[InboundRecord], also: str | None) -> Sequence[InboundPointer]:
        """See `ConversationStore.record_burst`: one try, in which everything is as it mostly is."""
        conversation = inbounds[0].conversation
        new = also is not None and (conversation, also) not in self.known
        identity = Identity(asked=conversation, other=also, notes=new)
        alias = [self.heads.alias(also, conversation)] if also is not None and new else []
        head = self.heads.with_pending(inbounds, identity)
        if self.requests.transact([head, *(self.put(inbound) for inbound in inbounds), *alias]):
            return ()
        if also is not None:
            self.known.add((conversation, also))
        return tuple(InboundPointer(conversation=conversation, sk=inbound.sk) for inbound in inbounds)

    def _after(self, step: _Step, refused: Mapping[int, Item]) -> _Step:
        """The next try, by what the head was when it refused."""
        inbound, identity = step.inbound, step.identity
        if 1 not in refused:
            # The other id leads elsewhere, which this head may know; or an alias that was followed is gone.
            return self._step(inbound, replace(identity, notes=False, taken=identity.notes))
        old = refused[1]
        if codec.expired(old, now_ms=self.heads.now_ms):
            return self._renew_head(step)
        if target := old.get("moved_to"):
            kept = self.heads.kept(inbound.conversation, target)
            there = replace(identity, other=None if identity.other == target else identity.other, notes=False)
            return self._step(replace(inbound, conversation=target), there, other_head=kept)
        if identity.other and not identity.notes and not self._knows(old, identity.other):
            if identity.taken:
                raise SplitIdentityError("identity_split")
            return self._step(inbound, replace(identity, notes=True))
        return replace(step, head=self._on_head(inbound, identity, sooner=True))

    def _step(self, inbound: InboundRecord, identity: Identity, *, other_head: Action | None = None) -> _Step:
        if identity.other and identity.notes:
            other_head = self.heads.alias(identity.other, inbound.conversation)
        head = self._on_head(inbound, identity, sooner=False)
        return _Step(inbound=inbound, identity=identity, head=head, other_head=other_head)

    def _renew_head(self, step: _Step) -> _Step:
        """A head past its life is replaced; the customer's other id is noted by the next message."""
        unknown = Identity(asked=step.identity.asked)
        if not step.inbound.message.opens_turn:
            return self._step(step.inbound, unknown)
        return _Step(inbound=step.inbound, identity=unknown, head=self.heads.renewed(step.inbound))

    def _on_head(self, inbound: InboundRecord, identity: Identity, *, sooner: bool) -> Action:
        """What a message does to HEAD: it waits there, unless it opens no turn."""
        if not inbound.message.opens_turn:
            return self.heads.not_moved(inbound.conversation, identity)
        return self.heads.with_pending([inbound], identity, sooner=sooner)

    def _knows(self, old: Item, other: str) -> bool:
        return int(old.get(codec.alias_attribute(other), 0)) > self.heads.now_ms
