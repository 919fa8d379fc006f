"""An HTTP client whose requests end at a deadline.

httpx2's timeouts are for each phase: a server that drips a byte a second outlives them. A send has side effects, so it
is never abandoned in a thread: here every read, write and connect asks how much time is left.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import httpcore2
import httpx2

_CONNECT_SECONDS = 2.0
# Above the pause between two typing signs: the answer takes the connection that they opened.
_KEPT_SECONDS = 60.0
_MOST_CONNECTIONS = 32  # above the threads of every function
_ends_at: ContextVar[float | None] = ContextVar("send_ends_at", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Requests of this thread raise httpx2's timeouts once `seconds` have passed."""
    token = _ends_at.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends_at.reset(token)


def time_is_left() -> bool:
    """Whether a request begun now could still be written."""
    ends_at = _ends_at.get()
    return ends_at is None or ends_at > time.monotonic()


class DeadlineClients:
    """Makes clients with fresh connection pools. The TLS context, slow to build, is made once and shared."""

    def __init__(self) -> None:
        self._ssl_context = httpx2.create_ssl_context(trust_env=False)

    def __call__(self) -> httpx2.Client:
        return httpx2.Client(
            transport=_DeadlineTransport(self._ssl_context),
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),
            headers={"accept-encoding": "identity"},
            trust_env=False,
            follow_redirects=False,
        )


class _DeadlineTransport(httpx2.HTTPTransport):
    def __init__(self, ssl_context: ssl.SSLContext) -> None:
        super().__init__(verify=ssl_context, trust_env=False)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=ssl_context,
            max_connections=_MOST_CONNECTIONS,
            max_keepalive_connections=_MOST_CONNECTIONS,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=_DeadlineBackend(),
        )


class _DeadlineBackend(httpcore2.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(super().connect_tcp(host, port, left, local_address, socket_options))


class _DeadlineStream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(timeout: float | None, error: type[httpcore2.TimeoutException]) -> float | None:
    ends_at = _ends_at.get()
    if ends_at is None:
        return timeout
    left = ends_at - time.monotonic()
    if left <= 0:
        raise error("the deadline has passed")
    return left if timeout is None else min(timeout, left)
