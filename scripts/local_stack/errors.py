"""What goes wrong with the local stack, in a form that says what to do next."""

from __future__ import annotations

from pathlib import Path

TAIL_LINES = 25


class StackError(Exception):
    """One sentence on what failed, the log that knows more, and the next step."""

    def __init__(self, what: str, *, log: Path | None = None, next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.log = log
        self.next_step = next_step

    def report(self) -> str:
        """All of it, with the last lines of the log."""
        parts = [f"error: {self.what}"]
        if self.log is not None and self.log.is_file():
            tail = self.log.read_text("utf-8", "replace").splitlines()[-TAIL_LINES:]
            parts.append(f"last lines of {self.log}:\n" + "\n".join(f"  | {line}" for line in tail))
        if self.next_step:
            parts.append(f"next: {self.next_step}")
        return "\n".join(parts)
