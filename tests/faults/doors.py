"""The real doors over a line: what Lambda calls, with dependencies whose every port is at the other end of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from unittest.mock import patch

from core.agents.invoker import AgentInvokerImpl
from core.application.intake.inbound_batch import WebhookBatch
from core.application.intake.take_batch import BatchIntake
from core.application.ports import Clock, LLMClient, MessageSender
from core.application.receive_webhook_use_case import ReceiveWebhookUseCase, WebhookReceipt
from core.application.spend_meter import SpendMeter
from core.config.secrets import EnvironmentSecrets
from core.domain.errors import IntegrationError
from core.domain.policy import ConversationPolicy
from core.integrations.factory import Dependencies
from core.integrations.wiring.people import PeopleWhoKnow
from handlers import process_message, sweep
from tests.desk import Desk
from tests.fakes.at_once import AtOnce
from tests.faults.outside import Line, Port
from tests.neutral_company import catalog, prompts

FUNCTION_MS = 60_000

_wired: ContextVar[Dependencies | None] = ContextVar("wired")
_retries: ContextVar[Any] = ContextVar("retries")

for _name in ("core", "handlers"):  # importing a door turns the loggers to powertools: tests read them as before
    logging.getLogger(_name).handlers.clear()
    logging.getLogger(_name).propagate = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Wired(Dependencies):
    """As `build_dependencies` makes them, with a sender from outside."""

    outside_sender: MessageSender

    @contextmanager
    def sender(self) -> Iterator[MessageSender]:
        yield self.outside_sender


@dataclass(frozen=True, slots=True)
class Context:
    """Lambda's, for a function that has just begun."""

    milliseconds: int = FUNCTION_MS

    def get_remaining_time_in_millis(self) -> int:
        return self.milliseconds


@contextmanager
def injected() -> Iterator[None]:
    """The doors take their dependencies from the run they are in, and are quiet."""
    door_log = logging.getLogger("balcao")
    level = door_log.level
    door_log.setLevel(logging.CRITICAL + 1)
    try:
        with (
            patch.object(process_message, "dependencies", _dependencies),
            patch.object(process_message, "record_retries", _retries.get),
            patch.object(sweep, "dependencies", _dependencies),
            patch.object(sweep, "ThreadPoolExecutor", AtOnce),
        ):
            yield
    finally:
        door_log.setLevel(level)


def _dependencies() -> Dependencies:
    deps = _wired.get()
    if deps is None:
        raise IntegrationError("SSM GetParameters: ThrottlingException")
    return deps


def run_process(
    event: dict[str, Any], line: Line, clock: Clock, *, policy: ConversationPolicy, starts: bool = True
) -> set[str]:
    """One invocation of the process function: the ids of the records that must come again. Unless it `starts`, the
    store of its secrets does not answer.
    """
    _wired.set(wire(line, clock, policy) if starts else None)
    _retries.set(Port(line, "queue"))
    response = process_message.handler(event, Context())
    return {failure["itemIdentifier"] for failure in response["batchItemFailures"]}


def run_sweep(line: Line, clock: Clock, *, policy: ConversationPolicy) -> dict[str, int]:
    """One invocation of the sweep function."""
    _wired.set(wire(line, clock, policy))
    return sweep.handler({}, Context())


def run_webhook(batch: WebhookBatch, line: Line, clock: Clock, *, policy: ConversationPolicy) -> WebhookReceipt:
    """What the webhook function does with a verified body."""
    deps = wire(line, clock, policy)
    return ReceiveWebhookUseCase(batches=deps.batches, queue=Port(line, "queue")).execute(batch)


def wire(line: Line, clock: Clock, policy: ConversationPolicy) -> Wired:
    """Everything real but what is outside."""
    desk, store, llm = _desk(), Port(line, "store"), Port(line, "model")
    settings = replace(desk.settings, conversation=policy, handoff_topic_arn="arn:aws:sns:::people")
    return Wired(
        settings=settings,
        store=store,
        retries=Port(line, "queue"),
        batches=BatchIntake(intake=replace(desk.intake, store=store, clock=clock), store=store, executor=AtOnce()),
        llm=llm,
        invoker=_invoker(llm),
        notifier=Port(line, "notifier"),
        erp=Port(line, "erp"),
        clock=clock,
        meter=SpendMeter(counter=None, clock=clock, cap_micro_usd=policy.spend_per_hour_micro_usd),
        catalog=catalog(),
        prompts=prompts(),
        secrets=EnvironmentSecrets({}),
        fingerprints={"code": "test"},
        people=PeopleWhoKnow(settings, EnvironmentSecrets({})),
        outside_sender=Port(line, "sender"),
    )


def _invoker(llm: LLMClient) -> AgentInvokerImpl:
    """The prompts are rendered once for all worlds."""
    invoker = copy(_rendered())
    invoker._llm = llm
    return invoker


@cache
def _rendered() -> AgentInvokerImpl:
    return AgentInvokerImpl(llm=_desk().llm, prompts=prompts(), catalog=catalog(), models=_desk().settings.models)


@cache
def _desk() -> Desk:
    """For its settings."""
    return Desk()
