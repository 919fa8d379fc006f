"""Demand of each resource at a rate of turns, and a month's bill."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

INPUTS = Path(__file__).with_name("inputs.toml")
PRICES = Path(__file__).resolve().parents[2] / "prompts" / "prices.toml"
RETENTION_MONTHS = 6
OUTAGE_SECONDS = 600
_SUMMARY_CALLS = 1
_KB_PER_GB = 1_000_000
_MILLION = 1_000_000


class InputError(Exception):
    """An input that is not there or no number; the sentence names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a rate asks of one resource. `capacity` is in the same unit; `at_rate` the turns a second it carries."""

    resource: str
    unit: str
    asked: float
    capacity: float
    raised_by: str

    @property
    def used(self) -> float:
        """Share of the capacity: above 1 it is the limit."""
        return self.asked / self.capacity


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """USD a month for `conversations`, by what is paid for."""

    conversations: int
    lines: Mapping[str, float]

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.lines.values())


class Inputs:
    """The numbers of `inputs.toml`, by table and name, with changes on top."""

    def __init__(self, changes: Mapping[str, float] | None = None) -> None:
        self._tables: dict[str, dict[str, Any]] = tomllib.loads(INPUTS.read_text("utf-8"))
        for name, value in (changes or {}).items():
            holders = [table for key, table in self._tables.items() if key != "raise" and name in table]
            if not holders:
                raise InputError(f"there is no input {name}: {', '.join(sorted(self.names))}")
            holders[0][name] = value

    @property
    def names(self) -> frozenset[str]:
        """Every input that may be changed."""
        return frozenset(name for key, table in self._tables.items() if key != "raise" for name in table)

    def __getitem__(self, table: str) -> Mapping[str, Any]:
        return self._tables[table]


def demands(inputs: Inputs, turns_per_second: float) -> list[Demand]:
    """Every resource at this rate, the fullest first."""
    found = [
        Demand(resource=resource, unit=unit, asked=asked, capacity=capacity, raised_by=inputs["raise"][raised_by])
        for resource, unit, asked, capacity, raised_by in _demands(inputs, turns_per_second)
    ]
    return sorted(found, key=lambda demand: -demand.used)


def carried(inputs: Inputs) -> float:
    """Turns a second until the first limit is full: every demand grows with the rate."""
    return 1.0 / demands(inputs, 1.0)[0].used


def drain_seconds(inputs: Inputs, turns_per_second: float) -> float | None:
    """Until what an outage of ten minutes left is answered, with new messages coming; None where it never is."""
    spare = carried(inputs) - turns_per_second
    return None if spare <= 0 else OUTAGE_SECONDS * turns_per_second / spare


def _demands(inputs: Inputs, rate: float) -> Iterator[tuple[str, str, float, float, str]]:
    turn, limits = inputs["turn"], inputs["limits"]
    processing = rate * turn["seconds"]
    door = rate * (turn["messages_in"] + turn["statuses"])
    running = processing + door * inputs["latency"]["webhook_seconds"]
    yield (
        "conversations at once (MaximumConcurrency)",
        "turns",
        processing,
        limits["mapping_concurrency"],
        "mapping_concurrency",
    )
    yield "Lambda concurrency", "executions", running, limits["lambda_concurrency"], "lambda_concurrency"
    messages = rate * (turn["messages_in"] + turn["parts_out"])
    yield "WhatsApp number", "messages/s", messages, limits["meta_per_second"], "meta_per_second"
    tokens = rate * turn["model_calls"] * (turn["tokens_input"] + turn["tokens_output"]) * 60
    yield "provider", "tokens/min", tokens, limits["provider_tokens_per_minute"], "provider_tokens"
    pointers = rate * turn["messages_in"]
    yield "SQS, per API action", "requests/s", pointers, limits["sqs_per_second"], "sqs_per_second"
    yield "SQS, in flight", "messages", processing, limits["sqs_in_flight"], "sqs_in_flight"
    shards = limits["table_partition_wcu"] * limits["due_shards"]
    yield "index `due`", "write units/s", rate * index_writes(inputs), shards, "table_partition"
    yield "HTTP API", "requests/s", door, limits["api_per_second"], "api_per_second"
    reads = running * limits["secrets"] / limits["secret_seconds"] + rate * inputs["latency"]["cold_starts_share"]
    yield "parameter store", "requests/s", reads, limits["ssm_per_second"], "ssm_per_second"


def index_writes(inputs: Inputs) -> float:
    """Write units of the index for a turn: HEAD comes due with a message and is undue with the answer, parts too."""
    turn = inputs["turn"]
    return 2 * (turn["messages_in"] + turn["parts_out"]) * 2


def table_writes(inputs: Inputs) -> float:
    """Write units of the table for a turn: recording, commit and outcome are transactions, a status is one write."""
    turn, kb = inputs["turn"], inputs["items_kb"]
    recorded = turn["messages_in"] * 2 * (kb["inbound"] + kb["head"])
    committed = 2 * (kb["head"] + kb["state"] + kb["turn"] + turn["parts_out"] * kb["part"])
    outcomes = turn["parts_out"] * 2 * kb["part"]
    return float(recorded + committed + outcomes + turn["statuses"] * kb["part"])


def bill(inputs: Inputs, conversations: int, model: str) -> Bill:
    """A month's. Raises `InputError` for a model without a price."""
    turn, usd, gb, kb = inputs["turn"], inputs["usd"], inputs["memory_gb"], inputs["items_kb"]
    turns = conversations * turn["turns_per_conversation"]
    door = turns * (turn["messages_in"] + turn["statuses"])
    compute = turns * turn["seconds"] * gb["process"] + door * inputs["latency"]["webhook_seconds"] * gb["webhook"]
    reads = turns * kb["read_page"] / 4
    stored_kb = turns * (kb["turn"] + turn["messages_in"] * kb["inbound"] + turn["parts_out"] * kb["part"])
    return Bill(
        conversations=conversations,
        lines={
            "model": model_cost(inputs, conversations, model),
            "Lambda": compute * usd["lambda_gb_second"] + (turns + door) * usd["lambda_million_requests"] / _MILLION,
            "DynamoDB": turns
            * (table_writes(inputs) + index_writes(inputs))
            * usd["dynamodb_million_writes"]
            / _MILLION
            + reads * usd["dynamodb_million_reads"] / _MILLION
            + stored_kb / _KB_PER_GB * RETENTION_MONTHS * usd["dynamodb_gb_month"],
            "SQS": turns * turn["messages_in"] * 3 * usd["sqs_million"] / _MILLION,
            "HTTP API": door * usd["api_million"] / _MILLION,
            "logs": turns * usd["logs_kb_per_turn"] / _KB_PER_GB * usd["logs_gb"],
        },
    )


def model_cost(inputs: Inputs, conversations: int, model: str) -> float:
    """Turns' calls, and a summary for each handoff, at the prices of `prompts/prices.toml`."""
    models: dict[str, dict[str, str]] = tomllib.loads(PRICES.read_text("utf-8"))["models"]
    if model not in models:
        raise InputError(f"{model} has no price in prompts/prices.toml: {', '.join(sorted(models))}")
    price = {kind: Decimal(value) for kind, value in models[model].items()}
    turn = inputs["turn"]
    calls = turn["turns_per_conversation"] * turn["model_calls"] + turn["handoffs_per_conversation"] * _SUMMARY_CALLS
    fresh = turn["tokens_input"] - turn["tokens_cached"]
    one = (
        Decimal(str(fresh)) * price["input"]
        + Decimal(str(turn["tokens_cached"])) * price["cached"]
        + Decimal(str(turn["tokens_output"])) * price["output"]
    )
    return float(one * Decimal(str(calls * conversations)) / _MILLION)
