"""Replays logged sessions and says whether anything got worse (see --help and docs/replay.md)."""

from __future__ import annotations

import sys

import checkout_path  # noqa: F401
from session_tools.replay_command import main

if __name__ == "__main__":
    sys.exit(main())
