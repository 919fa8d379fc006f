"""Where the local stack keeps things: all of it under .local, none of it precious."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCAL = ROOT / ".local"
TOOLS = LOCAL / "tools"
BUILDS = LOCAL / "build"
HOME = LOCAL / "home"  # what the tools see as the home directory
SHARED_NAME = "stack"  # the one that `make stack` leaves running


@dataclass(frozen=True, slots=True)
class Places:
    """The files of one stack. Stacks of different names run side by side."""

    name: str = SHARED_NAME

    @property
    def state_file(self) -> Path:
        """What others read to find the stack; there while it runs."""
        return LOCAL / f"{self.name}.json"

    @property
    def scratch(self) -> Path:
        """Temporary files of its processes; gone when it stops."""
        return LOCAL / "scratch" / self.name

    @property
    def lock(self) -> Path:
        """Held by the command that starts it."""
        return LOCAL / f"{self.name}.lock"

    def log(self, what: str) -> Path:
        """A log file."""
        return LOCAL / "logs" / f"{self.name}-{what}.log"
