"""A month's bill, item by item: how much of what, at which price."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from .model import InputError, Inputs, index_writes, table_writes

# Whose model a bare name is.
_BY_DEFAULT = "openai"
PRICES = Path(__file__).resolve().parents[2] / "prompts" / "prices.toml"
RETENTION_MONTHS = 6
_SUMMARY_CALLS = 1
_SQS_REQUESTS = 3  # send, receive, delete
_KB_PER_GB = 1_000_000
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """`quantity` units at `price` USD for `per` of them; `line` is the column of the bill that it belongs to."""

    line: str
    what: str
    quantity: float
    unit: str
    price: float
    per: float = 1.0

    @property
    def usd(self) -> float:
        """What it costs."""
        return self.quantity * self.price / self.per


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """USD a month for `conversations`."""

    conversations: int
    items: tuple[Item, ...]

    @property
    def lines(self) -> dict[str, float]:
        """By what is paid for, in the order of the items."""
        found: dict[str, float] = {}
        for item in self.items:
            found[item.line] = found.get(item.line, 0.0) + item.usd
        return found

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.lines.values())


def bill(inputs: Inputs, conversations: int, model: str) -> Bill:
    """A month's. Raises `InputError` for a model without a price."""
    items = (*_model(inputs, conversations, model), *_whatsapp(inputs, conversations), *_aws(inputs, conversations))
    return Bill(conversations=conversations, items=items)


def _model(inputs: Inputs, conversations: int, model: str) -> Iterator[Item]:
    """Turns' calls, and a summary for each handoff, at the prices of `prompts/prices.toml`."""
    prices = _prices()
    named = model if model in prices else f"{_BY_DEFAULT}/{model}"
    if named not in prices:
        raise InputError(f"{model} has no price in prompts/prices.toml: {', '.join(sorted(prices))}")
    price = {kind: float(Decimal(value)) for kind, value in prices[named].items()}
    if "input" not in price:
        raise InputError(f"{model} is billed by the minute of audio, not by tokens")
    turn = inputs["turn"]
    calls = turn["turns_per_conversation"] * turn["model_calls"] + turn["handoffs_per_conversation"] * _SUMMARY_CALLS
    calls *= conversations
    kinds = {
        "tokens in": (turn["tokens_input"] - turn["tokens_cached"], "input"),
        "tokens in, cached": (turn["tokens_cached"], "cached"),
        "tokens out": (turn["tokens_output"], "output"),
    }
    for what, (tokens, kind) in kinds.items():
        yield Item(line="model", what=what, quantity=calls * tokens, unit="tokens", price=price[kind], per=_MILLION)


def _prices() -> dict[str, dict[str, str]]:
    """By `provider/model`."""
    tables: dict[str, dict[str, dict[str, str]]] = tomllib.loads(PRICES.read_text("utf-8"))
    return {f"{provider}/{name}": price for provider, models in tables.items() for name, price in models.items()}


def _whatsapp(inputs: Inputs, conversations: int) -> Iterator[Item]:
    """What Meta charges for answers within the 24 hours, less those that each number has free a month."""
    turn, usd = inputs["turn"], inputs["usd"]
    sent = conversations * turn["turns_per_conversation"] * turn["parts_out"]
    paid = max(0.0, sent - inputs["limits"]["whatsapp_free_messages"])
    yield Item(line="WhatsApp", what="answers", quantity=paid, unit="messages", price=usd["whatsapp_message"])


def _aws(inputs: Inputs, conversations: int) -> Iterator[Item]:
    turn, usd, gb, kb = inputs["turn"], inputs["usd"], inputs["memory_gb"], inputs["items_kb"]
    turns = conversations * turn["turns_per_conversation"]
    door = turns * (turn["messages_in"] + turn["statuses"])
    compute = turns * turn["seconds"] * gb["process"] + door * inputs["latency"]["webhook_seconds"] * gb["webhook"]
    yield Item(line="Lambda", what="compute", quantity=compute, unit="GB-s", price=usd["lambda_gb_second"])
    requests = turns + door
    price = usd["lambda_million_requests"]
    yield Item(line="Lambda", what="invocations", quantity=requests, unit="requests", price=price, per=_MILLION)
    writes = turns * (table_writes(inputs) + index_writes(inputs))
    price = usd["dynamodb_million_writes"]
    yield Item(line="DynamoDB", what="writes", quantity=writes, unit="units", price=price, per=_MILLION)
    reads, price = turns * kb["read_page"] / 4, usd["dynamodb_million_reads"]
    yield Item(line="DynamoDB", what="reads", quantity=reads, unit="units", price=price, per=_MILLION)
    stored_kb = turns * (kb["turn"] + turn["messages_in"] * kb["inbound"] + turn["parts_out"] * kb["part"])
    gb_months = stored_kb / _KB_PER_GB * RETENTION_MONTHS
    yield Item(line="DynamoDB", what="storage", quantity=gb_months, unit="GB-months", price=usd["dynamodb_gb_month"])
    sqs = turns * turn["messages_in"] * _SQS_REQUESTS
    yield Item(line="SQS", what="pointers", quantity=sqs, unit="requests", price=usd["sqs_million"], per=_MILLION)
    yield Item(line="HTTP API", what="webhooks", quantity=door, unit="requests", price=usd["api_million"], per=_MILLION)
    logs = turns * usd["logs_kb_per_turn"] / _KB_PER_GB
    yield Item(line="logs", what="written", quantity=logs, unit="GB", price=usd["logs_gb"])
