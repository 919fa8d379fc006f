"""The demo's sessions in the repository: whole, as the schema says, nobody's, and played again without a difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from replay import session_file
from replay.reporting.summary import Exit
from replay.session_file.reader import SessionFile
from tests.replay.record_demo import golden_file
from tests.shipped_companies import NAMES
from tests.unit.replay.conftest import Replay, words

SCHEMA = json.loads((Path(session_file.__file__).parent / "schema.json").read_text("utf-8"))
AGAIN = "if that is meant: PYTHONPATH=src:scripts python -m tests.replay.record_demo"


@pytest.mark.parametrize("carry", [False, True], ids=["pinned", "carry"])
@pytest.mark.parametrize("company", NAMES)
def test_the_demo_s_sessions_replay_without_a_difference(replay: Replay, company: str, carry: bool) -> None:
    summary = replay(golden_file(company), carry=carry)

    assert (summary.exit, words(summary)) == (Exit.CLEAN, []), AGAIN
    assert summary.turns >= 15
    assert summary.counts["same"] + summary.counts.get("text", 0) == summary.sessions


@pytest.mark.parametrize("company", NAMES)
def test_every_line_is_as_the_schema_says(company: str) -> None:
    validator = Draft202012Validator(SCHEMA)
    for line in golden_file(company).read_text("utf-8").splitlines():
        assert [error.message for error in validator.iter_errors(json.loads(line))] == []


@pytest.mark.parametrize("company", NAMES)
def test_they_are_anonymised_and_say_by_what(company: str) -> None:
    header = SessionFile(golden_file(company)).header

    assert header.anonymiser is not None
    assert set(header.anonymiser) == {"version", "key"}


@pytest.mark.parametrize(
    ("line", "valid"),
    [
        ({"type": "blob", "id": "0" * 32, "text": "x"}, True),
        ({"type": "blob", "id": "0" * 31, "text": "x"}, False),
        ({"type": "turn", "number": 0, "arrived": [], "parts": [], "record": {}}, False),
        ({"type": "other"}, False),
    ],
)
def test_the_schema_tells_a_line_from_what_is_none(line: dict[str, object], valid: bool) -> None:
    assert Draft202012Validator(SCHEMA).is_valid(line) is valid
