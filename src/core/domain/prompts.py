"""What the model is told, read once from files, with prices and a hash of each file for the ledger."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.actions import Agent
from core.domain.ledger import ModelPrice
from core.domain.texts import FixedTexts

_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


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
    prices: Mapping[str, ModelPrice]
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    schema_reminder: str = ""

    def price(self, model: str) -> ModelPrice | None:
        """A model's price; a dated snapshot costs what its family costs. None: unknown, never a guess."""
        return price_in(self.prices, model)


def price_in(prices: Mapping[str, ModelPrice], model: str) -> ModelPrice | None:
    """See `PromptSet.price`."""
    return prices.get(model) or prices.get(_SNAPSHOT.sub("", model))
