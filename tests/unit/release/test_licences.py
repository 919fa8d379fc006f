"""What the bundles hold is known, allowed, and written down for the lock as it is."""

from __future__ import annotations

from email.message import Message
from pathlib import Path

import pytest

import licences
from release_tools.errors import ReleaseError
from release_tools.licences import Metadata, Rules, licensed
from release_tools.locks import locked_for_lambda

RULES = Rules(
    allowed={"MIT": "", "Apache-2.0": "", "LGPL-2.1-or-later": ""},
    stated={"said": {"says": "Dual License", "is": "Apache-2.0 OR BSD-3-Clause"}},
)


def about(**fields: str) -> Metadata:
    """One package's metadata, whichever is asked for; `_` stands for `-`."""
    message = Message()
    message["Version"] = "1.0"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    return lambda _name: message


def test_the_page_is_the_locks_and_every_package_is_allowed() -> None:
    assert licences.PAGE.read_text("utf-8") == licences.current_page(), "make licences"


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        pytest.param(about(License_Expression="MIT"), "MIT", id="an expression"),
        pytest.param(about(License="MIT"), "MIT", id="a field that is a name"),
        pytest.param(about(License="Dual License"), "Apache-2.0 OR BSD-3-Clause", id="words that somebody looked up"),
        pytest.param(about(Classifier="License :: OSI Approved :: MIT License"), "MIT", id="a classifier alone"),
        pytest.param(about(License_Expression="GPL-3.0-only OR MIT"), "GPL-3.0-only OR MIT", id="a choice"),
    ],
)
def test_a_licence_is_read_as_the_package_states_it(metadata: Metadata, licence: str) -> None:
    (found,) = licensed({"said": "1.0"}, RULES, metadata)
    assert found.licence == licence


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        pytest.param(about(License_Expression="GPL-3.0-only"), "said 1.0 is under GPL-3.0-only", id="not allowed"),
        pytest.param(about(License_Expression="MIT AND GPL-3.0-only"), "MIT AND GPL-3.0-only", id="one of two"),
        pytest.param(about(License="Another Dual License"), "under Another Dual License", id="other words than before"),
        pytest.param(about(), "a licence that its metadata does not name", id="nothing"),
        pytest.param(about(License="BSD", License_Expression=""), "under BSD", id="a family"),
    ],
)
def test_what_nobody_decided_about_is_refused_with_what_to_do(metadata: Metadata, told: str) -> None:
    with pytest.raises(ReleaseError, match=told) as error:
        licensed({"said": "1.0"}, RULES, metadata)
    assert "requirements/licences.toml" in str(error.value)


def test_an_environment_that_is_not_the_locks_is_not_believed() -> None:
    with pytest.raises(ReleaseError, match=r"installed as 1\.0 and locked as 1\.1\n.*make setup"):
        licensed({"said": "1.1"}, RULES, about(License_Expression="MIT"))


def test_a_decision_about_a_package_that_is_gone_is_named() -> None:
    with pytest.raises(ReleaseError, match="said has a line in"):
        licensed({"other": "1.0"}, RULES, about(License_Expression="MIT"))


def test_a_changed_lock_asks_for_a_new_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "licences.md"
    old.write_text(licences.PAGE.read_text("utf-8").replace("| MIT |", "| X |", 1), "utf-8")
    monkeypatch.setattr(licences, "PAGE", old)
    assert licences.main(["--check"]) == 1
    assert "next: make licences" in capsys.readouterr().err


def test_packages_of_other_systems_are_in_no_bundle(tmp_path: Path) -> None:
    lock = tmp_path / "lock.txt"
    lock.write_text("# made\na==1\nb==2 ; sys_platform == 'win32'\nc==3 ; sys_platform != 'emscripten'\n", "utf-8")
    assert locked_for_lambda(lock) == {"a": "1", "c": "3"}
