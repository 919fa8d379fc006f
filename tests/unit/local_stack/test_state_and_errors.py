"""What a stack leaves for others to read."""

from __future__ import annotations

import io
from dataclasses import fields
from pathlib import Path

import pytest

from local_stack import places as places_module
from local_stack.errors import StackError
from local_stack.places import Places
from local_stack.processes import Process
from local_stack.progress import Progress
from local_stack.state import StackState, read_state, write_state

TEXTS = {each.name: each.name for each in fields(StackState) if each.name not in ("asked", "parameters", "processes")}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setattr(places_module, "LOCAL", tmp_path)
    return Places("test")


def test_a_state_is_read_as_it_was_written(places: Places) -> None:
    state = StackState(**TEXTS, asked={"A": "b"}, processes=(Process(name="emulator", pid=1, started=2),))
    write_state(places, state)

    assert read_state(places) == state


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": "x"}', '{"processes": [{"pid": 1}]}'])
def test_a_state_that_cannot_be_read_is_none(places: Places, content: str) -> None:
    places.state_file.write_text(content)

    assert read_state(places) is None


def test_a_process_that_ended_and_whose_number_lives_on_is_not_running() -> None:
    assert not Process(name="emulator", pid=1, started=-1).is_alive()


def test_an_error_shows_the_end_of_its_log_and_the_next_step(tmp_path: Path) -> None:
    log = tmp_path / "deploy.log"
    log.write_text("".join(f"line {number}\n" for number in range(100)))
    report = StackError("sam deploy failed", log=log, next_step="try again").report()

    assert "sam deploy failed" in report
    assert "line 99" in report
    assert "line 9\n" not in report
    assert report.endswith("next: try again")


def test_progress_names_each_phase_and_how_long_it_took() -> None:
    stream = io.StringIO()
    progress = Progress(2, stream=stream)
    with progress.phase("tools"):
        pass
    with pytest.raises(ValueError, match="no"), progress.phase("build"):
        raise ValueError("no")

    first, second = stream.getvalue().splitlines()
    assert first.startswith("[1/2] tools ... ")
    assert first.endswith(" s")
    assert second == "[2/2] build ... failed"
