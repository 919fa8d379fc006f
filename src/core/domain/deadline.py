"""One deadline per turn, with a reserve that always pays for the handoff."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.errors import DeadlineError

# Less than this brings no answer from a model: better spent on telling the customer.
LEAST_MODEL_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """`ends_at_ms` is when the function is killed; `reserve_ms` of it pays for one commit and one send."""

    now_ms: Callable[[], int]
    ends_at_ms: int
    reserve_ms: int = 15_000

    def model_seconds(self) -> float:
        """What a model call may take. Raises `DeadlineError` when that is too little to be of use."""
        left = (self.ends_at_ms - self.reserve_ms - self.now_ms()) / 1000
        if left < LEAST_MODEL_SECONDS:
            raise DeadlineError
        return left

    def seconds_left(self) -> float:
        """Until the end, reserve included; never negative."""
        return max((self.ends_at_ms - self.now_ms()) / 1000, 0.0)
