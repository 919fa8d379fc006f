"""Plays cases through the real desk and says which of its musts fail (see --help and docs/evaluation.md)."""

from __future__ import annotations

import logging
import sys

from session_tools import packages_first

packages_first()  # scripts/replay.py has the name of a package that is needed

from evaluation_tools.command import main  # noqa: E402

if __name__ == "__main__":
    logging.disable()  # what the desk logs of each turn; the report says what came of it
    sys.exit(main())
