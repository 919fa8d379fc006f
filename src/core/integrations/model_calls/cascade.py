"""`LLMClient` over one provider or several: the only one who decides whether a request is made again, and of whom
(docs/providers.md, "The cascade").
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.application.ports import ModelEndpoint
from core.application.turn_scope import failed_rungs
from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError, ModelAttemptError
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure, ModelRef, ModelRequest, ModelRoute
from core.integrations.model_calls.bounded_call import AbandonedError, call_within
from core.integrations.model_calls.breaker import Breaker
from core.integrations.model_calls.faults import repeats, report, tell_refusal, timed_out

_log = logging.getLogger(__name__)

# Below this a request cannot bring an answer: the time is better spent on the handoff.
_LEAST_USEFUL_SECONDS = 0.2
# What another provider may do better: this one was not there, or had no room. What is wrong with the request, or
# was answered with nothing, would be so again.
_PASSES_ON = frozenset(
    {
        LLMFailure.TIMEOUT,
        LLMFailure.CONNECTION,
        LLMFailure.SERVER_ERROR,
        LLMFailure.RATE_LIMITED,
        LLMFailure.QUOTA,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadePolicy:
    """`timeout_seconds` bounds one request, `fallback_seconds` is kept for each rung behind it; `retry_max` further
    requests are made of the last rung, of several rungs one at most; `on_auth`: a key that stays refused passes on too.
    """

    timeout_seconds: float = 30.0
    retry_max: int = 1
    fallback_seconds: float = 8.0
    on_auth: bool = False


class Cascade:
    """The first of `endpoints`, by provider, is the one that a call without a route means.

    Requests of one call: `1 + retry_max` of a single rung, and one more where its key was replaced; of several rungs
    together never more than their number and one.
    """

    def __init__(
        self,
        endpoints: Mapping[str, ModelEndpoint],
        policy: CascadePolicy | None = None,
        *,
        breaker: Breaker | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoints = endpoints
        self._first = next(iter(endpoints))
        self._policy = policy or CascadePolicy()
        self._breaker = breaker or Breaker()
        self._monotonic = monotonic

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
        """See `LLMClient.chat`. `timeout_seconds` bounds all attempts together; None leaves each its own limit."""
        request = ModelRequest(
            model=model,
            messages=messages,
            purpose=purpose,
            cache_key=cache_key,
            safety_identifier=safety_identifier,
            output_schema=output_schema,
        )
        return _Climb(
            request=request,
            route=route or (ModelRef(provider=self._first, model=model),),
            endpoints=self._endpoints,
            policy=self._policy,
            breaker=self._breaker,
            monotonic=self._monotonic,
            ends=None if timeout_seconds is None else self._monotonic() + timeout_seconds,
        ).answer()


class _Climb:
    """One call, rung by rung. Mutable: it lives for that call."""

    def __init__(
        self,
        *,
        request: ModelRequest,
        route: ModelRoute,
        endpoints: Mapping[str, ModelEndpoint],
        policy: CascadePolicy,
        breaker: Breaker,
        monotonic: Callable[[], float],
        ends: float | None,
    ) -> None:
        self._request, self._route, self._endpoints = request, route, endpoints
        self._policy, self._breaker, self._monotonic, self._ends = policy, breaker, monotonic, ends
        self._several = len(route) > 1
        self._tries_last = 1 + max(min(policy.retry_max, 1) if self._several else policy.retry_max, 0)
        self._spare = 1 if self._several else self._tries_last  # requests beyond one of each rung
        self._attempts: list[LLMAttempt] = []
        self._failed_here = failed_rungs()
        self._skipped: list[str] = []
        self._reason = ""
        self._fault = timed_out()
        self._title = endpoints[route[0].provider].title

    def answer(self) -> LLMCallResult:
        """Raises `LLMError` once nobody is left to be asked."""
        rungs, forced = self._worth_asking()
        for place, ref in enumerate(rungs):
            if not (forced or self._breaker.admits(ref)):
                self._skip(ref, "breaker")  # somebody else is just probing it
                continue
            result = self._ask(ref, behind=len(rungs) - place - 1)
            if result is not None:
                return result
            if not self._passes_on():
                break
        if not self._attempts and (result := self._ask(self._route[0], behind=0)) is not None:
            return result
        raise self._error()

    def _worth_asking(self) -> tuple[ModelRoute, bool]:
        """The rungs that neither failed in this turn nor are known to be down; where none is left, all of them, asked
        whatever is known.
        """
        if not self._several:
            return self._route, True
        left = []
        for ref in self._route:
            if ref in self._failed_here:
                self._skip(ref, "turn")
            elif self._breaker.is_open(ref):
                self._skip(ref, "breaker")
            else:
                left.append(ref)
        if left:
            return tuple(left), False
        self._skipped.clear()
        self._reason = ""
        return self._route, True

    def _skip(self, ref: ModelRef, why: str) -> None:
        self._skipped.append(f"{ref} {why}")
        if not self._attempts:
            self._reason = why

    def _ask(self, ref: ModelRef, *, behind: int) -> LLMCallResult | None:
        """One rung, again where that may help and nobody stands behind it. None: `_fault` says why."""
        endpoint = self._endpoints[ref.provider]
        tries, renewed = (1 if behind else self._tries_last), False
        while True:
            seconds = self._seconds(behind)
            if self._attempts and seconds < _LEAST_USEFUL_SECONDS:
                return None
            key = endpoint.key.current
            result = self._attempt(endpoint, ref, max(seconds, 0.001))
            if result is not None:
                return result
            again = self._fault.failure is LLMFailure.AUTH and not renewed and self._spare > 0
            if again and endpoint.key.replaced(key):
                renewed = True
            else:
                tries -= 1
                if not (tries > 0 and self._spare > 0 and repeats(self._fault)):
                    break
            self._spare -= 1
        tell_refusal(self._fault, provider=ref.provider, model=ref.model, purpose=self._request.purpose)
        self._reason = self._fault.failure.value
        if self._passes_on():
            self._failed_here.add(ref)
        return None

    def _seconds(self, behind: int) -> float:
        """What the next request may take. Each rung behind keeps its share, as far as this one keeps one too."""
        if self._ends is None:
            return self._policy.timeout_seconds
        left, share = self._ends - self._monotonic(), self._policy.fallback_seconds
        payable = max(min(behind, int(left // share) - 1), 0) if share > 0 else 0
        return min(self._policy.timeout_seconds, left - share * payable)

    def _attempt(self, endpoint: ModelEndpoint, ref: ModelRef, seconds: float) -> LLMCallResult | None:
        request = self._request if ref.model == self._request.model else replace(self._request, model=ref.model)
        self._tell_fallback(ref)
        started = self._monotonic()
        self._title = endpoint.title
        result, fault = None, None
        try:
            result = call_within(seconds, lambda: endpoint.attempt(request, seconds))
        except AbandonedError:
            fault = timed_out()
        except ModelAttemptError as error:
            fault = error
        latency_ms = round((self._monotonic() - started) * 1000)
        if fault is not None:
            self._note_failed(ref, fault, latency_ms)
        if result is None:
            return None
        self._note_answered(ref, result, latency_ms)
        return replace(result, latency_ms=latency_ms, attempts=tuple(self._attempts))

    def _note_answered(self, ref: ModelRef, result: LLMCallResult, latency_ms: int) -> None:
        if self._several:
            self._breaker.answered(ref)
        if not result.model.startswith(ref.model):
            _log.warning("llm_other_model", extra={"provider": ref.provider, "model": ref.model})
        self._attempts.append(
            LLMAttempt(
                number=len(self._attempts) + 1,
                latency_ms=latency_ms,
                status=200,
                request_id=result.request_id,
                tokens_input=result.tokens_input,
                tokens_output=result.tokens_output,
                **self._place_of(ref),
            )
        )

    def _note_failed(self, ref: ModelRef, fault: ModelAttemptError, latency_ms: int) -> None:
        self._fault = fault
        self._attempts.append(
            LLMAttempt(
                number=len(self._attempts) + 1,
                latency_ms=latency_ms,
                failure=fault.failure,
                status=fault.status,
                request_id=fault.request_id,
                tokens_input=fault.tokens_input,
                tokens_output=fault.tokens_output,
                **self._place_of(ref),
            )
        )
        report(
            fault,
            provider=ref.provider,
            model=ref.model,
            attempt=len(self._attempts),
            purpose=self._request.purpose,
        )
        if not self._several:
            return
        if self._passes_on():
            self._breaker.failed(ref, retry_after_seconds=fault.retry_after_seconds)
        else:
            self._breaker.answered(ref)

    def _place_of(self, ref: ModelRef) -> dict[str, Any]:
        """Where an attempt stands, for the ledger; what was skipped is told once."""
        skipped, self._skipped = tuple(self._skipped), []
        return {
            "provider": ref.provider,
            "model": ref.model,
            "rung": self._route.index(ref),
            "fallback_reason": self._reason,
            "skipped": skipped,
        }

    def _tell_fallback(self, ref: ModelRef) -> None:
        if self._reason and not any(
            ref.provider == made.provider and ref.model == made.model for made in self._attempts
        ):
            extra = {"provider": ref.provider, "model": ref.model, "reason": self._reason}
            _log.warning("llm_fallback", extra={**extra, "purpose": self._request.purpose.value})

    def _passes_on(self) -> bool:
        failure = self._fault.failure
        return failure in _PASSES_ON or (failure is LLMFailure.AUTH and self._policy.on_auth)

    def _error(self) -> LLMError:
        fault = self._fault
        kind = LLMTimeoutError if fault.failure is LLMFailure.TIMEOUT and fault.status is None else LLMProviderError
        return kind(f"{self._title} {fault.label}", failure=fault.failure, attempts=tuple(self._attempts))
