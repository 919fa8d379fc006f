"""The report of the guard's rules: figures where there are labels, what fired on what, nothing but stdout."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import guard_report


def write(path: Path, *rows: dict[str, object] | str) -> str:
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def test_labels_by_name_give_each_detector_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(
        tmp_path / "rows.jsonl",
        {"text": "quero um atendente", "label": "human"},
        {"text": "seu inútil", "label": "frustrated"},
        {"text": "bom dia", "label": "none"},
        {"text": "sumam", "label": "frustrated"},
        {"texts": ["quero o laudo", "o laudo", "laudo!"], "label": "loop"},
        {"text": "quero um humano", "label": "none"},
    )
    assert guard_report.main([file]) == 0
    told = capsys.readouterr().out
    assert "frustration: precision 1/1 = 1.000, recall 1/2 = 0.500, false alarms 0/3 = 0.000" in told
    assert "human_request: precision 1/2 = 0.500, recall 1/1 = 1.000, false alarms 1/4 = 0.250" in told
    assert "loop: precision 1/1 = 1.000, recall 1/1 = 1.000, false alarms 0/0" in told
    assert "  want_person: 2 fired, 0 alone, 1 wrong\n    quero um atendente\n" in told


def test_numbers_as_labels_are_for_the_detector_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "rows.jsonl", {"text": "quero um humano", "label": 1}, {"text": "oi", "label": 0})
    assert guard_report.main(["--only", "human_request", file]) == 0
    assert "human_request: precision 1/1 = 1.000, recall 1/1 = 1.000, false alarms 0/1" in capsys.readouterr().out
    assert guard_report.main([file]) == 2
    assert "line 1 is labelled 1" in capsys.readouterr().err


def test_logged_lines_are_cut_and_rules_that_never_fired_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nquero um atendente " + "porque sim " * 20 + "\nbom dia\n"))
    assert guard_report.main(["--unused", "--examples", "1"]) == 0
    told = capsys.readouterr().out
    assert "human_request: no labels" in told
    assert "never fired: insult_alone, " in told
    (shown,) = [line.strip() for line in told.splitlines() if line.startswith("    ")]
    assert len(shown) == guard_report.SHOWN
    assert shown.endswith("…")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "line 1 begins like JSON"),
        ('{"label": "none"}', "line 1 has neither"),
        ('{"texts": []}', "line 1 has neither"),
        ('{"text": "oi", "label": "feliz"}', "line 1 has a label"),
        ('{"text": "oi", "label": 2}', "line 1 has a label"),
        ('{"text": "oi", "label": []}', "line 1 has a label"),
    ],
)
def test_a_line_that_is_no_message_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str, said: str
) -> None:
    assert guard_report.main([write(tmp_path / "rows.jsonl", row)]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guard_report.main([str(tmp_path / "nada.jsonl")]) == 2
    assert "nada.jsonl" in capsys.readouterr().err


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        guard_report.main(["--help"])
    assert left.value.code == 0
    assert "examples:" in capsys.readouterr().out
