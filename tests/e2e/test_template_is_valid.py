"""AWS's own tools have nothing against the template, and what they say is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

import validate_template
from local_stack.places import ROOT

pytestmark = pytest.mark.e2e


def test_nothing_is_said_against_the_template(capsys: pytest.CaptureFixture[str]) -> None:
    assert validate_template.main([]) == 0, capsys.readouterr().out


def test_what_is_said_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "template.yaml"
    wrong.write_text((ROOT / "template.yaml").read_text("utf-8").replace("DelaySeconds:", "DelaySecond:"), "utf-8")

    assert validate_template.main([str(wrong)]) == 1
    assert "DelaySecond" in capsys.readouterr().out
