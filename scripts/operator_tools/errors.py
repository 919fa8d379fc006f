"""Why a command of the operators could not be done."""

from __future__ import annotations


class OperatorError(Exception):
    """One sentence on what failed, and what to do next. `status` is what the command ends with."""

    status = 2

    def __init__(self, what: str, *, next_step: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step

    def report(self) -> str:
        """Both, as they are printed."""
        return f"error: {self.what}" + (f"\nnext: {self.next_step}" if self.next_step else "")


class NoConversationError(OperatorError):
    """Nobody is under what was asked for."""

    status = 1
