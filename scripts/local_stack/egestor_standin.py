"""eGestor on this machine: contacts, products and sales as its public documentation describes them.

POST   /api/oauth/access_token                 a token, good for 900 s
GET    /api/v1/contatos?telefone=|filtro=       a page of 50; both look for what merely holds the text
POST   /api/v1/contatos, /api/v1/vendas         a new one each time it is asked: there is no idempotency
GET    /api/v1/vendas?filtro=                   by code, tags and the customer's name
GET    /api/v1/produtos/{code}, /servicos/{code}
GET    /outbox                                  {"contacts": [...], "sales": [...], "requests": N}
DELETE /outbox                                  forget them
POST   /control                                 any of:
    {"fail": {"status": 500}}                   the next request (with "times": the next N; "on": "POST vendas") fails
    {"fail": {"lost": true}}                    ... is done, and its answer lost; "before": true: not even done
    {"fail": {"delay_seconds": 3}}              ... is answered late
    {"forget_tokens": true}                     every token is refused from now on
    {"delete_contact": 1}                       who was deleted: 410
    {"products": {"101": 250.0}}                the catalogue's prices
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .http_standin import Answer, Request, StandIn

PERSONAL_TOKEN = "token-stand-in"  # noqa: S105 -- opens nothing
TOKEN_SECONDS, WINDOW_SECONDS, PER_WINDOW, PAGE = 900, 60, 60, 50
_REQUIRED = {"contatos": ("nome", "tipo"), "vendas": ("codContato", "dtVenda")}
_NAME_MAX = 60


@dataclass(slots=True)
class Plan:
    """What happens to the next `times` requests, of one kind or of any."""

    times: int = 1
    on: str = ""
    status: int = 0
    lost: bool = False
    before: bool = False
    delay_seconds: float = 0.0


@dataclass
class EgestorAccount:
    """One account, without a socket. Mutable; several threads may ask."""

    clock: Callable[[], float] = time.monotonic
    personal_token: str = PERSONAL_TOKEN
    contacts: list[dict[str, Any]] = field(default_factory=list)
    sales: list[dict[str, Any]] = field(default_factory=list)
    products: dict[int, float] = field(default_factory=dict)
    deleted: set[int] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tokens: dict[str, float] = {}
        self._made = 0
        self._window: deque[float] = deque()
        self._lock = threading.RLock()

    def respond(self, request: Request) -> Answer:
        """The answer to a request; `close` says that it is lost."""
        with self._lock:
            if request.path in ("/outbox", "/control"):
                return self._aside(request)
            name = f"{request.method} {request.path.removeprefix('/api/v1/').removeprefix('/api/oauth/').split('/')[0]}"
            self.asked.append(name)
            plan = self._plan_for(name)
            if plan is not None and plan.before:
                return Answer(close="before")
            if plan is not None and plan.status:
                return _error(plan.status)
            answer = self._limited(request)
            if plan is None:
                return answer
            close = "before" if plan.lost else ""
            return Answer(
                status=answer.status,
                body=answer.body,
                headers=answer.headers,
                delay_seconds=plan.delay_seconds,
                close=close,
            )

    def _limited(self, request: Request) -> Answer:
        now = self.clock()
        while self._window and self._window[0] <= now - WINDOW_SECONDS:
            self._window.popleft()
        left = PER_WINDOW - len(self._window) - 1
        if left < 0:
            return _error(429)
        self._window.append(now)
        answer = self._route(request)
        headers = {"X-RateLimit-Limit": str(PER_WINDOW), "X-RateLimit-Remaining": str(left)}
        return Answer(status=answer.status, body=answer.body, headers=headers)

    def _route(self, request: Request) -> Answer:
        if request.path == "/api/oauth/access_token":
            return self._token(request)
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._tokens.get(bearer, 0.0) <= self.clock():
            return _error(401)
        kind, _, code = request.path.removeprefix("/api/v1/").partition("/")
        answer = self._read(request, kind, code) if request.method == "GET" else None
        if request.method == "POST" and kind in _REQUIRED and not code:
            answer = self._create(kind, request)
        return answer or _error(405)

    def _read(self, request: Request, kind: str, code: str) -> Answer | None:
        if kind == "contatos":
            return _page(self._contacts(request), request)
        if kind == "vendas":
            wanted = _asked(request, "filtro")
            return _page([each for each in self.sales if wanted in (str(each["codigo"]), *each["tags"])], request)
        if kind == "produtos" and code.isdigit() and int(code) in self.products:
            return Answer.of({"codigo": int(code), "precoVenda": self.products[int(code)]})
        return _error(404) if kind in ("produtos", "servicos") else None

    def _token(self, request: Request) -> Answer:
        asked = _object(request)
        if asked.get("grant_type") != "personal" or asked.get("personal_token") != self.personal_token:
            return _error(401)
        self._made += 1
        token = f"access-{self._made}"
        self._tokens[token] = self.clock() + TOKEN_SECONDS
        return Answer.of({"access_token": token, "token_type": "Bearer", "expires_in": TOKEN_SECONDS})

    def _contacts(self, request: Request) -> list[dict[str, Any]]:
        there = [each for each in self.contacts if each["codigo"] not in self.deleted]
        if phone := _asked(request, "telefone"):
            return [each for each in there if any(phone in fone for fone in each.get("fones", ()))]
        wanted = _asked(request, "filtro")
        return [each for each in there if wanted in each["nome"] or wanted in each.get("tags", ())]

    def _create(self, kind: str, request: Request) -> Answer:
        wanted = _object(request)
        missing = [name for name in _REQUIRED[kind] if not wanted.get(name)]
        if missing:
            return _error(400, missing)
        if kind == "contatos":
            wrong = ["nome"] if len(wanted["nome"]) > _NAME_MAX else []
            wrong += ["cpfcnpj"] if len(wanted.get("cpfcnpj", "0" * 11)) not in (11, 14) else []
            if wrong:
                return _error(422, wrong)
            row = {"fones": [], "tags": [], **wanted, "codigo": len(self.contacts) + 1}
            self.contacts.append(row)
            return Answer.of({"codigo": row["codigo"], "nome": row["nome"]})
        if wanted["codContato"] in self.deleted:
            return _error(410)
        row = {"tags": [], **wanted, "codigo": len(self.sales) + 1001}
        self.sales.append(row)
        return Answer.of({"codigo": row["codigo"], "dtVenda": row["dtVenda"], "valorTotal": 0})

    def _plan_for(self, name: str) -> Plan | None:
        plan = next((each for each in self.plans if each.on in ("", name)), None)
        if plan is not None:
            plan.times -= 1
            if plan.times <= 0:
                self.plans.remove(plan)
        return plan

    def _aside(self, request: Request) -> Answer:
        if request.path == "/control":
            self.control(_object(request))
        elif request.method == "DELETE":
            self.contacts.clear()
            self.sales.clear()
            self.asked.clear()
        return Answer.of({"contacts": self.contacts, "sales": self.sales, "requests": len(self.asked)})

    def control(self, orders: Mapping[str, Any]) -> None:
        """See the module."""
        if "fail" in orders:
            self.plans.append(Plan(**orders["fail"]))
        if orders.get("forget_tokens"):
            self._tokens.clear()
        if "delete_contact" in orders:
            self.deleted.add(int(orders["delete_contact"]))
        self.products |= {int(code): float(price) for code, price in orders.get("products", {}).items()}


class EgestorStandIn(StandIn):
    """The account behind a socket; `{base_url}/api` is its address."""

    def __init__(self, *, port: int = 0, account: EgestorAccount | None = None) -> None:
        super().__init__(port=port)
        self.account = account or EgestorAccount()

    def respond(self, request: Request) -> Answer:
        """See `EgestorAccount.respond`."""
        return self.account.respond(request)


def _object(request: Request) -> dict[str, Any]:
    try:
        found = request.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _asked(request: Request, name: str) -> str:
    return request.query.get(name, [""])[0]


def _page(rows: list[dict[str, Any]], request: Request) -> Answer:
    number = int(_asked(request, "page") or "1")
    newest_first = rows[::-1]
    data = newest_first[(number - 1) * PAGE : number * PAGE]
    last = max((len(rows) + PAGE - 1) // PAGE, 1)
    # as documented: codes of contacts are texts in lists and numbers elsewhere
    shown = [{**row, "codigo": str(row["codigo"])} for row in data]
    return Answer.of({"total": len(rows), "per_page": PAGE, "current_page": number, "last_page": last, "data": shown})


def _error(status: int, fields: list[str] | None = None) -> Answer:
    told = {"errCode": status, "errMsg": "recusado", "errObs": None, "errFields": fields}
    return Answer.of(told, status=status)
