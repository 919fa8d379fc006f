"""What must be written and deleted so that a table holds again what another of the same form held before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

Item = Mapping[str, Any]
Key = tuple[str, str]

_KEYS = ("pk", "sk")
_NOT_THERE = "attribute_not_exists(pk)"
_DUE = "due_shard"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Items to put and keys to delete. `due` of those to put are what the sweep looks at at once."""

    puts: tuple[Item, ...] = ()
    deletes: tuple[Key, ...] = ()

    @property
    def due(self) -> int:
        """How many of the items wait for somebody."""
        return sum(_DUE in item for item in self.puts)


class Tables:
    """The table that was restored beside, and the one that serves, by a DynamoDB client."""

    def __init__(self, dynamodb: Any, *, before: str, serving: str) -> None:
        self._dynamodb = dynamodb
        self._before = before
        self._serving = serving

    def plan_partition(self, pk: str) -> Plan:
        """So that this partition is as it was: what differs is put, what came since is deleted."""
        before, now = self._partition(self._before, pk), self._partition(self._serving, pk)
        puts = tuple(item for key, item in before.items() if now.get(key) != item)
        return Plan(puts=puts, deletes=tuple(key for key in now if key not in before))

    def plan_missing(self) -> Plan:
        """So that all that was there is there: what is there now stays as it is."""
        there = {_key_of(item) for item in self._scan(self._serving, keys_only=True)}
        return Plan(puts=tuple(item for item in self._scan(self._before) if _key_of(item) not in there))

    def carry_out(self, plan: Plan, *, overwrites: bool) -> int:
        """How many items were written; what somebody wrote meanwhile is not overwritten unless that is asked."""
        for pk, sk in plan.deletes:
            self._dynamodb.delete_item(TableName=self._serving, Key={"pk": {"S": pk}, "sk": {"S": sk}})
        return sum(self._put(item, overwrites=overwrites) for item in plan.puts)

    def _put(self, item: Item, *, overwrites: bool) -> bool:
        condition = {} if overwrites else {"ConditionExpression": _NOT_THERE}
        try:
            self._dynamodb.put_item(TableName=self._serving, Item=item, **condition)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            return False
        return True

    def _partition(self, table: str, pk: str) -> dict[Key, Item]:
        asked = {"KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": pk}}}
        pages = self._dynamodb.get_paginator("query").paginate(TableName=table, ConsistentRead=True, **asked)
        return {_key_of(item): item for page in pages for item in page["Items"]}

    def _scan(self, table: str, *, keys_only: bool = False) -> Iterator[Item]:
        asked = {"ProjectionExpression": ", ".join(_KEYS)} if keys_only else {}
        pages = self._dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True, **asked)
        for page in pages:
            yield from page["Items"]


def _key_of(item: Item) -> Key:
    pk, sk = (item[name]["S"] for name in _KEYS)
    return pk, sk
