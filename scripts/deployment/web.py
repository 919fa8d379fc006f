"""HTTP to the outside, as the user's machine reaches it: its proxy, its certificates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import httpx2

TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """`date` is the server's own (RFC 9110), "" where it tells none."""

    status: int
    body: bytes
    date: str = ""

    def json(self) -> Any:
        """The body as JSON, {} where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}


class UnreachableError(Exception):
    """There was no answer. The sentence names the kind of failure, and no address: it may hold a token."""


@cache
def _client(*, trust_env: bool) -> httpx2.Client:
    """One for all: reading the machine's certificates takes longer than most answers. No connection is kept."""
    return httpx2.Client(trust_env=trust_env, limits=httpx2.Limits(max_keepalive_connections=0))


def request(
    method: str,
    url: str,
    *,
    query: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    data: object = None,
    body: bytes | None = None,
    timeout_seconds: float = TIMEOUT_SECONDS,
) -> WebAnswer:
    """One request, with `data` as JSON or exactly the bytes of `body`. Raises `UnreachableError`."""
    is_here = url.startswith(("http://127.0.0.1", "http://localhost"))
    try:
        answer = _client(trust_env=not is_here).request(
            method, url, params=query, headers=headers, json=data, content=body, timeout=timeout_seconds
        )
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise UnreachableError(type(error).__name__) from None
    return WebAnswer(status=answer.status_code, body=answer.content, date=answer.headers.get("date", ""))
