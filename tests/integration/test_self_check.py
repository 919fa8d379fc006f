"""What the functions answer to the check of a deployment, over a table and a queue."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from core.domain.errors import IntegrationError
from core.integrations.wiring.reach import Part, reach
from handlers import process_message, sweep, webhook
from tests.door import Door

DOORS = {"process": process_message, "sweep": sweep, "webhook": webhook}
CONTEXT: Any = None


@pytest.fixture
def deployment(table_name: str, sqs: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """The environment of a function; the queue's address."""
    queue_url: str = sqs.create_queue(QueueName="check.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    variables = {
        "TABLE_NAME": table_name,
        "QUEUE_URL": queue_url,
        "CODE_VERSION": "abc-1",
        "OPENAI_API_KEY": "sk-test",
        "IDENTITY_KEY": "key",
        "WHATSAPP_PHONE_NUMBER_ID": "330000000000982",
        "WHATSAPP_ACCESS_TOKEN": "token",
        "WHATSAPP_APP_SECRET": "secret",
        "WHATSAPP_VERIFY_TOKEN": "verify",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for door in DOORS.values():
        door.dependencies.cache_clear()
    return queue_url


@pytest.mark.parametrize(
    ("function", "checked"),
    [
        ("process", ["settings", "secrets", "files", "table", "queue"]),
        ("sweep", ["settings", "secrets", "files", "table", "index"]),
        ("webhook", ["settings", "secrets", "table", "queue"]),
    ],
)
@pytest.mark.usefixtures("deployment")
def test_a_function_says_what_works_and_which_code_it_is(function: str, checked: list[str]) -> None:
    assert DOORS[function].handler({"deploy_check": True}, CONTEXT) == {
        "deploy_check": "passed",
        "function": function,
        "code": "abc-1",
        "checked": checked,
    }


@pytest.mark.parametrize("function", sorted(DOORS))
@pytest.mark.usefixtures("deployment")
def test_a_setting_that_is_wrong_is_the_answer_and_rings_nobodys_alarm(
    function: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TURNS_PER_HOUR", "many")
    told = DOORS[function].handler({"deploy_check": True}, CONTEXT)

    assert told["deploy_check"] == "failed"
    assert "TURNS_PER_HOUR must be a number" in told["why"]
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize(("name", "what"), [("TABLE_NAME", "the table"), ("QUEUE_URL", "the queue")])
@pytest.mark.usefixtures("deployment")
def test_what_is_not_there_is_named(name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, {"TABLE_NAME": "other", "QUEUE_URL": "https://sqs.sa-east-1.amazonaws.com/1/o"}[name])
    told = process_message.handler({"deploy_check": True}, CONTEXT)

    assert told["why"].startswith(f"{what} is not reached: ")


def test_nothing_is_written(deployment: str, table_name: str, dynamodb: Any, sqs: Any) -> None:
    for door in DOORS.values():
        door.handler({"deploy_check": True}, CONTEXT)

    assert dynamodb.scan(TableName=table_name)["Items"] == []
    assert "Messages" not in sqs.receive_message(QueueUrl=deployment)


def test_an_index_that_is_missing_is_named(deployment: str, table_name: str, dynamodb: Any) -> None:
    plain = f"{table_name}-plain"
    dynamodb.create_table(
        TableName=plain,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
    )
    with pytest.raises(IntegrationError, match="the index is not reached"):
        reach([Part.TABLE, Part.INDEX], table_name=plain, queue_url=deployment)


@pytest.mark.parametrize("asked", ["true", 1, {"deploy_check": True}, None])
def test_only_the_word_itself_asks(asked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that holds it is a body."""
    door = Door(monkeypatch)

    assert door.send({"deploy_check": asked, "body": '{"deploy_check": true}'})["statusCode"] == 401
