"""Two processes of the real function on one table, both given every record: each question gets one reply."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.domain.messages import InboundMessage, InboundPointer, MessageKind, Sender
from core.domain.pointer import pointer_body
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.door import build_batch_intake
from local_stack.environment import emulated_account
from local_stack.stack import Stack
from tests.desk import Desk
from tests.e2e.deployed_world import world_of
from tests.faults.invariants import faults, standing

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]
CUSTOMERS, ROUNDS = 10, 3
UNKNOWN_SECONDS = 120


@contextmanager
def worker(stack: Stack) -> Iterator[subprocess.Popen[str]]:
    """A process function on the stack's table, WhatsApp and model."""
    state = stack.state
    assert state.model_base_url is not None
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environ = {
        **kept,
        **emulated_account(state.endpoint),
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("src", ".", "scripts")),
        "LOG_LEVEL": "CRITICAL",
        "TABLE_NAME": state.table,
        "QUEUE_URL": state.queue,
        "IDENTITY_KEY": state.identity_key,
        "OPENAI_API_KEY": "sk-stand-in",
        "OPENAI_BASE_URL": state.model_base_url,
        "WHATSAPP_API_BASE_URL": state.whatsapp,
        "WHATSAPP_PHONE_NUMBER_ID": state.phone_number_id,
        "WHATSAPP_ACCESS_TOKEN": state.access_token,
    }
    command = [sys.executable, "-m", "tests.e2e.worker"]
    with subprocess.Popen(  # noqa: S603 -- our own interpreter
        command, cwd=ROOT, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def gives(process: subprocess.Popen[str], pointers: list[InboundPointer]) -> None:
    assert process.stdin is not None
    records: list[dict[str, Any]] = [
        {"messageId": str(n), "receiptHandle": "", "body": pointer_body(pointer), "attributes": {}}
        for n, pointer in enumerate(pointers)
    ]
    process.stdin.write(json.dumps({"Records": records}) + "\n")
    process.stdin.flush()


def answers(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def write(stack: Stack, round_number: int) -> list[InboundPointer]:
    """Every customer writes; the table knows, and no queue does."""
    clock, state, desk = SystemClock(), stack.state, Desk()
    store = DynamoConversationStore(stack.client("dynamodb"), table_name=state.table, retention_days=180, clock=clock)
    settings = desk.settings
    intake = build_batch_intake(settings, store=store, clock=clock, threads=1).intake
    pointers = []
    for customer in range(CUSTOMERS):
        message = InboundMessage(
            provider_id=f"wamid.corrida.{round_number}.{customer}",
            kind=MessageKind.TEXT,
            sender=Sender(phone=f"551198007{customer:04d}"),
            phone_number_id=state.phone_number_id,
            sent_at_ms=clock.now_ms() // 1000 * 1000,
            text=f"Oi, mensagem {round_number}: vocês analisam água de poço?",
        )
        pointer = intake.record(message)
        assert pointer is not None
        pointers.append(pointer)
    return pointers


def test_two_processes_on_one_table_give_one_reply_to_each_message(stack: Stack) -> None:
    draw = random.Random(3)
    with worker(stack) as one, worker(stack) as other:
        for round_number in range(ROUNDS):
            pointers = write(stack, round_number)
            gives(one, pointers)
            gives(other, draw.sample(pointers, len(pointers)) if round_number else pointers)
            assert [answers(each)["batchItemFailures"] for each in (one, other)] == [[], []]
    world = world_of(stack, outbox_unknown_seconds=UNKNOWN_SECONDS)
    ours = [each for each in world.conversations if "wamid.corrida" in str(world.store.inbounds(each))]
    assert len(ours) == CUSTOMERS
    # what other tests said on this stack was forgotten with their orders
    world.store.keep_only(ours)
    assert faults(world, may_double=False) == []
    assert sum(len(standing(world, each)) for each in ours) == CUSTOMERS * ROUNDS
    discarded = [turn for each in ours for turn in world.store.turns(each) if turn.outcome == "overtaken"]
    assert discarded, "the processes never met"
