"""Whether a function reaches what its settings name: asked by the check of a deployment, of nothing of a customer's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from core.domain.errors import IntegrationError
from core.integrations.wiring.aws_clients import dynamodb_client, sqs_client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sqs import SQSClient

# The key of no conversation: theirs are hashes.
_NOBODY = {":key": {"S": "deploy-check"}}


class Part(StrEnum):
    """What a function works with."""

    TABLE = "table"
    INDEX = "index"
    PEOPLE = "people"
    QUEUE = "queue"


def reach(
    parts: Sequence[Part],
    *,
    table_name: str,
    queue_url: str,
    table: DynamoDBClient | None = None,
    queue: SQSClient | None = None,
) -> None:
    """Ask each part for nothing; the clients stand in for AWS's.

    Raises `IntegrationError`, which names the first that was not reached, and the code of the refusal.
    """
    table = table or dynamodb_client()
    asked: dict[str, Any] = {"TableName": table_name, "Limit": 1, "ExpressionAttributeValues": _NOBODY}
    questions: Mapping[Part, Callable[[], object]] = {
        Part.TABLE: lambda: table.query(**asked, KeyConditionExpression="pk = :key", ConsistentRead=True),
        Part.INDEX: lambda: table.query(**asked, IndexName="due", KeyConditionExpression="due_shard = :key"),
        Part.PEOPLE: lambda: table.query(**asked, IndexName="people", KeyConditionExpression="people = :key"),
        Part.QUEUE: lambda: (queue or sqs_client()).get_queue_attributes(
            QueueUrl=queue_url, AttributeNames=["QueueArn"]
        ),
    }
    for part in parts:
        _ask(f"the {part}", questions[part])


def _ask(what: str, ask: Callable[[], object]) -> None:
    try:
        ask()
    except ClientError as error:
        raise IntegrationError(f"{what} is not reached: {error.response['Error']['Code']}") from None
    except BotoCoreError as error:
        raise IntegrationError(f"{what} is not reached: {type(error).__name__}") from None
