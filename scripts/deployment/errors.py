"""What stops a deployment, with the exit status that tells the kinds apart."""

from __future__ import annotations

WRONG_SETTINGS, WRONG_COMMAND, NOT_CONFIRMED, FAILED = 1, 2, 3, 4


class DeployError(Exception):
    """One sentence on what failed, and the next step. `status` is the command's exit status."""

    def __init__(self, what: str, *, next_step: str = "", status: int = FAILED) -> None:
        super().__init__(what)
        self.what = what
        self.next_step = next_step
        self.status = status

    def report(self) -> str:
        """For a person."""
        return f"error: {self.what}" + (f"\nnext: {self.next_step}" if self.next_step else "")


class NotConfirmedError(DeployError):
    """Nobody said yes; nothing was deployed."""

    def __init__(self, what: str, *, next_step: str = "") -> None:
        super().__init__(what, next_step=next_step, status=NOT_CONFIRMED)
