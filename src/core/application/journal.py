"""Collects, while a turn runs, what its TURN item will say (docs/turn.md, "The ledger")."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from core.domain.agent_call import AgentAnswer
from core.domain.errors import LLMError
from core.domain.ledger import CallOutcome, ModelCall, ModelPrice
from core.domain.llm import DEFAULT_PROVIDER, CallPurpose, LLMAttempt, LLMCallResult, ModelRef
from core.domain.prompts import cost_of_answer, price_of_answer
from core.domain.spending import micro_usd

_log = logging.getLogger(__name__)

PriceOf = Callable[[ModelRef], ModelPrice | None]


class TurnJournal:
    """Mutable on purpose: it lives for one run of one turn and is read once, at commit. `spent` hears of
    every cost as it arises: a run that ends in an error is paid for all the same.
    """

    def __init__(self, price_of: PriceOf, spent: Callable[[Decimal], None] = lambda _usd: None) -> None:
        self._price_of = price_of
        self._spent = spent
        self.calls: list[ModelCall] = []
        self.codes: list[int] = []
        self.packages: list[str] = []
        self.action_errors: list[str] = []
        self.egress_findings: list[str] = []
        self.guard: dict[str, Any] = {}
        self.repair_method: str | None = None
        self.dropped_prefix: str | None = None
        self.second_chances: list[str] = []
        self.reruns = 0

    @property
    def cost(self) -> int:
        """What all calls cost, wasted ones included, in millionths of a dollar; what has no price is not counted."""
        return micro_usd(*(call.cost_usd for call in self.calls))

    def answered(self, answer: AgentAnswer, purpose: CallPurpose, outcome: CallOutcome = CallOutcome.USED) -> None:
        """A call that returned; its failed attempts are lines of their own."""
        self._add_result(answer.result, answer.requested_model, purpose, outcome, answer.input_hash)

    def called(
        self, result: LLMCallResult, model: str, purpose: CallPurpose, outcome: CallOutcome = CallOutcome.USED
    ) -> None:
        """The same for a call made without the invoker (repair, summary)."""
        self._add_result(result, model, purpose, outcome, "")

    def failed(self, error: LLMError, model: str, purpose: CallPurpose) -> None:
        """A call that failed for good: every attempt is in the ledger, with what it cost if that is known."""
        for attempt in error.attempts:
            self._add_failed_attempt(attempt, model, purpose)

    def mark_last(self, outcome: CallOutcome) -> None:
        """Say what became of the newest call once that is known."""
        if self.calls:
            self.calls[-1] = replace(self.calls[-1], outcome=outcome)

    def asked_again(self, kind: str) -> None:
        """A reply was refused and its turn's second chance used: `kind` is what was wrong with it, a name of ours."""
        self.second_chances.append(kind)
        _log.info("second_chance", extra={"kind": kind})

    def overtaken(self) -> None:
        """The customer will get nothing of this run: what was used is wasted, but for what a rerun uses again."""
        self.calls = [
            call
            if call.wasted or call.purpose is CallPurpose.TRANSCRIPTION
            else replace(call, outcome=CallOutcome.OVERTAKEN)
            for call in self.calls
        ]

    def restart(self) -> None:
        """A rerun in place: calls and second chances stay, since they were paid for; findings of the dropped answer do
        not.
        """
        self.overtaken()
        self.codes.clear()
        self.packages.clear()
        self.action_errors.clear()
        self.egress_findings.clear()
        self.guard.clear()
        self.repair_method = self.dropped_prefix = None
        self.reruns += 1

    def _add_result(
        self, result: LLMCallResult, model: str, purpose: CallPurpose, outcome: CallOutcome, input_hash: str
    ) -> None:
        for attempt in result.attempts:
            if attempt.failure is not None:
                self._add_failed_attempt(attempt, model, purpose)
        last = result.attempts[-1] if result.attempts else LLMAttempt(number=1, latency_ms=result.latency_ms)
        asked = result.asked(model)
        price = price_of_answer(result, model, self._price_of)
        self._note(
            ModelCall(
                sequence=len(self.calls) + 1,
                rerun=self.reruns,
                purpose=purpose,
                attempt=last.number,
                provider=asked.provider,
                requested_model=asked.model,
                returned_model=result.model,
                outcome=outcome,
                latency_ms=result.latency_ms,
                raw_reply=result.raw_response,
                request_id=result.request_id,
                status=200,
                input_hash=input_hash,
                tokens_input=result.tokens_input,
                tokens_cached=result.tokens_cached,
                tokens_cache_written=result.tokens_cache_written,
                tokens_output=result.tokens_output,
                tokens_reasoning=result.tokens_reasoning,
                audio_seconds=result.audio_seconds,
                usage_missing=result.usage_missing,
                cost_usd=None if price is None or result.usage_missing else cost_of_answer(price, result),
                rung=last.rung,
                fallback_reason=last.fallback_reason,
                skipped=last.skipped,
            )
        )

    def _note(self, call: ModelCall) -> None:
        self.calls.append(call)
        _tell(call)
        if call.cost_usd:
            self._spent(call.cost_usd)

    def _add_failed_attempt(self, attempt: LLMAttempt, model: str, purpose: CallPurpose) -> None:
        asked = ModelRef(provider=attempt.provider or DEFAULT_PROVIDER, model=attempt.model or model)
        price = self._price_of(asked)
        known = attempt.tokens_input > 0 or attempt.tokens_output > 0
        spent = None
        if price is not None and known:
            spent = price.cost(tokens_input=attempt.tokens_input, tokens_cached=0, tokens_output=attempt.tokens_output)
        self._note(
            ModelCall(
                sequence=len(self.calls) + 1,
                rerun=self.reruns,
                purpose=purpose,
                attempt=attempt.number,
                provider=asked.provider,
                requested_model=asked.model,
                outcome=CallOutcome.FAILED,
                latency_ms=attempt.latency_ms,
                failure=attempt.failure,
                status=attempt.status,
                request_id=attempt.request_id,
                tokens_input=attempt.tokens_input,
                tokens_output=attempt.tokens_output,
                usage_missing=not known,
                cost_usd=spent,
                rung=attempt.rung,
                fallback_reason=attempt.fallback_reason,
                skipped=attempt.skipped,
            )
        )


def _tell(call: ModelCall) -> None:
    """Every call, whatever becomes of its turn: the figures of tokens and money add up over these."""
    _log.info(
        "model_called",
        extra={
            "purpose": call.purpose.value,
            "provider": call.provider,
            "model": call.returned_model or call.requested_model,
            "failure": call.failure.value if call.failure else "",
            "status": call.status,
            "latency_ms": call.latency_ms,
            "tokens_input": call.tokens_input,
            "tokens_cached": call.tokens_cached,
            "tokens_cache_written": call.tokens_cache_written,
            "tokens_output": call.tokens_output,
            "audio_seconds": call.audio_seconds,
            "micro_usd": micro_usd(call.cost_usd),
            "request_id": call.request_id,
        },
    )
