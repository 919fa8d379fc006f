"""The table, read page by page: nobody's whole table fits in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from core.domain.record_keys import HEAD, conversation_of, pk_of
from core.integrations.dynamodb.attributes import Item, unmarshalled
from core.integrations.dynamodb.codec import expired


class TableClient(Protocol):
    """What of boto3's DynamoDB client is used."""

    def scan(self, **request: Any) -> Mapping[str, Any]: ...

    def get_item(self, **request: Any) -> Mapping[str, Any]: ...

    def query(self, **request: Any) -> Mapping[str, Any]: ...


class TablePages:
    """Conversations of one table, and their items. Raises what the client raises."""

    def __init__(self, client: TableClient, table: str, *, now_ms: int) -> None:
        self._client, self._table, self._now_ms = client, table, now_ms

    def conversations(self) -> Iterator[tuple[str, Sequence[Item]]]:
        """Every conversation that leads nowhere else, with its items; a table gives those of one together."""
        found = self._pages(self._client.scan, {"TableName": self._table})
        for pk, items in groupby(found, key=lambda item: str(item["pk"])):
            kept = [item for item in items if not expired(item, now_ms=self._now_ms)]
            if not any(item["sk"] == HEAD and "moved_to" in item for item in kept):
                yield conversation_of(pk), kept

    def items(self, conversation: str) -> Iterator[Item]:
        """A conversation's items, in the order of their keys; what has expired is gone."""
        request = {
            "TableName": self._table,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": pk_of(conversation)}},
        }
        for item in self._pages(self._client.query, request):
            if not expired(item, now_ms=self._now_ms):
                yield item

    def home(self, conversation: str) -> str:
        """Where an id leads: the conversation of the id under which the customer was first seen."""
        return str(self.head(conversation).get("moved_to", conversation))

    def head(self, conversation: str) -> Item:
        """HEAD of an id, as it stands; empty where nobody was seen under it."""
        key = {"pk": {"S": pk_of(conversation)}, "sk": {"S": HEAD}}
        return unmarshalled(self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item", {}))

    def conversation_with(self, provider_id: str) -> str | None:
        """The conversation of a message by the channel's own id, ours or the customer's. Reads the whole table: that id
        is no key of it.
        """
        request = {
            "TableName": self._table,
            "ProjectionExpression": "pk",
            "FilterExpression": "provider_id = :id OR #message.provider_id = :id",
            "ExpressionAttributeNames": {"#message": "message"},
            "ExpressionAttributeValues": {":id": {"S": provider_id}},
        }
        found = next(self._pages(self._client.scan, request), None)
        return None if found is None else conversation_of(str(found["pk"]))

    @staticmethod
    def _pages(ask: Any, request: Mapping[str, Any]) -> Iterator[Item]:
        following: Mapping[str, Any] = {}
        while True:
            page = ask(**request, **following)
            yield from (unmarshalled(each) for each in page.get("Items", ()))
            if not (last := page.get("LastEvaluatedKey")):
                return
            following = {"ExclusiveStartKey": last}
