"""Every command of scripts/ starts as a user types it: from any folder, with nothing in PYTHONPATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
COMMANDS = sorted(path for path in (ROOT / "scripts").glob("*.py") if "__main__" in path.read_text("utf-8"))
# One interpreter for all of them; each finds its own folder first on the path, and none of another's modules.
ASK_EACH = """
import contextlib, io, json, runpy, sys
from pathlib import Path

scripts = Path(sys.argv[1]).parent
path, said = list(sys.path), {}
for command in sys.argv[1:]:
    sys.path[:] = [str(scripts), *path]
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(scripts.parent)) and ".venv" not in module.__file__:
            del sys.modules[name]
    sys.argv, output = [command, "--help"], io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            runpy.run_path(command, run_name="__main__")
        except SystemExit as end:
            output.write("" if not end.code else f"exit {end.code}")
        except BaseException as error:
            output.write(repr(error))
    said[Path(command).name] = output.getvalue()
print(json.dumps(said))
"""


def test_every_command_shows_its_help_from_any_folder(tmp_path: Path) -> None:
    asked = subprocess.run(  # noqa: S603 -- our own commands
        [sys.executable, "-c", ASK_EACH, *map(str, COMMANDS)],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    said = json.loads(asked.stdout)
    assert len(said) == len(COMMANDS) > 12
    assert {name: text for name, text in said.items() if not text.startswith("usage: scripts/")} == {}
