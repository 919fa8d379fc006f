"""A bundle that was made for something else says so before anything of it is imported."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from handlers.start_up import prepare

HERE = f"python{sys.version_info.major}.{sys.version_info.minor}"
MACHINE = {"aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)


@pytest.mark.parametrize("made_for", [f"python2.7 {MACHINE}", f"{HERE} vax"])
def test_another_python_or_machine_is_refused_by_name(tmp_path: Path, made_for: str) -> None:
    (tmp_path / "bundle_target").write_text(f"{made_for}\n", "utf-8")

    with pytest.raises(ImportError, match=f"made for {made_for}, and the function is {HERE} {MACHINE}"):
        prepare(str(tmp_path))


def test_its_own_is_taken_and_so_is_a_checkout(tmp_path: Path) -> None:
    prepare(str(tmp_path))
    (tmp_path / "bundle_target").write_text(f"{HERE} {MACHINE}\n", "utf-8")
    prepare(str(tmp_path))
