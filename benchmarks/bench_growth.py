"""What a turn asks of the table as a conversation grows, in the table's own units, over moto.

`read_units_5000`: read units of a turn's read at 5,000 messages ÷ at 500 (at 10 it reads those 10).
`write_requests_200`: requests that 200 messages need that wait for an answer, ÷ those of 100.
`write_units_200`: the same in write units; HEAD names what waits, and grows with it.
"""

from __future__ import annotations

import math
import os
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws

from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import item_size, marshalled
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.dynamodb.table import create_table
from core.integrations.system.clock import SystemClock
from tests.integration.conversation_builders import inbound

LIMITS = {"read_units_10": 1.0, "read_units_5000": 1.05, "write_requests_200": 2.0, "write_units_200": None}
_ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "bench", "AWS_SECRET_ACCESS_KEY": "bench", "AWS_DEFAULT_REGION": "sa-east-1"}
_READ_UNIT, _WRITE_UNIT = 4096, 1024
_PUT_AT_ONCE = 25


class Counting:
    """A client that adds up what passes through it: read units of consistent reads, write units of transactions."""

    def __init__(self, client: Any, table: str) -> None:
        self._client = client
        self._table = table
        self.read_units = self.write_units = self.requests = 0

    def query(self, **request: Any) -> Any:
        answer = self._client.query(**request)
        self.read_units += math.ceil(sum(item_size(item) for item in answer["Items"]) / _READ_UNIT)
        return answer

    def transact_write_items(self, **request: Any) -> Any:
        answer = self._client.transact_write_items(**request)
        self.requests += 1
        for action in request["TransactItems"]:
            ((kind, what),) = action.items()
            key = {name: what["Item" if kind == "Put" else "Key"][name] for name in ("pk", "sk")}
            item = self._client.get_item(TableName=self._table, Key=key).get("Item", {})
            self.write_units += 2 * math.ceil(item_size(item) / _WRITE_UNIT)
        return answer

    def __getattr__(self, operation: str) -> Any:
        return getattr(self._client, operation)


def measure() -> dict[str, float]:
    """All figures, as ratios."""
    with patch.dict(os.environ, _ENVIRONMENT), mock_aws():
        client = boto3.client("dynamodb")
        few, some, many = (_read_units(client, messages) for messages in (10, 500, 5_000))
        hundred, two_hundred = (_waiting(client, messages) for messages in (100, 200))
    return {
        "read_units_10": few / some,
        "read_units_5000": many / some,
        "write_requests_200": two_hundred.requests / hundred.requests,
        "write_units_200": two_hundred.write_units / hundred.write_units,
    }


def _read_units(client: Any, messages: int) -> int:
    counting, store = _table(client, f"read-{messages}")
    conversation = store.record(_message(messages)).conversation
    puts = [{"PutRequest": {"Item": marshalled(codec.inbound_to_item(_message(n)))}} for n in range(messages)]
    for start in range(0, messages, _PUT_AT_ONCE):
        client.batch_write_item(RequestItems={f"read-{messages}": puts[start : start + _PUT_AT_ONCE]})
    store.read(conversation)
    return counting.read_units


def _waiting(client: Any, messages: int) -> Counting:
    counting, store = _table(client, f"waiting-{messages}")
    for n in range(messages):
        store.record(_message(n))
    return counting


def _message(number: int) -> Any:
    now_ms = 1_764_000_000_000
    return inbound(f"{number:016x}", at_ms=now_ms + number, text="Bom dia! São três amostras de água, em Campinas.")


def _table(client: Any, name: str) -> tuple[Counting, DynamoConversationStore]:
    create_table(client, name)
    counting = Counting(client, name)
    store = DynamoConversationStore(
        counting,  # type: ignore[arg-type]
        table_name=name,
        retention_days=180,
        clock=SystemClock(),
    )
    return counting, store


if __name__ == "__main__":
    print(measure())
