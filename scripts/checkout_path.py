"""Imported by every command before what it needs, for its effect: a command runs as it stands, from any folder.

This checkout's `src` comes first, and `scripts`, in which Python looks first of its own accord, last: `replay` is the
package in src, not scripts/replay.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

_SCRIPTS = Path(__file__).resolve().parent
_SRC = _SCRIPTS.parent / "src"


def _own(entry: str) -> bool:
    return Path(entry or ".").resolve() in {_SRC, _SCRIPTS}


sys.path[:] = [str(_SRC), *(entry for entry in sys.path if not _own(entry)), str(_SCRIPTS)]
