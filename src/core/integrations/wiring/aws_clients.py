"""AWS clients with our limits (docs/turn.md, "Deadline"): connect 1 s, read 2 s, three attempts, pools for threads.

botocore, not boto3: of boto3's own only the low-level client would be used, which is botocore's, and to import the rest
costs a cold start more than a second client does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from botocore.config import Config
from botocore.session import get_session

from core.integrations.ssm.secret_source import SsmSecretSource

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_socialmessaging import EndUserMessagingSocialClient
    from mypy_boto3_sqs import SQSClient

_POOL = 32  # above the threads of every function
_CONFIG = Config(
    connect_timeout=1,
    read_timeout=2,
    retries={"total_max_attempts": 3, "mode": "standard"},
    max_pool_connections=_POOL,
    parameter_validation=False,  # the service checks too; tests' clients keep it (docs/adr/0006)
)


def aws_client(service: str, *, config: Config = _CONFIG) -> Any:
    """A client made once per environment. Endpoint, region and credentials come from AWS's own variables."""
    return _aws_session().create_client(service, config=config)


def dynamodb_client() -> DynamoDBClient:
    """The table's."""
    client: DynamoDBClient = aws_client("dynamodb")
    return client


def sqs_client() -> SQSClient:
    """The queue's."""
    client: SQSClient = aws_client("sqs")
    return client


def sns_client() -> SNSClient:
    """The topics'."""
    client: SNSClient = aws_client("sns")
    return client


def social_client(*, timeout_seconds: float = 10.0) -> EndUserMessagingSocialClient:
    """End User Messaging's, with the SDK's retries off: repeating timeouts and 5xx, it would send a message twice."""
    config = Config(
        connect_timeout=1,
        read_timeout=timeout_seconds,
        retries={"total_max_attempts": 1},
        max_pool_connections=_POOL,
    )
    client: EndUserMessagingSocialClient = aws_client("socialmessaging", config=config)
    return client


def secret_source(environ: Mapping[str, str]) -> SsmSecretSource:
    """SSM's client is made only when a parameter is named."""
    return SsmSecretSource(environ, ssm_client=cache(lambda: aws_client("ssm")))


@cache
def _aws_session() -> Any:
    """One session for all clients of a process, so that what describes AWS is read once."""
    return get_session()
