"""The two stores under the one contract, each with what tests may look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from core.application.ports import AttendedStore
from core.domain.conversation import ConversationState, Effect, Head
from core.domain.delivery import OutboundPart
from core.domain.ledger import TurnRecord
from core.domain.record_keys import is_inbound, pk_of
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import Item, unmarshalled
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from tests.fakes.clock import FakeClock
from tests.fakes.conversation_store import FakeConversationStore
from tests.fakes.token_honouring_table import TokenHonouringTable
from tests.integration.conversation_builders import CONVERSATION
from tests.integration.recording_client import RecordingClient

RETENTION_DAYS = 180


class Subject(Protocol):
    """A store and the table behind it."""

    store: AttendedStore
    clock: FakeClock

    def another_worker(self) -> AttendedStore: ...
    def requests(self) -> int: ...
    def head(self, conversation: str = CONVERSATION) -> Head: ...
    def state(self, conversation: str = CONVERSATION) -> ConversationState: ...
    def set_by_hand(self, sk: str, **attributes: str) -> None: ...
    def inbounds(self, conversation: str = CONVERSATION) -> Sequence[str]: ...
    def parts(self, conversation: str = CONVERSATION) -> Sequence[OutboundPart]: ...
    def turns(self, conversation: str = CONVERSATION) -> Sequence[TurnRecord]: ...
    def effects(self, conversation: str = CONVERSATION) -> Sequence[Effect]: ...


class FakeSubject:
    """The table in memory."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = FakeConversationStore(self.clock, retention_days=RETENTION_DAYS)

    def another_worker(self) -> AttendedStore:
        return self.store

    def set_by_hand(self, sk: str, **attributes: str) -> None:
        """Change an item as no code of ours does."""
        self.store._items[pk_of(CONVERSATION), sk] |= attributes

    def requests(self) -> int:
        return len(self.store.requests)

    def head(self, conversation: str = CONVERSATION) -> Head:
        return self.store.head(conversation)

    def state(self, conversation: str = CONVERSATION) -> ConversationState:
        return self.store.state(conversation)

    def inbounds(self, conversation: str = CONVERSATION) -> Sequence[str]:
        return [each.sk for each in self.store.inbounds(conversation)]

    def parts(self, conversation: str = CONVERSATION) -> Sequence[OutboundPart]:
        return self.store.parts(conversation)

    def turns(self, conversation: str = CONVERSATION) -> Sequence[TurnRecord]:
        return self.store.turns(conversation)

    def effects(self, conversation: str = CONVERSATION) -> Sequence[Effect]:
        return self.store.effects(conversation)


class DynamoSubject:
    """The adapter on moto, every request recorded and checked; `honours_tokens` as the table of AWS does."""

    def __init__(self, client: Any, table_name: str, *, honours_tokens: bool = False) -> None:
        self.clock = FakeClock()
        self.client = RecordingClient(TokenHonouringTable(client, self.clock) if honours_tokens else client)
        self._table_name = table_name
        self._unrecorded = client
        self.store = self.another_worker()

    def another_worker(self) -> DynamoConversationStore:
        return DynamoConversationStore(
            self.client,
            table_name=self._table_name,
            retention_days=RETENTION_DAYS,
            clock=self.clock,
            sleep=lambda _s: None,
        )

    def requests(self) -> int:
        return len(self.client.calls)

    def head(self, conversation: str = CONVERSATION) -> Head:
        return codec.item_to_head(next(iter(self.items(conversation, "S#HEAD")), {}))

    def state(self, conversation: str = CONVERSATION) -> ConversationState:
        return codec.item_to_state(next(iter(self.items(conversation, "S#STATE")), {}))

    def inbounds(self, conversation: str = CONVERSATION) -> Sequence[str]:
        return [item["sk"] for item in self.items(conversation, "M#") if is_inbound(item["sk"])]

    def parts(self, conversation: str = CONVERSATION) -> Sequence[OutboundPart]:
        items = self.items(conversation, "M#")
        return tuple(codec.item_to_part(item) for item in items if not is_inbound(item["sk"]))

    def turns(self, conversation: str = CONVERSATION) -> Sequence[TurnRecord]:
        return tuple(codec.item_to_turn(item) for item in self.items(conversation, "T#"))

    def effects(self, conversation: str = CONVERSATION) -> Sequence[Effect]:
        return tuple(codec.item_to_effect(item) for item in self.items(conversation, "E#"))

    def set_by_hand(self, sk: str, **attributes: str) -> None:
        """Change an item as no code of ours does."""
        self._unrecorded.update_item(
            TableName=self._table_name,
            Key={"pk": {"S": pk_of(CONVERSATION)}, "sk": {"S": sk}},
            AttributeUpdates={name: {"Value": {"S": value}} for name, value in attributes.items()},
        )

    def items(self, conversation: str, prefix: str) -> list[Item]:
        """What the table holds, expired or not."""
        page = self._unrecorded.query(
            TableName=self._table_name,
            KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
            ExpressionAttributeValues={":pk": {"S": pk_of(conversation)}, ":sk": {"S": prefix}},
            ConsistentRead=True,
        )
        return [unmarshalled(item) for item in page["Items"]]
