"""Exports logged sessions, anonymised and proved, for scripts/replay.py (see --help and docs/replay.md)."""

from __future__ import annotations

import sys

from session_tools import packages_first

packages_first()  # scripts/replay.py has the name of the package that this needs

from session_tools.export_command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
