"""The hour's money over all conversations, as items of the table that belong to no conversation."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.domain.record_keys import SPENDING, hour_sk
from core.integrations.dynamodb.attributes import marshalled
from core.integrations.dynamodb.requests import TableRequests

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_KEPT_SECONDS = 7 * 86_400
_HOUR_SECONDS = 3_600


class DynamoSpendCounter:
    """Implements `SpendCounter`. `client` is the conversation table's."""

    def __init__(self, client: DynamoDBClient, *, table_name: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self._requests = TableRequests(client, table_name=table_name, sleep=sleep, random=lambda: 1.0)

    def add(self, hour: int, micro_usd: int) -> None:
        """One update. Repeated after a lost answer, it counts twice: rather too much than too little."""
        self._requests.update(
            Key=marshalled({"pk": SPENDING, "sk": hour_sk(hour)}),
            UpdateExpression="ADD #usd :usd SET #ttl = :ttl",
            ExpressionAttributeNames={"#usd": "micro_usd", "#ttl": "ttl"},
            ExpressionAttributeValues=marshalled({":usd": micro_usd, ":ttl": hour * _HOUR_SECONDS + _KEPT_SECONDS}),
        )

    def total(self, hour: int) -> int:
        """One consistent get."""
        found = self._requests.batch_get([marshalled({"pk": SPENDING, "sk": hour_sk(hour)})])
        return int(found[0]["micro_usd"]) if found else 0
