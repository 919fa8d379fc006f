"""eGestor's API, request by request: its token, its limit, its errors (docs/egestor.md)."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from core.domain.errors import ErpError, IntegrationError
from core.integrations.http_client.deadline_client import deadline

WINDOW_SECONDS = 60.0
# It takes 60 a minute; two runs of the sweep may lie over each other, each in a process of its own.
MOST_IN_A_WINDOW = 28
# So few left by its own count, and nothing is asked until a window has passed: people use it too.
LEAST_REMAINING = 5
# A token is good for 900 s: it is not used to the last of them.
_TOKEN_MARGIN_SECONDS = 60.0
_BODY_BYTES = 2 * 1024 * 1024
_LASTING = frozenset({400, 405, 422})


@dataclass(slots=True)
class Pace:
    """When requests were made, and until when none is. Mutable, and of one process."""

    clock: Callable[[], float] = time.monotonic
    made: deque[float] = field(default_factory=deque)
    closed_until: float = 0.0

    def take(self) -> None:
        """Raises `ErpError`, busy, where one more would be one too many."""
        now = self.clock()
        while self.made and self.made[0] <= now - WINDOW_SECONDS:
            self.made.popleft()
        if now < self.closed_until or len(self.made) >= MOST_IN_A_WINDOW:
            raise ErpError("60 a minute", busy=True)
        self.made.append(now)

    def close(self) -> None:
        """Nothing for a window."""
        self.closed_until = self.clock() + WINDOW_SECONDS


@dataclass(slots=True)
class _Token:
    value: str = ""
    until: float = 0.0


class EgestorApi:
    """One request at a time, whoever asks. `personal_token(refetch)` is the account's own secret, read anew when True.

    Mutable: it keeps the access token and the pace. Connections are made for each stretch of work.
    """

    def __init__(
        self,
        *,
        base_url: str,
        personal_token: Callable[[bool], str],
        new_client: Callable[[], httpx2.Client],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = base_url.rstrip("/")
        self._personal_token = personal_token
        self._new_client = new_client
        self._clock = clock
        self._pace = Pace(clock=clock)
        self._token = _Token()
        self._one = threading.Lock()

    def together(self, seconds: float, work: Callable[[Call], int]) -> int:
        """`work` with the means to make requests, while nobody else makes any. Raises `ErpError`."""
        ends_at = self._clock() + seconds
        if not self._one.acquire(timeout=seconds):
            raise ErpError("another quote is being made", busy=True)
        try:
            left = ends_at - self._clock()
            if left <= 1.0:
                raise ErpError("another quote was being made", busy=True)
            with deadline(left), self._new_client() as client:
                return work(lambda *about, **kwargs: self._call(client, *about, **kwargs))
        finally:
            self._one.release()

    def _call(
        self,
        client: httpx2.Client,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Mapping[str, Any]:
        """The answer's object. A token that is refused is replaced, once."""
        for again in (False, True):
            token = self._access_token(client, refetch=again)
            headers = {"authorization": f"Bearer {token}", "accept": "application/json", "user-agent": "balcao"}
            response = self._send(client, method, f"{self._root}/v1/{path}", headers=headers, params=query, json=body)
            if response.status_code != 401 or again:
                break
            self._token = _Token()
        return _read(response, f"{method} {path}")

    def _access_token(self, client: httpx2.Client, *, refetch: bool) -> str:
        if self._clock() < self._token.until and not refetch:
            return self._token.value
        try:
            secret = self._personal_token(refetch)
        except IntegrationError:
            raise ErpError("personal token unreadable") from None
        about = {"grant_type": "personal", "personal_token": secret}
        headers = {"accept": "application/json", "user-agent": "balcao"}
        response = self._send(client, "POST", f"{self._root}/oauth/access_token", headers=headers, json=about)
        answer = _read(response, "POST access_token", lasting=frozenset())
        value, seconds = answer.get("access_token"), answer.get("expires_in")
        if not isinstance(value, str) or not value:
            raise ErpError("POST access_token: no token")
        lasts = float(seconds) if isinstance(seconds, int | float) else 0.0
        self._token = _Token(value=value, until=self._clock() + max(lasts - _TOKEN_MARGIN_SECONDS, 0.0))
        return value

    def _send(self, client: httpx2.Client, method: str, url: str, **about: Any) -> httpx2.Response:
        self._pace.take()
        try:
            response = client.request(method, url, **about)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
            raise ErpError(f"{method}: {type(error).__name__}") from None
        remaining = response.headers.get("x-ratelimit-remaining", "")
        if response.status_code == 429 or (remaining.isdigit() and int(remaining) < LEAST_REMAINING):
            self._pace.close()
        return response


# A request: its method and path, with `query` or `body`; the answer's object.
Call = Callable[..., Mapping[str, Any]]


def _read(response: httpx2.Response, about: str, *, lasting: frozenset[int] = _LASTING) -> Mapping[str, Any]:
    """Raises `ErpError` for everything that is no object of a 2xx. Its words are never repeated: they quote values."""
    status = response.status_code
    try:
        answer = response.json() if len(response.content) <= _BODY_BYTES else None
    except ValueError:
        answer = None
    if status == 429:
        raise ErpError(f"{about}: 429", busy=True)
    if not 200 <= status < 300:
        fields = ", ".join(_refused_fields(answer))
        label = f"{about}: {status} {fields}".strip()
        raise ErpError(label, lasting=status in lasting, gone=status == 410, missing=status == 404)
    if not isinstance(answer, dict):
        raise ErpError(f"{about}: unreadable answer")
    return answer


def _refused_fields(answer: object) -> list[str]:
    """The names of what it did not take, as far as they are names."""
    fields = answer.get("errFields") if isinstance(answer, dict) else None
    names = fields if isinstance(fields, dict | list) else ()
    return [name for name in names if isinstance(name, str) and name.isidentifier() and len(name) <= 40]
