"""What was in the table comes back from the one restored beside it, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import boto3
import pytest

from core.integrations.dynamodb.table import create_table
from restoring import command
from restoring.command import main
from restoring.items import Tables
from tests.integration.conftest import REGION

BEFORE, SERVING = "restored-before", "restored-serving"


def item(pk: str, sk: str, **attributes: str) -> dict[str, Any]:
    return {"pk": {"S": pk}, "sk": {"S": sk}} | {name: {"S": value} for name, value in attributes.items()}


class Stacks:
    """CloudFormation and the queue's mapping, as far as they are asked."""

    def __init__(self, state: str) -> None:
        self._state = state

    def describe_stacks(self, **_: str) -> Mapping[str, Any]:
        outputs = {"TableName": SERVING, "QueueUrl": "q"}
        shown = [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]
        return {"Stacks": [{"StackStatus": "CREATE_COMPLETE", "Outputs": shown}]}

    def get_queue_attributes(self, **_: Any) -> Mapping[str, Any]:
        return {"Attributes": {"QueueArn": "arn:q"}}

    def list_event_source_mappings(self, **_: str) -> Mapping[str, Any]:
        return {"EventSourceMappings": [{"State": self._state}]}


class Desk:
    """An account with both tables, paused unless a test says otherwise."""

    number, caller, region, profile, endpoint = "1", "arn:me", REGION, "", ""

    def __init__(self) -> None:
        self.dynamodb = boto3.client("dynamodb", region_name=REGION)
        self.state = "Disabled"
        for table in (BEFORE, SERVING):
            create_table(self.dynamodb, table)

    def client(self, service: str) -> Any:
        return self.dynamodb if service == "dynamodb" else Stacks(self.state)

    def described(self) -> str:
        return "account 1"

    def put(self, table: str, *items: Mapping[str, Any]) -> None:
        for each in items:
            self.dynamodb.put_item(TableName=table, Item=each)

    def items(self) -> list[Any]:
        found = self.dynamodb.scan(TableName=SERVING)["Items"]
        return sorted(found, key=lambda each: (each["pk"]["S"], each["sk"]["S"]))


@pytest.fixture
def desk(aws: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    made = Desk()
    monkeypatch.setattr(command, "open_account", lambda **_: made)
    yield made
    for table in (BEFORE, SERVING):
        made.dynamodb.delete_table(TableName=table)


def test_a_conversation_is_as_it_was_and_others_stay(desk: Desk) -> None:
    desk.put(BEFORE, item("C#a", "S#HEAD", mode="bot"), item("C#a", "M#1"), item("C#b", "S#HEAD", mode="old"))
    desk.put(SERVING, item("C#a", "S#HEAD", mode="damaged"), item("C#a", "M#2"), item("C#b", "S#HEAD", mode="new"))
    assert main(["--from", BEFORE, "--conversation", "a", "--yes"]) == 0
    assert desk.items() == [
        item("C#a", "M#1"),
        item("C#a", "S#HEAD", mode="bot"),
        item("C#b", "S#HEAD", mode="new"),
    ]


def test_what_is_missing_comes_back_and_nothing_is_overwritten(desk: Desk) -> None:
    desk.put(BEFORE, item("C#a", "S#HEAD", mode="old"), item("C#b", "S#HEAD", mode="gone"))
    desk.put(SERVING, item("C#a", "S#HEAD", mode="new"), item("C#c", "S#HEAD"))
    assert main(["--from", BEFORE, "--missing", "--yes"]) == 0
    assert desk.items() == [
        item("C#a", "S#HEAD", mode="new"),
        item("C#b", "S#HEAD", mode="gone"),
        item("C#c", "S#HEAD"),
    ]


def test_what_somebody_wrote_meanwhile_is_not_overwritten(desk: Desk) -> None:
    desk.put(BEFORE, item("C#a", "S#HEAD", mode="old"))
    tables = Tables(desk.dynamodb, before=BEFORE, serving=SERVING)
    plan = tables.plan_missing()
    desk.put(SERVING, item("C#a", "S#HEAD", mode="new"))
    assert tables.carry_out(plan, overwrites=False) == 0
    assert desk.items() == [item("C#a", "S#HEAD", mode="new")]


def test_a_conversation_that_the_backup_does_not_know_is_not_deleted(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.put(SERVING, item("C#a", "S#HEAD"))
    assert main(["--from", BEFORE, "--conversation", "a", "--yes"]) == 4
    assert "it would only be deleted" in capsys.readouterr().err
    assert desk.items() == [item("C#a", "S#HEAD")]


def test_it_is_shown_and_asked_first(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.put(BEFORE, item("C#a", "S#HEAD", due_shard="D#0"), item("C#a", "M#1"))
    assert main(["--from", BEFORE, "--conversation", "a"], ask=lambda _: "n") == 3
    assert desk.items() == []
    assert "2 items to write (1 of them wait for somebody), 0 to delete" in capsys.readouterr().out
    assert main(["--from", BEFORE, "--conversation", "a"], ask=lambda _: "y") == 0
    assert main(["--from", BEFORE, "--conversation", "a"]) == 0
    assert "nothing to do" in capsys.readouterr().out


def test_a_desk_that_answers_is_to_be_paused_first(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.state = "Enabled"
    desk.put(BEFORE, item("C#a", "S#HEAD"))
    assert main(["--from", BEFORE, "--missing", "--yes"]) == 4
    assert "scripts/conversations.py pause" in capsys.readouterr().err
    assert desk.items() == []
