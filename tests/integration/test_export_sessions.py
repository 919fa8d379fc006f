"""An export from a table, by the command that people type, into a file that replays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.integrations.dynamodb.attributes import marshalled
from replay.exporting.table_pages import TablePages
from replay.session_file.reader import SessionFile
from session_tools import export_command, replay_command
from tests.desk import Desk
from tests.replay.scene_recording import laboratory, recorded_desk

PHONE = "5511980000003"


@pytest.fixture(scope="module")
def desk() -> Desk:
    return recorded_desk(laboratory())


@pytest.fixture
def table(dynamodb: Any, table_name: str, desk: Desk) -> str:
    """The demo's conversations on a table, but for the long one."""
    _, *short = desk.store.conversations()
    for conversation in short:
        for item in desk.store.items(conversation):
            dynamodb.put_item(TableName=table_name, Item=marshalled({**item, "ttl": 2**40}))
    return table_name


@pytest.fixture
def export(tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command; gives its exit code and the file."""
    monkeypatch.setattr(export_command, "checkout_settings", dict)
    monkeypatch.setattr(export_command.logging, "disable", lambda _level: None)
    monkeypatch.setattr(replay_command.logging, "disable", lambda _level: None)

    key = tmp_path / "key"  # one by which nobody gets the name of somebody else here
    key.write_text("0123456789abcdef" * 4)

    def run(*more: str) -> tuple[int, Path]:
        path = tmp_path / "sessions.jsonl"
        return export_command.main([str(path), "--table", table, "--key-file", str(key), *more]), path

    return run


def sessions_in(path: Path) -> int:
    return SessionFile(path).counts["session"]


def test_every_session_is_exported_anonymised_and_replays(export: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, path = export()

    assert code == 0
    assert sessions_in(path) == 8
    text = path.read_text("utf-8")
    assert not any(value in text for value in ("Quintela", "Peçanha", "Lacerda", PHONE))
    assert "prompts" in text
    assert replay_command.main([str(path)]) == 0
    assert "nothing changed" in capsys.readouterr().out


def test_a_conversation_that_cannot_be_read_is_told_and_the_others_are_exported(
    export: Any, dynamodb: Any, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = marshalled({"pk": "C#damaged", "sk": "M#1764590000000#iabc"})
    dynamodb.put_item(TableName=table, Item=damaged)
    _, path = export()
    assert sessions_in(path) == 8
    assert "1 conversations could not be read" in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("asked", "sessions"),
    [
        (["--reason", "llm_timeout"], 1),
        (["--reason", "llm_timeout", "--reason", "human_requested"], 2),
        (["--outcome", "guard"], 1),
        (["--since", "2000-01-01", "--until", "2200-01-01"], 8),
    ],
)
def test_only_what_was_asked_for_is_exported(export: Any, asked: list[str], sessions: int) -> None:
    code, path = export(*asked)

    assert (code, sessions_in(path)) == (0, sessions)


def test_a_sample_is_the_same_one_each_time(export: Any) -> None:
    _, path = export("--sample", "50")
    first = path.read_text("utf-8")
    _, path = export("--sample", "50")

    assert path.read_text("utf-8") == first
    assert 0 < sessions_in(path) < 8


def test_nothing_that_matches_says_what_to_do(export: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, path = export("--until", "2000-01-01")

    assert code == 2
    assert not path.exists()
    assert "ask for more, or for another table" in capsys.readouterr().err


def test_a_customer_is_found_by_phone(export: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDENTITY_KEY", desk.settings.identity_key)
    monkeypatch.setenv("WHATSAPP_PHONE_NUMBER_ID", desk.settings.whatsapp.phone_number_id)

    code, path = export("--phone", PHONE)

    assert (code, sessions_in(path)) == (0, 1)
    assert PHONE not in path.read_text("utf-8")


def test_what_still_looks_personal_blocks_the_file_and_can_be_left_out(
    export: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from replay.anonymising import sessions
    from replay.anonymising.residue import Residue

    def one_is_left(changed: Any, *_known: Any, **_allowed: Any) -> tuple[Residue, ...]:
        return (Residue(changed.id, 1, "name", "L… (4 characters)"),) if len(changed.turns) > 1 else ()

    monkeypatch.setattr(sessions, "residue_of", one_is_left)

    code, path = export()
    assert code == 4
    assert not path.exists()
    assert list(path.parent.glob("*.part")) == []
    told = capsys.readouterr().err
    assert "still looks personal: name L… (4 characters) in turn 1" in told
    assert "--allow" in told

    code, path = export("--leave-out")
    assert (code, sessions_in(path)) == (0, 6)


def test_a_table_is_read_by_pages(dynamodb: Any, table: str) -> None:
    class FewAtATime:
        """The client, which gives three items a page."""

        pages = 0

        def scan(self, **request: Any) -> Any:
            self.pages += 1
            return dynamodb.scan(**request, Limit=3)

        def query(self, **request: Any) -> Any:
            return dynamodb.query(**request, Limit=3)

        def get_item(self, **request: Any) -> Any:
            return dynamodb.get_item(**request)

    client = FewAtATime()
    found = dict(TablePages(client, table, now_ms=0).conversations())

    assert client.pages > 5
    assert sum(map(len, found.values())) == dynamodb.scan(TableName=table)["Count"]
    for conversation, items in found.items():
        assert list(TablePages(client, table, now_ms=0).items(conversation)) == list(items)
