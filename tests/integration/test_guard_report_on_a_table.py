"""The guard's report over the sessions that a table has logged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

import guard_report
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from tests.desk import Desk
from tests.fakes.conversation_store import FakeConversationStore

FOR_EVER_DAYS = 36_500  # the command reads the real clock, and leaves out what has expired
QUESTION = '{"s":1}Qual é o seu nome?'


@pytest.fixture
def table(dynamodb: Any, table_name: str) -> str:
    """Three customers' sessions, told by the real turn to the real adapter."""
    desk = Desk(*[QUESTION] * 6)
    store = DynamoConversationStore(dynamodb, table_name=table_name, retention_days=FOR_EVER_DAYS, clock=desk.clock)
    desk.store = cast(FakeConversationStore, store)
    desk.intake = replace(desk.intake, store=store)
    desk.says("bom dia")
    desk.says("seu inútil")
    desk.says("quero um atendente", sender=replace(desk.another_customer(), phone="5511980008888"))
    for text in ("quero o laudo", "o laudo", "laudo!", "quero o laudo"):
        desk.says(text, sender=replace(desk.another_customer(), phone="5511980009999"))
    dynamodb.put_item(TableName=table_name, Item={"pk": {"S": "C#x"}, "sk": {"S": "M#0000000000001#ix"}})
    return table_name


def test_logged_sessions_say_what_fired_then_and_now(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guard_report.main(["--table", table]) == 0
    told = capsys.readouterr().out
    assert told.startswith("7 logged turns, 4 stopped by the guard at the time\n")
    assert "  human-request, person_alone: 1\n" in told
    assert "  frustrated, insult_alone: 1\n" in told
    assert "  loop, repeated_question: 2\n" in told
    assert "as the rules are now:\n" in told
    assert "  want_person: 1 fired, 0 alone, 0 wrong\n    quero um atendente\n" in told
    assert "loop: no labels\n  repeated_question: " in told


def test_no_customer_is_quoted_where_no_examples_are_wanted(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guard_report.main(["--table", table, "--examples", "0"]) == 0
    assert "atendente" not in capsys.readouterr().out


def test_a_table_that_is_not_there_is_named(aws: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert guard_report.main(["--table", "nenhuma"]) == 2
    assert "guard_report: the table nenhuma can't be read: " in capsys.readouterr().err
