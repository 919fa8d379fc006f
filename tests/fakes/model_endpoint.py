"""Faithful to `ModelEndpoint`: one request, which answers or raises `ModelAttemptError`, and takes its time on a clock."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMCallResult, LLMFailure, ModelRequest
from core.integrations.model_calls.provider_key import ProviderKey

# What a request brings: a text, or a failure; with seconds before it, or at once.
Brought = str | ModelAttemptError
Step = Brought | tuple[float, Brought]


def fault(failure: LLMFailure, status: int | None = None, *, retry_after: float | None = None) -> ModelAttemptError:
    """A failure as adapters tell it."""
    label = failure.value if status is None else f"{status}: {failure.value}"
    return ModelAttemptError(label, failure=failure, status=status, retry_after_seconds=retry_after)


class FakeModelEndpoint:
    """Answers in order, the last step again and again. `seconds` is what each request was given."""

    def __init__(self, *steps: Step, clock: list[float] | None = None, key: str = "k", fresh_key: str = "") -> None:
        self.requests: list[ModelRequest] = []
        self.seconds: list[float] = []
        self.title = "Fake"
        self.key = ProviderKey(SimpleNamespace(api_key=key), lambda: fresh_key)
        self._clock = clock if clock is not None else [0.0]
        self._steps = deque(steps)

    def behave(self, *steps: Step) -> None:
        """From now on."""
        self._steps = deque(steps)

    def attempt(self, request: ModelRequest, seconds: float) -> LLMCallResult:
        self.requests.append(request)
        self.seconds.append(seconds)
        step = self._steps.popleft() if len(self._steps) > 1 else self._steps[0]
        takes, brought = step if isinstance(step, tuple) else (0.0, step)
        self._clock[0] += min(takes, seconds)
        if takes > seconds:
            raise fault(LLMFailure.TIMEOUT)
        if isinstance(brought, ModelAttemptError):
            raise brought
        return LLMCallResult(
            raw_response=brought, model=request.model, tokens_input=10, tokens_output=2, latency_ms=0, request_id="r"
        )
