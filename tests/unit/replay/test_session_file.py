"""Session files: what is written comes back, and what was damaged on the way is refused with what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from replay.session_file.errors import SessionFileError
from replay.session_file.reader import SessionFile
from replay.session_file.records import Header
from replay.session_file.writer import SessionWriter
from tests.replay.scene_recording import laboratory, recorded_desk, recorded_sessions, write_recording

Damage = Callable[[list[str]], list[str]]


def test_what_an_export_wrote_comes_back(tmp_path: Path) -> None:
    desk = recorded_desk(laboratory())
    file = SessionFile(write_recording(tmp_path / "a.jsonl", desk))

    assert list(file.sessions()) == list(recorded_sessions(desk))
    assert file.header.company == "laboratorio"
    assert file.counts["session"] == len(list(file.sessions()))


def cut(lines: list[str]) -> list[str]:
    return lines[:-3]


def cut_within_a_line(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1][:20]]


def tampered(lines: list[str]) -> list[str]:
    return [line.replace("Lara", "Nara") for line in lines]


def without_a_line(lines: list[str]) -> list[str]:
    return [*lines[:5], *lines[6:]]


def longer(lines: list[str]) -> list[str]:
    return [*lines, lines[-2]]


@pytest.mark.parametrize("damage", [cut, cut_within_a_line, tampered, without_a_line, longer])
def test_a_file_that_is_not_as_it_was_written_is_refused(recording: Path, tmp_path: Path, damage: Damage) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text("".join(damage(recording.read_text("utf-8").splitlines(keepends=True))), "utf-8")

    with pytest.raises(SessionFileError, match="export the sessions again"):
        SessionFile(damaged)


@pytest.mark.parametrize("schema", ["balcao.session/2", "balcao.session/17.1", "balcao.session/0", "other/1", None, 1])
def test_a_schema_that_this_code_does_not_read_is_refused(recording: Path, tmp_path: Path, schema: object) -> None:
    first, *rest = recording.read_text("utf-8").splitlines()
    other = tmp_path / "other.jsonl"
    other.write_text("\n".join([json.dumps({**json.loads(first), "schema": schema}, separators=(",", ":")), *rest]))

    with pytest.raises(SessionFileError, match=r"balcao\.session/1"):
        SessionFile(other)


@pytest.mark.parametrize("content", ["", "oi\n", '{"type":"session"}\n'])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x").write_text(content)

    with pytest.raises(SessionFileError):
        SessionFile(tmp_path / "x")


def test_a_file_that_is_not_there_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(SessionFileError, match="nowhere"):
        SessionFile(tmp_path / "nowhere.jsonl")


def test_an_export_that_is_stopped_leaves_no_file(tmp_path: Path) -> None:
    header = Header(code="", company="", fingerprints={})
    with pytest.raises(KeyboardInterrupt), SessionWriter(tmp_path / "a.jsonl", header):
        raise KeyboardInterrupt

    assert list(tmp_path.iterdir()) == []


def test_what_a_header_has_beyond_this_code_is_kept(tmp_path: Path) -> None:
    header = Header(
        code="c", company="x", fingerprints={"a.md": "1"}, prompts={"a.md": "texto"}, unknown={"later": [1]}
    )
    with SessionWriter(tmp_path / "a.jsonl", header):
        pass

    assert SessionFile(tmp_path / "a.jsonl").header == header


def test_half_an_emoji_in_a_reply_does_not_make_a_file_that_is_refused(tmp_path: Path) -> None:
    desk = recorded_desk(laboratory())
    session = next(iter(recorded_sessions(desk)))
    turn = session.turns[0]
    broken = replace(turn.record, calls=(replace(turn.record.calls[0], raw_reply="\ud83d oi"),))
    with SessionWriter(tmp_path / "a.jsonl", Header(code="", company="", fingerprints={})) as file:
        file.add(replace(session, turns=(replace(turn, record=broken),)))

    (back,) = SessionFile(tmp_path / "a.jsonl").sessions()
    assert back.turns[0].record.calls[0].raw_reply == "? oi"
