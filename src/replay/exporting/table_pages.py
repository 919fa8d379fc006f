"""The table, read page by page: nobody's whole table fits in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from core.domain.record_keys import HEAD, conversation_of, pk_of
from core.integrations.dynamodb.attributes import Item, unmarshalled
from core.integrations.dynamodb.codec import expired

_HEADS = {"FilterExpression": "sk = :head", "ProjectionExpression": "pk, moved_to"}


class TableClient(Protocol):
    """What of boto3's DynamoDB client is used."""

    def scan(self, **request: Any) -> Mapping[str, Any]: ...

    def query(self, **request: Any) -> Mapping[str, Any]: ...


class TablePages:
    """Conversations of one table, and their items. Raises what the client raises."""

    def __init__(self, client: TableClient, table: str, *, now_ms: int) -> None:
        self._client, self._table, self._now_ms = client, table, now_ms

    def conversations(self) -> Iterator[str]:
        """Every conversation that leads nowhere else, in the table's order."""
        request = {"TableName": self._table, "ExpressionAttributeValues": {":head": {"S": HEAD}}, **_HEADS}
        for item in self._pages(self._client.scan, request):
            if "moved_to" not in item:
                yield conversation_of(item["pk"])

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

    @staticmethod
    def _pages(ask: Any, request: Mapping[str, Any]) -> Iterator[Item]:
        following: Mapping[str, Any] = {}
        while True:
            page = ask(**request, **following)
            yield from (unmarshalled(each) for each in page.get("Items", ()))
            if not (last := page.get("LastEvaluatedKey")):
                return
            following = {"ExclusiveStartKey": last}
