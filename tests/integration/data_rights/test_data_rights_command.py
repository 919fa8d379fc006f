"""scripts/data_rights.py on a table: found by phone, exported, erased with a receipt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from core.application.intake.record_message import Intake
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.dynamodb.table import create_table
from core.integrations.system.clock import SystemClock
from data_rights_tools.command import main

NUMBER, KEY, PHONE = "330000000000982", "chave", "5511980000101"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    settings = {
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_DEFAULT_REGION": "us-east-1",
        "TABLE_NAME": "t",
        "IDENTITY_KEY": KEY,
        "WHATSAPP_PHONE_NUMBER_ID": NUMBER,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        client = boto3.client("dynamodb")
        create_table(client, "t")
        clock = SystemClock()
        store = DynamoConversationStore(client, table_name="t", retention_days=180, clock=clock)
        intake = Intake(store=store, clock=clock, identity_key=KEY, phone_number_id=NUMBER, stale_after_seconds=900)
        intake.record(
            InboundMessage(
                provider_id="wamid.1",
                kind=MessageKind.TEXT,
                sender=Sender(phone=PHONE, name="Lara"),
                phone_number_id=NUMBER,
                sent_at_ms=clock.now_ms() - 5_000,
                text="quero o boleto",
            )
        )
        yield client


def items(client: Any) -> str:
    return json.dumps(client.scan(TableName="t")["Items"])


def test_an_export_holds_what_was_said_and_only_its_owner_reads_it(
    table: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "lara.json"

    assert main(["export", "--phone", "+55 11 8000-0101", "--to", str(target)]) == 0

    assert "quero o boleto" in target.read_text("utf-8")
    assert target.stat().st_mode & 0o077 == 0
    assert PHONE not in capsys.readouterr().out


def test_an_erasure_asks_first_and_leaves_nothing(
    table: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "não")
    assert main(["erase", "--phone", PHONE]) == 3
    assert "boleto" in items(table)

    monkeypatch.setattr("builtins.input", lambda _: "apagar")
    assert main(["erase", "--phone", PHONE]) == 0

    assert not [trace for trace in ("boleto", PHONE, "Lara", "wamid") if trace in items(table)]
    assert "mensagens recebidas" in capsys.readouterr().out


def test_nobody_is_said_to_be_nobody(table: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["erase", "--phone", "5511970000000", "--yes"]) == 1
    assert "nothing is held" in capsys.readouterr().err
