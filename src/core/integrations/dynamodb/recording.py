"""How a message reaches the table: one transaction and, for whatever that meets, one more each (20-turn.md, "Record").

It may meet a conversation that moved, a head past its life, one that is due too late, and one that does not yet know
the other id of its customer (docs/adr/0005-one-conversation-per-customer.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One try: what happens to the head, and to another head in the same transaction."""

    inbound: InboundRecord
    identity: Identity
    head: Action
    other_head: Action | None = None
    links: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """`put` makes the action that puts a message that is not there yet."""

    requests: TableRequests
    heads: HeadActions
    put: Callable[[InboundRecord], Action]

    def run(self, inbound: InboundRecord, also: str | None) -> InboundPointer:
        """See `ConversationStore.record`."""
        step = self._plain(inbound, Identity(asked=inbound.conversation, other=also))
        for _ in range(_STEPS):
            others = [step.other_head] if step.other_head else []
            refused = self.requests.transact([self.put(step.inbound), step.head, *others])
            if not refused or 0 in refused:
                return InboundPointer(conversation=step.inbound.conversation, sk=step.inbound.sk)
            step = self._after(step, refused)
        raise IntegrationError("DynamoDB record: the conversation keeps moving")

    def _after(self, step: _Step, refused: Mapping[int, Item]) -> _Step:
        """The next try, by what the head was when it refused."""
        if 1 not in refused:
            if step.links:
                raise SplitIdentityError("identity_split")
            return replace(step, other_head=None)
        old, inbound, identity = refused[1], step.inbound, step.identity
        if codec.expired(old, now_ms=self.heads.now_ms):
            return self._renewed(step)
        if target := old.get("moved_to"):
            kept = self.heads.kept(inbound.conversation, target)
            there = replace(identity, other=None if identity.other == target else identity.other, notes=False)
            return self._plain(replace(inbound, conversation=target), there, other_head=kept)
        if identity.other and not self._knows(old, identity.other):
            noted = replace(identity, notes=True)
            alias = self.heads.alias(identity.other, inbound.conversation)
            return self._plain(inbound, noted, other_head=alias, links=True, sooner=step.links)
        return replace(step, head=self._on_head(inbound, identity, sooner=True))

    def _plain(
        self,
        inbound: InboundRecord,
        identity: Identity,
        *,
        other_head: Action | None = None,
        links: bool = False,
        sooner: bool = False,
    ) -> _Step:
        head = self._on_head(inbound, identity, sooner=sooner)
        return _Step(inbound=inbound, identity=identity, head=head, other_head=other_head, links=links)

    def _renewed(self, step: _Step) -> _Step:
        """A head past its life is replaced; the customer's other id is noted by the next message."""
        unknown = Identity(asked=step.identity.asked)
        if not step.inbound.message.opens_turn:
            return self._plain(step.inbound, unknown)
        return _Step(inbound=step.inbound, identity=unknown, head=self.heads.renewed(step.inbound))

    def _on_head(self, inbound: InboundRecord, identity: Identity, *, sooner: bool) -> Action:
        """What a message does to HEAD: it waits there, unless it opens no turn."""
        if not inbound.message.opens_turn:
            return self.heads.not_moved(inbound.conversation, identity)
        return self.heads.with_pending(inbound, identity, sooner=sooner)

    def _knows(self, old: Item, other: str) -> bool:
        return int(old.get(codec.alias_attribute(other), 0)) > self.heads.now_ms
