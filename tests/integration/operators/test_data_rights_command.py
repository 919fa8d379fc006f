"""scripts/data_rights.py on a deployment's table: found by phone, exported, erased with a receipt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from data_rights_tools.command import TableClock, main
from operator_tools.deployment import Deployment
from tests.desk import CUSTOMER, Desk

PHONE = str(CUSTOMER.phone)
TRACES = ("boleto", PHONE, "Lara", "wamid")


@pytest.fixture
def said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A customer has written and was answered; commands come a minute later, by this desk's clock."""
    desk.says("quero o boleto")
    desk.clock.advance(seconds=60)
    monkeypatch.setattr(TableClock, "now_ms", lambda _clock: desk.clock.now_ms())
    return desk


def run(deployment: Deployment, *arguments: str, answer: str = "") -> int:
    return main(list(arguments), ask=lambda _question: answer, opened=lambda _options: deployment)


def table(deployment: Deployment) -> str:
    items = deployment.client("dynamodb").scan(TableName=deployment.outputs["TableName"])["Items"]
    return json.dumps(items, ensure_ascii=False)


@pytest.mark.usefixtures("said")
@pytest.mark.parametrize("phone", [PHONE, "+55 (11) 8000-0101"])
def test_an_export_holds_what_was_said_and_only_its_owner_reads_it(
    deployment: Deployment, phone: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "lara.json"

    assert run(deployment, "export", "--phone", phone, "--to", str(target)) == 0

    document = json.loads(target.read_text("utf-8"))
    assert {item["sk"][:2] for item in document["items"]} == {"M#", "S#", "T#", "A#"}
    assert "quero o boleto" in json.dumps(document)
    assert target.stat().st_mode & 0o077 == 0
    assert PHONE not in capsys.readouterr().out


@pytest.mark.usefixtures("said")
def test_a_file_that_is_there_is_not_written_over(
    deployment: Deployment, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "lara.json"
    target.write_text("de outra pessoa")
    assert run(deployment, "export", "--phone", PHONE, "--to", str(target)) == 2
    assert target.read_text() == "de outra pessoa"
    assert "next: name another file" in capsys.readouterr().err


@pytest.mark.usefixtures("said")
def test_an_erasure_asks_first_and_leaves_nothing(deployment: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(deployment, "erase", "--phone", PHONE, answer="não") == 3
    assert "boleto" in table(deployment)

    assert run(deployment, "erase", "--phone", PHONE, answer="apagar") == 0

    assert [trace for trace in TRACES if trace in table(deployment)] == []
    told = capsys.readouterr().out
    assert "mensagens recebidas" in told
    assert "Not reached by this" in told
    assert [trace for trace in TRACES if trace in told] == []


@pytest.mark.usefixtures("said")
def test_without_anybody_to_answer_nothing_is_erased(
    deployment: Deployment, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["erase", "--phone", PHONE], opened=lambda _options: deployment) == 3
    assert "--yes" in capsys.readouterr().err
    assert "boleto" in table(deployment)


def test_nobody_is_said_to_be_nobody(deployment: Deployment, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(deployment, "erase", "--phone", "5511970000000", "--yes") == 1
    assert "there is no conversation of that phone" in capsys.readouterr().err


def test_the_tables_time_is_taken_where_this_machine_is_minutes_off() -> None:
    class Table:
        def get_item(self, **_request: Any) -> dict[str, Any]:
            return {"ResponseMetadata": {"HTTPHeaders": {"date": "Tue, 01 Dec 2099 10:00:00 GMT"}}}

    assert TableClock.of(Table(), "t").ahead_ms > 60_000
