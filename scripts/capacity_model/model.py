"""Demand of each resource at a rate of turns."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INPUTS = Path(__file__).with_name("inputs.toml")
OUTAGE_SECONDS = 600


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
    return float(2 * (turn["messages_in"] + turn["parts_out"]) * 2)


def table_writes(inputs: Inputs) -> float:
    """Write units of the table for a turn: recording, commit and outcome are transactions, a status is one write."""
    turn, kb = inputs["turn"], inputs["items_kb"]
    recorded = turn["messages_in"] * 2 * (kb["inbound"] + kb["head"])
    committed = 2 * (kb["head"] + kb["state"] + kb["turn"] + turn["parts_out"] * kb["part"])
    outcomes = turn["parts_out"] * 2 * kb["part"]
    return float(recorded + committed + outcomes + turn["statuses"] * kb["part"])
