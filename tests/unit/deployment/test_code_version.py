"""The name of what is deployed: equal for what is equal, another for code, files and settings that differ."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from release.code_version import NoCommitError, code_version, main

GIT = shutil.which("git") or "git"


def git(root: Path, *arguments: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    command = [GIT, "-C", str(root), *settings, *arguments]
    subprocess.run(command, env=environ, check=True, capture_output=True)  # noqa: S603 - git, of the path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "handler.py").write_text("one\n", "utf-8")
    (tmp_path / "template.yaml").write_text("Resources: {}\n", "utf-8")
    (tmp_path / "README.md").write_text("read\n", "utf-8")
    (tmp_path / ".gitignore").write_text("*.pyc\n", "utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def test_the_same_commit_and_settings_have_the_same_name_whatever_their_order(checkout: Path) -> None:
    first = code_version({"A": "1", "B": "2"}, root=checkout)

    assert code_version({"B": "2", "A": "1", "CodeVersion": first}, root=checkout) == first
    assert "dirty" not in first


def test_another_setting_is_another_version(checkout: Path) -> None:
    names = [{"A": "1"}, {"A": "2"}, {"A": "", "B": "1"}, {"A1": ""}, {}]

    assert len({code_version(each, root=checkout) for each in names}) == len(names)


def test_a_commit_is_another_version(checkout: Path) -> None:
    before = code_version({}, root=checkout)
    (checkout / "src" / "handler.py").write_text("two\n", "utf-8")
    git(checkout, "commit", "-qam", "second")

    assert code_version({}, root=checkout) != before


def test_code_that_is_not_committed_is_said_to_be_and_tells_itself_apart(checkout: Path) -> None:
    names = [code_version({}, root=checkout)]
    (checkout / "src" / "handler.py").write_text("two\n", "utf-8")
    names.append(code_version({}, root=checkout))
    (checkout / "src" / "new.py").write_text("three\n", "utf-8")
    names.append(code_version({}, root=checkout))
    (checkout / "src" / "handler.py").unlink()
    names.append(code_version({}, root=checkout))

    assert len(set(names)) == 4
    assert ["-dirty-" in name for name in names] == [False, True, True, True]


def test_what_is_not_deployed_makes_no_other_version(checkout: Path) -> None:
    before = code_version({}, root=checkout)
    (checkout / "README.md").write_text("read again\n", "utf-8")
    (checkout / "src" / "handler.pyc").write_bytes(b"compiled")

    assert code_version({}, root=checkout) == before


def test_without_a_commit_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoCommitError, match="no commit"):
        code_version({}, root=tmp_path)


def test_a_setting_without_a_value_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["Company"]) == 2
    assert "NAME=VALUE" in capsys.readouterr().err
