"""The table's shape, for tests and local stacks; template.yaml declares the same and a test compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

DUE_INDEX = "due"
PEOPLE_INDEX = "people"
ATTRIBUTES = {"pk": "S", "sk": "S", "due_shard": "S", "due_at": "N", "people": "S", "people_at": "N"}
KEY = {"HASH": "pk", "RANGE": "sk"}
DUE_KEY = {"HASH": "due_shard", "RANGE": "due_at"}
DUE_PROJECTION = "KEYS_ONLY"
PEOPLE_KEY = {"HASH": "people", "RANGE": "people_at"}
# What a list of conversations shows; no turn of the bot's writes one of them.
PEOPLE_ATTRIBUTES = (
    "handoff_acknowledged",
    "handoff_reason",
    "handoff_since_ms",
    "last_inbound_ms",
    "mode",
    "name",
    "owner",
    "owner_name",
    "owner_spoke_ms",
    "people_since_ms",
)
BILLING_MODE = "PAY_PER_REQUEST"
TTL_ATTRIBUTE = "ttl"


def table_definition(name: str) -> dict[str, Any]:
    """What `create_table` asks for."""
    return {
        "TableName": name,
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in ATTRIBUTES.items()],
        "KeySchema": _key_schema(KEY),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": DUE_INDEX,
                "KeySchema": _key_schema(DUE_KEY),
                "Projection": {"ProjectionType": DUE_PROJECTION},
            },
            {
                "IndexName": PEOPLE_INDEX,
                "KeySchema": _key_schema(PEOPLE_KEY),
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(PEOPLE_ATTRIBUTES)},
            },
        ],
        "BillingMode": BILLING_MODE,
    }


def create_table(client: DynamoDBClient, name: str) -> None:
    """Creates the table and turns its TTL on; returns once it can be used."""
    client.create_table(**table_definition(name))
    client.get_waiter("table_exists").wait(TableName=name)
    client.update_time_to_live(
        TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL_ATTRIBUTE}
    )


def _key_schema(key: dict[str, str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for kind, name in key.items()]
