"""`scripts/check.py` before anything is built or started with a company's files."""

from __future__ import annotations

import subprocess
import sys

from .environment import closed_environment
from .errors import StackError
from .local_settings import chosen_company
from .places import HOME, ROOT


def check_company_files() -> None:
    """Raises `StackError` with every mistake, in the user's own paths."""
    command = [sys.executable, str(ROOT / "scripts" / "check.py"), "--company", chosen_company()]
    environment = closed_environment(first_on_path=ROOT / ".venv" / "bin", scratch=HOME)
    checked = subprocess.run(
        command,
        env=environment | {"PYTHONPATH": str(ROOT / "src")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if checked.returncode:
        mistakes = checked.stderr.strip()
        message = f"the company's files or the settings have mistakes:\n{mistakes}"
        raise StackError(message, next_step="mend them and run the same command again; make check looks at them alone")
    if checked.stderr.strip():
        print(checked.stderr.strip(), file=sys.stderr)
