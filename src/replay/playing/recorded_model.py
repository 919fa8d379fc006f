"""The model of a recorded turn: it answers what it answered, and is never asked anything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError
from core.domain.ledger import ModelCall
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure, ModelRoute
from core.domain.media import MediaFile


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlace:
    """Which request of a turn: the n-th of its purpose, and the attempt within it."""

    purpose: CallPurpose
    nth: int
    attempt: int = 1

    def __str__(self) -> str:
        """As the report names it."""
        tried = f", attempt {self.attempt}" if self.attempt > 1 else ""
        return f"{self.purpose.value} {self.nth}{tried}"


class RecordedModel:
    """An `LLMClient` and a `Transcriber`. A request is matched by turn, purpose and attempt, never by what it says.

    One that nobody recorded is noted in `missing` and fails as a provider that can't be reached.
    """

    model = "recorded"

    def __init__(self) -> None:
        self.missing: list[CallPlace] = []
        self._waiting: dict[CallPurpose, list[tuple[ModelCall, ...]]] = {}
        self._asked = Counter[CallPurpose]()

    def holds(self, calls: Iterable[ModelCall]) -> None:
        """What was recorded of the turn that comes."""
        self.missing, self._asked = [], Counter()
        self._waiting = grouped(calls)

    @property
    def unused(self) -> tuple[CallPlace, ...]:
        """What was recorded and nobody asked for."""
        return tuple(
            CallPlace(purpose=purpose, nth=self._asked[purpose] + number)
            for purpose, groups in self._waiting.items()
            for number in range(1, len(groups) + 1)
        )

    def left(self, *purposes: CallPurpose) -> bool:
        """Whether anything of these purposes waits."""
        return any(self._waiting.get(purpose) for purpose in purposes)

    def chat(
        self,
        *,
        model: str,
        messages: Sequence[dict[str, Any]],
        timeout_seconds: float | None = None,
        purpose: CallPurpose = CallPurpose.AGENT,
        cache_key: str | None = None,
        safety_identifier: str | None = None,
        output_schema: Mapping[str, Any] | None = None,
        route: ModelRoute = (),
    ) -> LLMCallResult:
        """As it was answered then, every attempt told, without waiting. Raises what was raised then."""
        del model, messages, timeout_seconds, cache_key, safety_identifier, output_schema, route
        return self._next(purpose)

    def transcribe(self, file: MediaFile, *, timeout_seconds: float) -> LLMCallResult:
        """As it was heard then."""
        del file, timeout_seconds
        return self._next(CallPurpose.TRANSCRIPTION)

    def _next(self, purpose: CallPurpose) -> LLMCallResult:
        self._asked[purpose] += 1
        groups = self._waiting.get(purpose)
        if not groups:
            self.missing.append(CallPlace(purpose=purpose, nth=self._asked[purpose]))
            raise LLMProviderError("no such call was recorded", failure=LLMFailure.CONNECTION)
        return _answered(groups.pop(0))


def grouped(calls: Iterable[ModelCall]) -> dict[CallPurpose, list[tuple[ModelCall, ...]]]:
    """The attempts of each request, by purpose, in order."""
    groups: dict[CallPurpose, list[list[ModelCall]]] = {}
    for call in calls:
        known = groups.setdefault(call.purpose, [])
        if known and known[-1][-1].failure is not None and call.attempt > known[-1][-1].attempt:
            known[-1].append(call)
        else:
            known.append([call])
    return {purpose: [tuple(group) for group in known] for purpose, known in groups.items()}


def _answered(group: Sequence[ModelCall]) -> LLMCallResult:
    last, attempts = group[-1], tuple(_attempt(call) for call in group)
    if last.failure is not None:
        raise _error(last.failure, attempts)
    return LLMCallResult(
        raw_response=last.raw_reply or "",
        model=last.returned_model or last.requested_model,
        tokens_input=last.tokens_input,
        tokens_output=last.tokens_output,
        tokens_cached=last.tokens_cached,
        tokens_cache_written=last.tokens_cache_written,
        tokens_reasoning=last.tokens_reasoning,
        usage_missing=last.usage_missing,
        latency_ms=last.latency_ms,
        request_id=last.request_id,
        attempts=attempts,
    )


def _attempt(call: ModelCall) -> LLMAttempt:
    return LLMAttempt(
        number=call.attempt,
        latency_ms=call.latency_ms,
        failure=call.failure,
        status=call.status,
        request_id=call.request_id,
        tokens_input=call.tokens_input,
        tokens_output=call.tokens_output,
        provider=call.provider,
        model=call.requested_model,
        rung=call.rung,
        fallback_reason=call.fallback_reason,
        skipped=call.skipped,
    )


def _error(failure: LLMFailure, attempts: tuple[LLMAttempt, ...]) -> LLMError:
    kind = LLMTimeoutError if failure is LLMFailure.TIMEOUT else LLMProviderError
    return kind("as recorded", failure=failure, attempts=attempts)
