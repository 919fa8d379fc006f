"""Copies of the project in which faults are put: the checkout itself is never altered."""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_PYTEST = ("-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0")
# Python tells an old .pyc by whole seconds and size, which two faults may share.
_moments = itertools.count(1_000_000_000)


def project_files() -> list[str]:
    """What git knows or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in names if name and (ROOT / name).is_file())


def fingerprint(names: Sequence[str]) -> str:
    """Of all that decides which test runs which line."""
    said = hashlib.sha256()
    for name in names:
        if name.startswith(("src/", "tests/", "prompts/", "scripts/local_stack/")) or name == "pyproject.toml":
            said.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return said.hexdigest()[:16]


class Tree:
    """One copy; one fault at a time."""

    def __init__(self, root: Path, names: Sequence[str]) -> None:
        self.root = root
        for name in names:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)

    @contextmanager
    def holding(self, name: str, source: bytes) -> Iterator[None]:
        """The file is this while it lasts."""
        before = (self.root / name).read_bytes()
        self._write(name, source)
        try:
            yield
        finally:
            self._write(name, before)

    def pytest(self, *arguments: str, tests: Sequence[str] = (), seconds: float | None = None) -> int:
        """Its exit status; the last lines of what it said are in `self.said`. Raises `TimeoutExpired`."""
        chosen = self.root / "chosen_tests.txt"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", *_PYTEST, *arguments, *([f"@{chosen}"] if tests else [])]
        path = os.pathsep.join(str(self.root / folder) for folder in ("scripts", "src", "."))
        done = subprocess.run(
            command,
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""},
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        self.said = (done.stdout + done.stderr)[-4000:]
        return done.returncode

    def _write(self, name: str, source: bytes) -> None:
        (self.root / name).write_bytes(source)
        moment = next(_moments)
        os.utime(self.root / name, (moment, moment))
