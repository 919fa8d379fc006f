"""What the commands about logged sessions share."""

from __future__ import annotations

import sys
from pathlib import Path


def packages_first() -> None:
    """A command finds src/replay before scripts/replay.py, in whose folder Python looks first."""
    scripts = str(Path(__file__).resolve().parent.parent)
    sys.path[:] = [each for each in sys.path if each != scripts] + [scripts]
