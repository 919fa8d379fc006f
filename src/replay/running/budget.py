"""A model with a limit in calls and in money, so that nothing live is paid for unasked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from core.application.ports import LLMClient
from core.domain.errors import BalcaoError
from core.domain.ledger import ModelPrice
from core.domain.llm import CallPurpose, LLMCallResult, ModelRef, ModelRoute
from core.domain.prompts import cost_of_answer, price_of_answer


class BudgetError(BalcaoError):
    """What may be spent is spent: the turn is not played."""


class BudgetedModel:
    """Counts what its calls cost. A model without a price counts as a call alone."""

    def __init__(
        self,
        llm: LLMClient,
        *,
        price_of: Callable[[ModelRef], ModelPrice | None],
        usd: Decimal | None,
        calls: int | None,
    ) -> None:
        self._llm, self._price_of = llm, price_of
        self._usd, self._calls = usd, calls
        self.spent_usd, self.made = Decimal(0), 0

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
        """As the model's. Raises `BudgetError` before a call that nobody wants to pay for."""
        if self._calls is not None and self.made >= self._calls:
            raise BudgetError("the budget in calls is spent: raise --budget-calls")
        if self._usd is not None and self.spent_usd >= self._usd:
            raise BudgetError("the budget in money is spent: raise --budget-usd")
        self.made += 1
        result = self._llm.chat(
            model=model,
            messages=messages,
            timeout_seconds=timeout_seconds,
            purpose=purpose,
            cache_key=cache_key,
            safety_identifier=safety_identifier,
            output_schema=output_schema,
            route=route,
        )
        price = price_of_answer(result, model, self._price_of)
        if price is not None:
            self.spent_usd += cost_of_answer(price, result)
        return result
