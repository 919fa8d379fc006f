"""Replays logged sessions and says whether anything got worse (see --help and docs/replay.md)."""

from __future__ import annotations

import sys

from session_tools import packages_first

packages_first()  # this file has the name of the package that it needs

from session_tools.replay_command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
