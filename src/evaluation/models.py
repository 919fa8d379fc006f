"""Who answers: the replies that were committed, or a live model within a budget."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from core.application.ports import LLMClient
from core.domain.actions import Agent
from core.domain.agent_call import AgentAnswer, AgentRequest
from core.domain.errors import LLMProviderError
from core.domain.ledger import ModelPrice
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure, ModelRef, ModelRoute
from core.domain.prompts import cost_of_answer, price_of_answer

COMMITTED = "committed"


class CommittedReplies:
    """`AgentInvoker` over the replies of one line, in order. `missing` counts calls for which none is left."""

    def __init__(self) -> None:
        self._left: deque[str] = deque()
        self.missing = 0

    def begin(self, replies: Iterable[str]) -> int:
        """The next line's replies; how many of the line before were never asked for."""
        unused = len(self._left)
        self._left = deque(replies)
        return unused

    def requested_model(self, agent: Agent) -> str:  # noqa: ARG002
        return COMMITTED

    def invoke(self, request: AgentRequest, *, timeout_seconds: float) -> AgentAnswer:  # noqa: ARG002
        if not self._left:
            self.missing += 1
            raise unreachable()
        attempt = LLMAttempt(number=1, latency_ms=0, status=200)
        result = LLMCallResult(
            raw_response=self._left.popleft(),
            model=COMMITTED,
            tokens_input=0,
            tokens_output=0,
            latency_ms=0,
            attempts=(attempt,),
            usage_missing=True,
        )
        return AgentAnswer(result=result, requested_model=COMMITTED, input_hash="")


class NoModel:
    """`LLMClient` of repairs and summaries where nobody is asked."""

    def chat(
        self,
        *,
        model: str,  # noqa: ARG002
        messages: Sequence[dict[str, Any]],  # noqa: ARG002
        timeout_seconds: float | None = None,  # noqa: ARG002
        purpose: CallPurpose = CallPurpose.AGENT,  # noqa: ARG002
        cache_key: str | None = None,  # noqa: ARG002
        safety_identifier: str | None = None,  # noqa: ARG002
        output_schema: Mapping[str, Any] | None = None,  # noqa: ARG002
        route: ModelRoute = (),  # noqa: ARG002
    ) -> LLMCallResult:
        raise unreachable()


class Budget:
    """Calls and money that a live evaluation may spend. Safe under threads.

    Each call holds a share of the money while it runs, the dearest that was seen, so that calls side by side do not
    overspend together by more than their first.
    """

    def __init__(self, *, usd: Decimal, calls: int, first_call_usd: Decimal = Decimal(0)) -> None:
        self._usd, self._calls = usd, calls
        self._dearest = first_call_usd
        self._running = 0
        self._lock = threading.Lock()
        self.spent_usd = Decimal(0)
        self.made = 0
        self.refused = 0

    def take(self) -> bool:
        """Whether one more call may be made."""
        with self._lock:
            held = self._dearest * (self._running + 1)
            if self.made >= self._calls or self.spent_usd + held > self._usd:
                self.refused += 1
                return False
            self.made += 1
            self._running += 1
            return True

    def settle(self, usd: Decimal) -> None:
        """What the call cost."""
        with self._lock:
            self._running -= 1
            self.spent_usd += usd
            self._dearest = max(self._dearest, usd)


class BudgetedModel:
    """`LLMClient` that stops at the budget. Nobody reads an evaluation's summaries: none is asked for.

    A call whose price is not known costs what a call was expected to cost.
    """

    def __init__(
        self, llm: LLMClient, budget: Budget, price_of: Callable[[ModelRef], ModelPrice | None], *, unknown_usd: Decimal
    ) -> None:
        self._llm, self._budget, self._price_of, self._unknown_usd = llm, budget, price_of, unknown_usd

    def chat(self, *, model: str, purpose: CallPurpose = CallPurpose.AGENT, **options: Any) -> LLMCallResult:
        if purpose is CallPurpose.SUMMARY or not self._budget.take():
            raise unreachable()
        spent = self._unknown_usd
        try:
            result = self._llm.chat(model=model, purpose=purpose, **options)
            price = price_of_answer(result, model, self._price_of)
            if price is not None and not result.usage_missing:
                spent = cost_of_answer(price, result)
        finally:
            self._budget.settle(spent)
        return result


def unreachable() -> LLMProviderError:
    """A model that is not there."""
    attempt = LLMAttempt(number=1, latency_ms=0, failure=LLMFailure.CONNECTION)
    return LLMProviderError("no model is asked", failure=LLMFailure.CONNECTION, attempts=(attempt,))
