"""Wall time of ten conversations in one batch, with a model that takes 300 ms, ÷ that of one."""

from __future__ import annotations

import io
import itertools
import logging
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from benchmarks.memory_ports import MemorySender, MemoryStore, waiting
from core.agents.invoker import AgentInvokerImpl
from core.application.ports import MessageSender
from core.application.spend_meter import SpendMeter
from core.config.secrets import EnvironmentSecrets
from core.config.settings import ModelSettings, Settings, WhatsAppSettings
from core.domain.conversation import InboundRecord, Snapshot, TurnCommit
from core.domain.delivery import PartOutcome
from core.domain.llm import LLMAttempt, LLMCallResult
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.pointer import pointer_body
from core.domain.policy import ConversationPolicy
from core.integrations.factory import Dependencies
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.door import build_batch_intake
from handlers import process_message
from tests.neutral_company import COMPANY, PROMPTS_DIR, catalog, prompts

LIMITS = {"batch_of_ten": 1.5}

MODEL_SECONDS = 0.3
REPLY = '{"s":1}Olá! Qual é o aparelho que você quer instalar?'


class WaitingModel:
    """Answers after 300 ms, whoever else is waiting."""

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **_rest: Any) -> LLMCallResult:
        time.sleep(MODEL_SECONDS)
        attempt = LLMAttempt(number=1, latency_ms=300, status=200, tokens_input=4000, tokens_output=40)
        return LLMCallResult(
            raw_response=REPLY, model=model, tokens_input=4000, tokens_output=40, latency_ms=300, attempts=(attempt,)
        )


class Table:
    """Many conversations, each in a store of its own."""

    def __init__(self, records: Sequence[InboundRecord]) -> None:
        self.stores = {record.conversation: MemoryStore(waiting(record)[0]) for record in records}

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        return self.stores[conversation].read(conversation)

    def commit(self, commit: TurnCommit) -> None:
        self.stores[commit.conversation].commit(commit)

    def record_outcome(self, conversation: str, outcome: PartOutcome, *, start_next: Any = None, **_: Any) -> bool:
        return start_next is not None

    @property
    def answered(self) -> int:
        """How many conversations got a turn."""
        return sum(len(store.commits) == 1 for store in self.stores.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class InMemory(Dependencies):
    """As Lambda has them, but for what is outside."""

    @contextmanager
    def sender(self) -> Iterator[MessageSender]:
        yield MemorySender()


class Context:
    """A function that has just begun."""

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


def measure(*, rounds: int = 7) -> dict[str, float]:
    """`batch_of_ten`, as a ratio of medians."""
    names = itertools.count()
    for logger in ("balcao", "core"):
        logging.getLogger(logger).setLevel(logging.ERROR)  # a line a turn, which nobody reads here
    for _ in range(2):
        _wall_seconds(10, names)
    one, ten = ([_wall_seconds(size, names) for _ in range(rounds)] for size in (1, 10))
    return {"batch_of_ten": statistics.median(ten) / statistics.median(one)}


def _wall_seconds(conversations: int, names: Iterator[int]) -> float:
    """One invocation of the process function."""
    records = [_waiting_message(f"c{next(names):06x}") for _ in range(conversations)]
    table = Table(records)
    bodies = [pointer_body(waiting(record)[1]) for record in records]
    event = {
        "Records": [
            {"messageId": str(n), "receiptHandle": str(n), "body": body, "attributes": {"ApproximateReceiveCount": "1"}}
            for n, body in enumerate(bodies)
        ]
    }
    deps = _dependencies(table)
    with patch.object(process_message, "dependencies", lambda: deps):
        started = time.perf_counter()
        with redirect_stdout(io.StringIO()):  # its metrics
            response = process_message.handler(event, Context())
        seconds = time.perf_counter() - started
    if response["batchItemFailures"] or table.answered != conversations:
        raise RuntimeError(f"not every conversation was answered: {response}")
    return seconds


def _waiting_message(conversation: str) -> InboundRecord:
    now_ms = SystemClock().now_ms()
    message = InboundMessage(
        provider_id=f"wamid.{conversation}",
        kind=MessageKind.TEXT,
        sender=Sender(phone="5511980000101"),
        phone_number_id="330000000000982",
        sent_at_ms=now_ms,
        text="Bom dia! Queria saber se vocês fazem instalação de ar-condicionado aqui na minha loja.",
    )
    sk = f"M#{now_ms:013d}#i0123456789abcdef"
    return InboundRecord(conversation=conversation, sk=sk, message=message, received_at_ms=now_ms)


def _dependencies(table: Table) -> InMemory:
    models, clock, llm = ModelSettings(api_key="sk-bench"), SystemClock(), WaitingModel()
    settings = Settings(
        table_name="bench",
        queue_url="",
        identity_key="bench",
        prompts_dir=str(PROMPTS_DIR),
        company=COMPANY,
        models=models,
        whatsapp=WhatsAppSettings(),
        conversation=ConversationPolicy(),
    )
    return InMemory(
        settings=settings,
        store=table,  # type: ignore[arg-type]
        retries=None,  # type: ignore[arg-type]
        batches=build_batch_intake(settings, store=table, clock=clock, threads=1),  # type: ignore[arg-type]
        llm=llm,
        invoker=AgentInvokerImpl(llm=llm, prompts=prompts(), catalog=catalog(), models=models),
        notifier=None,
        clock=clock,
        meter=SpendMeter(counter=None, clock=clock, cap_micro_usd=0),
        catalog=catalog(),
        prompts=prompts(),
        secrets=EnvironmentSecrets({}),
        fingerprints={"code": "bench"},
    )


if __name__ == "__main__":
    print(measure())
