"""What the model is told, read once from files, with prices and a hash of each file for the ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from core.domain.actions import Agent
from core.domain.ledger import ModelPrice
from core.domain.llm import LLMCallResult, ModelRef
from core.domain.texts import FixedTexts

# OpenAI dates its snapshots with hyphens, Anthropic without.
_SNAPSHOT = re.compile(r"-(\d{4}-\d{2}-\d{2}|20\d{6})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSet:
    """`examples` are the company's own, shown after an agent's instructions; `packages` maps a package id to its text;
    `fingerprints` a file's name to its hash (TURN, docs/turn.md).

    `reminder` stands between the history, which shows no JSON, and the messages to answer; `schema_reminder` in its
    place where a schema holds the reply.
    """

    contract: str
    reminder: str
    agents: Mapping[Agent, str]
    examples: Mapping[Agent, str]
    repair: str
    summary: str
    packages: Mapping[str, str]
    texts: FixedTexts
    prices: Mapping[ModelRef, ModelPrice]
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    schema_reminder: str = ""

    def price(self, ref: ModelRef) -> ModelPrice | None:
        """A provider's price of a model; a dated snapshot costs what its family costs. None: unknown, never a guess."""
        return price_in(self.prices, ref)


def price_in(prices: Mapping[ModelRef, ModelPrice], ref: ModelRef) -> ModelPrice | None:
    """See `PromptSet.price`."""
    return prices.get(ref) or prices.get(replace(ref, model=_SNAPSHOT.sub("", ref.model)))


def price_of_answer(
    result: LLMCallResult, model: str, price_of: Callable[[ModelRef], ModelPrice | None]
) -> ModelPrice | None:
    """By the model that answered; where the list does not know that one, by the one that was asked for."""
    asked = result.asked(model)
    return price_of(replace(asked, model=result.model)) or price_of(asked)


def cost_of_answer(price: ModelPrice, result: LLMCallResult) -> Decimal:
    """What an answer cost."""
    return price.cost(
        tokens_input=result.tokens_input,
        tokens_cached=result.tokens_cached,
        tokens_output=result.tokens_output,
        audio_seconds=result.audio_seconds,
        tokens_cache_written=result.tokens_cache_written,
    )
