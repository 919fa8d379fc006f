"""`make audit`: what is known, what could not be asked, and never an all-clear that nobody gave."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import audit as command
from release_tools.audit import Run, audit
from release_tools.errors import ReleaseError

LOCK = Path("requirements/runtime.txt")
CLEAR = {"name": "openai", "version": "3.57.0", "vulns": []}
KNOWN = {
    "name": "urllib3",
    "version": "2.8.0",
    "vulns": [{"id": "GHSA-1", "aliases": ["CVE-2026-1", "PYSEC-1"], "fix_versions": ["2.8.1"]}],
}
NOT_ASKED = {"name": "uv", "skip_reason": "Dependency not found on PyPI"}


def telling(*packages: Mapping[str, Any], complaint: str = "") -> Run:
    return lambda _arguments: (json.dumps({"dependencies": packages, "fixes": []}) if packages else "", complaint)


@pytest.mark.parametrize(
    ("packages", "status", "told"),
    [
        ((CLEAR,), 0, "audit: nothing is known of 1 packages"),
        ((CLEAR, KNOWN), 1, "runtime.txt: urllib3 2.8.0: GHSA-1 CVE-2026-1, fixed in 2.8.1"),
        ((CLEAR, NOT_ASKED), 2, "audit: 1 of 2 packages could not be asked about"),
        ((KNOWN, NOT_ASKED), 1, "not looked at: uv: Dependency not found on PyPI"),
    ],
    ids=["clear", "known", "not asked", "both"],
)
def test_the_exit_status_says_what_the_report_says(
    packages: Sequence[Mapping[str, Any]], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.report(audit([LOCK], telling(*packages))) == status
    written = capsys.readouterr()
    assert told in written.out + written.err


def test_without_a_network_that_is_what_is_said() -> None:
    with pytest.raises(ReleaseError, match=r"could not be asked for: ConnectionError: no route\nnext: .*network"):
        audit([LOCK], telling(complaint="Traceback\nConnectionError: no route\n"))


def test_every_lock_is_asked_about_and_what_is_ignored_is_passed_on() -> None:
    asked: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> tuple[str, str]:
        asked.append(arguments)
        return telling(CLEAR)(arguments)

    assert audit([LOCK, Path("requirements/sam.txt")], run, ignored=["GHSA-1"]).asked == 1
    assert [Path(each[1]).name for each in asked] == ["runtime.txt", "sam.txt"]
    assert all("--ignore-vuln GHSA-1" in " ".join(each) for each in asked)
