"""The programs the stack is made of, each in an environment of its own: their dependencies do not agree."""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from .environment import downloading_environment
from .errors import StackError
from .places import LOCAL, ROOT, TOOLS
from .processes import run

INSTALL_SECONDS = 600.0
NAMES = ("ministack", "sam")


def tool(name: str) -> Path:
    """The bin directory of a tool, installed as requirements/<name>.txt pins it."""
    home, lock = TOOLS / name, ROOT / "requirements" / f"{name}.txt"
    wanted = hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()
    stamp = home / "installed"
    if not stamp.is_file() or stamp.read_text("utf-8") != wanted:
        shutil.rmtree(home, ignore_errors=True)
        _install(name, home, lock)
        stamp.write_text(wanted, "utf-8")
    return home / "bin"


def _install(name: str, home: Path, lock: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    if not uv.is_file():
        message = f"uv is not beside {sys.executable}"
        raise StackError(message, next_step="run `make setup`, and this with .venv/bin/python")
    make = [str(uv), "venv", "--quiet", "--python", sys.executable, str(home)]
    fill = [str(uv), "pip", "sync", "--quiet", "--python", str(home / "bin" / "python"), str(lock)]
    for command in (make, fill):
        run(
            command,
            environment=downloading_environment(),
            log=LOCAL / "logs" / f"tool-{name}.log",
            directory=ROOT,
            seconds=INSTALL_SECONDS,
            what=f"installing {name}",
            next_step="is the package index reachable? Then run the same command again",
        )
