"""CPU of a turn over in-memory ports and the real `openai` client ÷ a bare `responses.create` of the same input."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from benchmarks.measuring import cpu_ratio
from benchmarks.memory_ports import MemorySender, MemoryStore, waiting
from core.agents.invoker import AgentInvokerImpl
from core.config.settings import ModelSettings, Settings, WhatsAppSettings
from core.domain.conversation import InboundRecord
from core.domain.deadline import Deadline
from core.domain.llm import LLMCallResult
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.policy import ConversationPolicy
from core.integrations.model_calls.cascade import Cascade
from core.integrations.openai_provider.endpoint import OpenAIEndpoint
from core.integrations.openai_sdk.sdk_client import build_sdk_client
from core.integrations.system.clock import SystemClock
from core.integrations.wiring.turn import wire_use_case
from tests.neutral_company import COMPANY, PROMPTS_DIR, catalog, prompts

LIMITS = {"turn_cpu": 1.25}
_VERSIONS = 1000
MODELS = ModelSettings(api_key="sk-bench")


@contextmanager
def zero_latency_server() -> Iterator[str]:
    """The server's base URL, in a process of its own: its CPU is not ours."""
    command = [sys.executable, "-m", "benchmarks.zero_latency_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdin
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.stdin.close()


class _Listening:
    """Remembers the messages of the last call, so that the yardstick sends the same."""

    def __init__(self, inner: Cascade) -> None:
        self._inner = inner
        self.messages: Sequence[dict[str, Any]] = ()

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **rest: Any) -> LLMCallResult:
        self.messages = messages
        return self._inner.chat(model=model, messages=messages, **rest)


def measure(*, rounds: int = 15, calls: int = 20) -> dict[str, float]:
    """`turn_cpu`, as a ratio."""
    with zero_latency_server() as url:
        sdk = build_sdk_client(api_key=MODELS.api_key, base_url=url, timeout_seconds=30)
        client = Cascade({"openai": OpenAIEndpoint(sdk, max_output_tokens=MODELS.max_output_tokens)})
        llm = _Listening(client)
        run_turn = _turn(llm)
        run_turn()
        request = {
            "model": MODELS.model_triage,
            "input": llm.messages,
            "store": False,
            "max_output_tokens": MODELS.max_output_tokens,
        }
        llm.chat = client.chat  # type: ignore[method-assign] # from here on nothing stands between turn and client
        return {"turn_cpu": cpu_ratio(run_turn, lambda: sdk.responses.create(**request), rounds=rounds, calls=calls)}


def _turn(llm: Any) -> Any:
    clock = SystemClock()
    settings = Settings(
        table_name="bench",
        queue_url="",
        identity_key="bench",
        prompts_dir=str(PROMPTS_DIR),
        company=COMPANY,
        models=MODELS,
        whatsapp=WhatsAppSettings(),
        conversation=ConversationPolicy(),
    )
    now_ms = clock.now_ms()
    message = InboundMessage(
        provider_id="wamid.bench",
        kind=MessageKind.TEXT,
        sender=Sender(phone="5511980000101"),
        phone_number_id="330000000000982",
        sent_at_ms=now_ms,
        text="Bom dia! Queria saber se vocês fazem instalação de ar-condicionado aqui na minha loja.",
    )
    sk = f"M#{now_ms:013d}#i0123456789abcdef"
    record = InboundRecord(conversation="c0ffee", sk=sk, message=message, received_at_ms=now_ms)
    snapshot, pointer = waiting(record)
    store = MemoryStore(snapshot)
    use_case = wire_use_case(
        settings=settings,
        store=store,  # type: ignore[arg-type]
        llm=llm,
        invoker=AgentInvokerImpl(llm=llm, prompts=prompts(), catalog=catalog(), models=MODELS),
        sender=MemorySender(),
        notifier=None,
        clock=clock,
        catalog=catalog(),
        prompts=prompts(),
        fingerprints={"code": "bench"},
    )
    # another version each time, so that nothing derived from it can be remembered
    versions = [replace(snapshot, head=replace(snapshot.head, ver=ver)) for ver in range(_VERSIONS)]
    snapshots = itertools.cycle(versions)

    def run() -> object:
        deadline = Deadline(now_ms=clock.now_ms, ends_at_ms=clock.now_ms() + 60_000)
        store.snapshot = next(snapshots)
        result = use_case.execute(pointer, deadline=deadline)
        if result.sent_parts != 1:
            raise RuntimeError(f"the turn answered nothing: {result}")
        return result

    return run


if __name__ == "__main__":
    print(measure())
