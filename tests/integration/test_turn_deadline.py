"""A turn in real time, against a model server that hangs or drips, on a limit scaled from a minute to three seconds."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from core.agents.invoker import AgentInvokerImpl
from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.deadline import Deadline
from core.domain.handoff import HandoffReason
from core.integrations.openai_sdk.sdk_client import build_sdk_client
from core.integrations.system.clock import SystemClock
from tests.desk import Desk
from tests.effort import thorough
from tests.integration.wire_server import WireServer, drip, never_answer
from tests.model_clients import openai_client
from tests.neutral_company import catalog, prompts

pytestmark = pytest.mark.enable_socket

LIMIT_SECONDS, RESERVE_SECONDS = 3.0, 1.5

Behave = Callable[[socket.socket, threading.Event], None]


def slow_failure(connection: socket.socket, closing: threading.Event) -> None:
    closing.wait(0.8)
    connection.sendall(b"HTTP/1.1 500 Oops\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")


@pytest.fixture(params=[drip, *thorough([never_answer, slow_failure])], ids=lambda behave: behave.__name__)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk whose clock is the machine's and whose model is the real client of such a server."""
    server = WireServer(request.param)
    desk = Desk()
    desk.clock.advance(SystemClock().now_ms() - desk.clock.now_ms())
    sdk = build_sdk_client(api_key="sk-test", base_url=server.url, timeout_seconds=30)
    desk.llm = openai_client(sdk, timeout_seconds=30, retry_max=1)  # type: ignore[assignment]
    desk.invoker = AgentInvokerImpl(desk.llm, prompts(), catalog(), desk.settings.models)
    yield desk
    server.close()


def test_the_customer_and_the_people_are_told_before_the_limit(desk: Desk) -> None:
    pointer = desk.last_pointer = desk.record(desk.message("oi, quero instalar um split na loja"))
    clock = SystemClock()
    ends_at_ms = clock.now_ms() + round(LIMIT_SECONDS * 1000)
    deadline = Deadline(now_ms=clock.now_ms, ends_at_ms=ends_at_ms, reserve_ms=round(RESERVE_SECONDS * 1000))
    started = time.monotonic()
    result = desk.use_case().execute(pointer, deadline=deadline)
    assert time.monotonic() - started < LIMIT_SECONDS
    assert result.reason == HandoffReason.LLM_TIMEOUT
    assert len(desk.replies) == 1
    assert desk.head.mode is Mode.HUMAN
    effect = next(each for each in desk.store.effects(desk.conversation) if each.kind is EffectKind.HANDOFF)
    assert (effect.state, effect.payload["summary"]["failed"]) == (EffectState.DONE, True)
    assert all(call.wasted for call in desk.last_turn.calls)
