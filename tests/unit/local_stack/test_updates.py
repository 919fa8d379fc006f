"""A running stack that is brought up to date: an update that fails never passes for one that came through."""

from __future__ import annotations

from pathlib import Path

import pytest

from local_stack import lifecycle
from local_stack.errors import StackError
from local_stack.places import Places
from local_stack.progress import Progress
from local_stack.stack import Stack
from local_stack.state import StackState, read_state, write_state
from local_stack.wishes import first_state


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    monkeypatch.setattr("local_stack.places.LOCAL", tmp_path)
    return Places("test")


def running(places: Places) -> StackState:
    state = first_state(places, "http://127.0.0.1:1", None, "http://127.0.0.1:2", "t", build="good")
    write_state(places, state)
    return state


def test_after_an_update_that_failed_the_same_sources_are_deployed_again(
    places: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The files are spoilt, the update fails, the files are mended: they are what they were, and not what runs."""
    state = running(places)

    def fails(*_: object) -> None:
        raise StackError("the deployment failed")

    monkeypatch.setattr(lifecycle, "check_company_files", lambda: None)
    monkeypatch.setattr(lifecycle, "tool", lambda name: tmp_path / name)
    monkeypatch.setattr(lifecycle, "built_template", lambda _: tmp_path / "spoilt" / "template.yaml")
    monkeypatch.setattr(lifecycle, "deploy", fails)
    with pytest.raises(StackError, match="the deployment failed"):
        lifecycle.bring_up_to_date(places, Stack(state), Progress(3))

    monkeypatch.setattr(lifecycle, "fingerprint", lambda: "good")
    left = read_state(places)
    assert left is not None
    assert not lifecycle.is_current(Stack(left))


def test_files_with_mistakes_are_told_before_anything_is_built(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    state = running(places)

    def mistakes() -> None:
        raise StackError("the company's files or the settings have mistakes")

    monkeypatch.setattr(lifecycle, "check_company_files", mistakes)
    with pytest.raises(StackError, match="have mistakes"):
        lifecycle.bring_up_to_date(places, Stack(state), Progress(3))
    assert read_state(places) == state
