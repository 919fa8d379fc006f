"""HTTP calls to this machine: no proxy, no redirect, nothing kept alive."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An HTTP response, read to its end."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()

    def json(self) -> Any:
        """The body as JSON. Raises ValueError."""
        return json.loads(self.body)


def call(
    method: str,
    url: str,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    timeout_seconds: float = 30.0,
) -> Reply:
    """One request. Raises OSError or http.client.HTTPException when there is no answer."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_seconds)
    try:
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request(method, target, body=body, headers=dict(headers or {}))
        response = connection.getresponse()
        return Reply(status=response.status, body=response.read(), headers=tuple(response.getheaders()))
    finally:
        connection.close()


def call_json(method: str, url: str, data: object | None = None, *, timeout_seconds: float = 30.0) -> Any:
    """Send and receive JSON. Raises OSError when the answer is no 2xx."""
    body = None if data is None else json.dumps(data).encode()
    reply = call(method, url, body=body, headers={"content-type": "application/json"}, timeout_seconds=timeout_seconds)
    if reply.status // 100 != 2:
        message = f"{method} {url}: HTTP {reply.status}"
        raise OSError(message)
    return reply.json()
