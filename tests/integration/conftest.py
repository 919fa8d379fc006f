"""AWS in process (moto) with credentials that open nothing, whatever the environment holds."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from moto import mock_aws

from core.integrations.dynamodb.table import create_table
from tests.integration.store_subjects import DynamoSubject, FakeSubject, Subject

REGION = "sa-east-1"
_FAKE_CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_SESSION_TOKEN": "testing",
    "AWS_DEFAULT_REGION": REGION,
    "AWS_REGION": REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}
_names = itertools.count(1)


@pytest.fixture(scope="session")
def aws() -> Iterator[None]:
    """No variable of the user's reaches boto3, and no request leaves the process."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name, value in _FAKE_CREDENTIALS.items():
            patch.setenv(name, value)
        with mock_aws():
            yield


@pytest.fixture(scope="session")
def dynamodb(aws: None) -> Any:
    return _client("dynamodb")


@pytest.fixture(scope="session")
def sqs(aws: None) -> Any:
    return _client("sqs")


@pytest.fixture(scope="session")
def ssm(aws: None) -> Any:
    return _client("ssm")


@pytest.fixture
def table_name(dynamodb: Any) -> str:
    """A table of the test's own."""
    name = f"balcao-{next(_names)}"
    create_table(dynamodb, name)
    return name


def _client(service: str) -> Any:
    return boto3.client(service, region_name=REGION, config=Config(retries={"max_attempts": 1}))


@pytest.fixture(params=["memory", "dynamodb", "dynamodb with tokens"])
def subject(request: pytest.FixtureRequest) -> Subject:
    """Either store under the one contract; the adapter also on a table that knows its requests by their tokens."""
    if request.param == "memory":
        return FakeSubject()
    client, table_name = request.getfixturevalue("dynamodb"), request.getfixturevalue("table_name")
    return DynamoSubject(client, table_name, honours_tokens=request.param == "dynamodb with tokens")


@pytest.fixture
def on_table(dynamodb: Any, table_name: str) -> DynamoSubject:
    """The adapter alone, for what only the table has: requests, expressions, expired items."""
    return DynamoSubject(dynamodb, table_name)
