"""The real SDK against a server that misbehaves on the wire: the caller's budget holds whatever the server does."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from core.domain.errors import LLMError
from core.domain.llm import LLMFailure
from core.integrations.openai_sdk.sdk_client import build_sdk_client
from tests.integration.wire_server import HEAD, WireServer, drip, never_answer
from tests.model_clients import openai_client

pytestmark = pytest.mark.enable_socket

BUDGET_SECONDS = 0.6


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[socket.socket, threading.Event], None]], WireServer]]:
    servers: list[WireServer] = []

    def start(behave: Callable[[socket.socket, threading.Event], None]) -> WireServer:
        servers.append(WireServer(behave))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def close_half_way(connection: socket.socket, _closing: threading.Event) -> None:
    connection.sendall(HEAD + b'{"id": "resp_')


@pytest.mark.parametrize(
    ("behave", "failure"),
    [
        pytest.param(drip, LLMFailure.TIMEOUT, id="a server that drips bytes"),
        pytest.param(never_answer, LLMFailure.TIMEOUT, id="a server that never answers"),
        pytest.param(close_half_way, LLMFailure.CONNECTION, id="a server that closes half-way"),
    ],
)
def test_the_budget_holds_and_the_failure_has_its_kind(
    serve: Callable[[Callable[[socket.socket, threading.Event], None]], WireServer],
    behave: Callable[[socket.socket, threading.Event], None],
    failure: LLMFailure,
) -> None:
    server = serve(behave)
    sdk = build_sdk_client(api_key="sk-test", base_url=server.url, timeout_seconds=30)
    started = time.monotonic()
    with pytest.raises(LLMError) as caught:
        openai_client(sdk, timeout_seconds=30, retry_max=1).chat(
            model="gpt-x", messages=[{"role": "user", "content": "oi"}], timeout_seconds=BUDGET_SECONDS
        )
    assert caught.value.failure is failure
    assert time.monotonic() - started < BUDGET_SECONDS + 5  # far from the SDK's own 30 s, whatever the machine's load


def test_the_sdk_never_retries_by_itself(
    serve: Callable[[Callable[[socket.socket, threading.Event], None]], WireServer],
) -> None:
    def overloaded(connection: socket.socket, _closing: threading.Event) -> None:
        connection.sendall(
            b"HTTP/1.1 503 Busy\r\nRetry-After: 100\r\nContent-Length: 2\r\nConnection: close\r\n"
            b"Content-Type: application/json\r\n\r\n{}"
        )

    server = serve(overloaded)
    sdk = build_sdk_client(api_key="sk-test", base_url=server.url, timeout_seconds=5)
    with pytest.raises(LLMError):
        openai_client(sdk, timeout_seconds=5, retry_max=0).chat(
            model="gpt-x", messages=[{"role": "user", "content": "oi"}]
        )
    assert server.connections == 1
