"""A model that takes its time on a clock that tests read: it never outlives the budget that it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.domain.errors import LLMProviderError, LLMTimeoutError
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure
from tests.fakes.clock import FakeClock
from tests.fakes.llm_client import result_of

# What a call does: seconds that it takes and, unless it fails, what it says.
Said = str | LLMFailure
Behaviour = Callable[[CallPurpose, int], tuple[float, Said]]


class SlowModel:
    """Implements `LLMClient`. `behaves` is asked with a call's purpose and number.

    Faithful to the contract: the budget bounds the whole call, and a call that would outlive it has timed out.
    """

    def __init__(self, clock: FakeClock, behaves: Behaviour) -> None:
        self.calls = self.agent_calls = 0
        self._clock, self._behaves = clock, behaves

    def chat(
        self,
        *,
        model: str,
        messages: Sequence[dict[str, Any]],
        timeout_seconds: float | None = None,
        purpose: CallPurpose = CallPurpose.AGENT,
        **_rest: Any,
    ) -> LLMCallResult:
        self.calls += 1
        self.agent_calls += purpose is not CallPurpose.SUMMARY
        assert timeout_seconds is not None, "a call without a budget"
        seconds, said = self._behaves(purpose, self.calls)
        if seconds > timeout_seconds:
            self._clock.advance(seconds=timeout_seconds)
            raise LLMTimeoutError("timeout", failure=LLMFailure.TIMEOUT, attempts=_attempts(timeout_seconds))
        self._clock.advance(seconds=seconds)
        if isinstance(said, LLMFailure):
            raise LLMProviderError("provider", failure=said, attempts=_attempts(seconds, said))
        return result_of(said, model=model)


def _attempts(seconds: float, failure: LLMFailure = LLMFailure.TIMEOUT) -> tuple[LLMAttempt, ...]:
    return (LLMAttempt(number=1, latency_ms=round(seconds * 1000), failure=failure),)
