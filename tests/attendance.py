"""The attendants' door over a desk in memory: the real handler, asked as API Gateway asks it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest

from core.application.ports import MessageSender
from core.config.attendants import Registration, hash_of, write_attendants
from core.config.settings import DeskSettings
from core.domain.attendant import Attendant, Role
from core.integrations.wiring.attendants import DeskDependencies
from handlers import attendants as door
from tests.desk import Desk
from tests.fakes.media_fetcher import FakeMediaFetcher

BIA = Attendant(id="bia", name="Bia Lima", role=Role.ATENDENTE)
CAIO = Attendant(id="caio", name="Caio Sá", role=Role.ATENDENTE)
RUI = Attendant(id="rui", name="Rui Prado", role=Role.RESPONSAVEL)
TOKENS = {each.id: f"token-of-{each.id}" for each in (BIA, CAIO, RUI)}


class FakeSecrets:
    """`SecretSource` that holds who may attend, and can lose them."""

    def __init__(self) -> None:
        self.registered = [
            Registration(attendant=each, token_sha256=hash_of(TOKENS[each.id])) for each in (BIA, CAIO, RUI)
        ]
        self.error: Exception | None = None

    def prefetch(self, names: Any) -> list[str]:
        return []

    def get(self, name: str) -> str:
        if self.error is not None:
            raise self.error
        return write_attendants(tuple(self.registered)) if name == "ATTENDANTS" else "secret"

    def refresh(self, name: str, *, older_than_seconds: float = 0.0) -> str:
        return self.get(name)


class LambdaContext:
    """What Lambda gives beside an event."""

    aws_request_id = "r-1"

    def get_remaining_time_in_millis(self) -> int:
        return 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer as its client reads it; names of headers are lower case."""

    status: int
    headers: Mapping[str, str]
    cookies: tuple[str, ...]
    text: str
    is_base64: bool

    @property
    def content(self) -> bytes:
        return base64.b64decode(self.text) if self.is_base64 else self.text.encode()

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Door:
    """Calls with the token of one attendant, unless told otherwise."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
        self.desk = desk
        self.secrets = FakeSecrets()
        settings = DeskSettings(
            table_name="balcao",
            identity_key=desk.settings.identity_key,
            prompts_dir=desk.settings.prompts_dir,
            company=desk.settings.company,
            whatsapp=desk.settings.whatsapp,
            conversation=desk.policy,
        )
        deps = _Dependencies(
            settings=settings, store=desk.store, clock=desk.clock, catalog=desk.catalog, secrets=self.secrets
        )
        deps.use(desk.sender)
        self.media = FakeMediaFetcher()
        deps._given["fetcher"] = self.media
        self.deps = deps
        monkeypatch.setattr(door, "dependencies", lambda: deps)

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        who: str | None = "bia",
        headers: Mapping[str, str] | None = None,
        cookies: list[str] | None = None,
        raw: str | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Answered:
        """One request."""
        given = {"host": "api.example", **({"authorization": f"Bearer {TOKENS[who]}"} if who else {})}
        if body is not None or raw is not None:
            given["content-type"] = "application/json"
        event: dict[str, Any] = {
            "version": "2.0",
            "routeKey": "$default",
            "rawPath": path,
            "rawQueryString": urlencode(query or {}),
            "headers": {**given, **(headers or {})},
            "requestContext": {"http": {"method": method, "path": path}, "stage": "$default"},
            "isBase64Encoded": False,
        }
        if query:
            event["queryStringParameters"] = dict(query)
        if cookies:
            event["cookies"] = cookies
        if raw is not None or body is not None:
            event["body"] = raw if raw is not None else json.dumps(body)
        answer = door.handler(event, LambdaContext())
        return Answered(
            status=answer["statusCode"],
            headers={str(name).lower(): str(value) for name, value in answer["headers"].items()},
            cookies=tuple(answer.get("cookies", ())),
            text=answer.get("body") or "",
            is_base64=answer.get("isBase64Encoded") is True,
        )

    def get(self, path: str, **more: Any) -> Answered:
        return self.call("GET", path, **more)

    def post(self, path: str, body: Any = None, **more: Any) -> Answered:
        return self.call("POST", path, {} if body is None and "raw" not in more else body, **more)

    @property
    def home(self) -> str:
        """The path of the desk's conversation."""
        return f"/conversations/{self.desk.conversation}"


class _Dependencies(DeskDependencies):
    """With the desk's own sender. Frozen and slotted as its parent, so the sender lives at the class."""

    __slots__ = ()
    _given: dict[str, Any] = {}  # noqa: RUF012 -- one desk at a time

    def use(self, sender: MessageSender) -> None:
        self._given["sender"] = sender

    def fetcher(self) -> Any:
        return self._given.get("fetcher")

    @contextmanager
    def sender(self) -> Iterator[MessageSender]:  # type: ignore[override]
        yield self._given["sender"]
