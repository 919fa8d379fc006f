"""The providers' APIs on this machine, for real clients. A brain answers, unless a script or an ordered failure does.

POST   /v1/responses, /v1/chat/completions, /v1/messages
GET    /v1/models/{model}
GET    /calls      {"calls": [{"at", "model", "request", "answered_by", "status", "text", "usage"}, ...]}
DELETE /calls      forget them
POST   /control    any of:
    {"script": ["reply", {"text": "reply", "model": "...", "agent": "...", "contains": "..."}, ...]}
                   each answers one call, in order; with conditions, the first call that meets all of them.
                   `agent` is looked for in the cache key, `contains` in the whole prompt
    {"fail": {"times": 1, "model": "...", "agent": "...", "contains": "...", and one or more of:
              "http_status": 500, "code": "server_error"      an HTTP error; "retry_after": "20" is its header
              "malformed": true                               200 with a body that is no JSON
              "body": "<html>"                                200 with that body
              "error_inside": 500                             200 with the body of that error
              "usage": "missing" | "negative" | "text"        no usage, or one that nobody can believe
              "returned_model": "..."                         another model than asked
              "thinking": "..."                               thought before the text
              "refusal": "..."                                the model refuses
              "incomplete": "max_output_tokens"               cut short, with "text" as far as it got
              "failed": "server_error"                        200 with status failed
              "delay_seconds": 5, "drip_seconds": 0.5         late; byte by byte
              "close": "before"}}                             no answer (or "half" of one)
    {"reset": true}   forget all orders and calls
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .http_standin import Answer, Request, StandIn
from .model_apis import MODEL_APIS, ModelApi
from .responses_api import cached_tokens_of, error_body, prompt_of, refusal_content, text_content

Brain = Callable[[Mapping[str, Any]], str]

PROMPTS_KEPT = 200
_MODELS = "/v1/models/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An ordered answer and the calls that it is for (see the module)."""

    times: int = 1
    model: str = ""
    agent: str = ""
    contains: str = ""
    text: str | None = None
    http_status: int | None = None
    code: str = ""
    malformed: bool = False
    refusal: str = ""
    incomplete: str = ""
    failed: str = ""
    body: str | None = None
    error_inside: int | None = None
    usage: str = ""
    returned_model: str = ""
    thinking: str = ""
    retry_after: str = ""
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0
    close: str = ""

    def is_for(self, request: Mapping[str, Any], prompt: str) -> bool:
        """Whether it answers this call."""
        cache_key = str(request.get("prompt_cache_key") or "")
        return (
            self.model in ("", request.get("model"))
            and self.agent.lower() in cache_key.lower()
            and self.contains in prompt
        )


class ModelStandIn(StandIn):
    """See the module. `brain` turns a request into the raw reply, or raises: then the answer is a 500 that says so."""

    def __init__(self, brain: Brain, *, port: int = 0) -> None:
        super().__init__(port=port)
        self._brain = brain
        self._lock = threading.Lock()
        self._prompts: list[str] = []
        self._forget()

    def calls(self) -> list[dict[str, Any]]:
        """What was asked and answered, oldest first. No key is kept."""
        with self._lock:
            return list(self._calls)

    def control(self, orders: Mapping[str, Any]) -> None:
        """Obey orders (see the module). Raises ValueError or TypeError on one it does not know."""
        unknown = set(orders) - {"script", "fail", "reset"}
        if unknown:
            message = f"unknown orders: {sorted(unknown)}"
            raise ValueError(message)
        script = [Order(text=item) if isinstance(item, str) else Order(**item) for item in orders.get("script", [])]
        failures = [Order(**orders["fail"])] if "fail" in orders else []
        with self._lock:
            if orders.get("reset"):
                self._forget()
            self._failures += failures
            self._script += script

    def respond(self, request: Request) -> Answer:
        """See `StandIn.respond`."""
        route = (request.method, request.path)
        if request.method == "POST" and (api := MODEL_APIS.get(request.path)) is not None:
            return self._asked(api, request)
        if request.method == "GET" and request.path.startswith(_MODELS):
            return _model(request)
        if route == ("GET", "/calls"):
            return Answer.of({"calls": self.calls()})
        if route == ("DELETE", "/calls"):
            with self._lock:
                self._calls.clear()
            return Answer.of({})
        if route == ("POST", "/control"):
            return self._obey(request)
        return Answer.of(error_body(404, "unknown_url", f"Unknown request URL: {request.method}"), status=404)

    def _obey(self, request: Request) -> Answer:
        try:
            self.control(request.json())
        except (ValueError, TypeError, AttributeError) as error:
            return Answer.of({"error": str(error)}, status=400)
        return Answer.of({})

    def _asked(self, api: ModelApi, request: Request) -> Answer:
        if not api.key_of(request.headers):
            return _answer(api, api.error(401), status=401)
        try:
            asked = request.json()
        except ValueError:
            return _answer(api, api.error(400), status=400)
        if not isinstance(asked, dict) or not all(asked.get(name) for name in api.required):
            return _answer(api, api.error(400), status=400)
        read = api.as_responses(asked)
        prompt = prompt_of(read)
        with self._lock:
            failure = _take(self._failures, read, prompt)
            scripted = None if failure else _take(self._script, read, prompt)
            cached_tokens = cached_tokens_of(prompt, self._prompts)
            self._prompts = [*self._prompts[-PROMPTS_KEPT:], prompt]
        order, answered_by = failure or scripted, "failure" if failure else "script"
        if order is None:
            answered_by, order = self._thought(read)
        body = _body_of(api, asked, order, cached_tokens)
        status = order.http_status or 200
        self._remember(asked, answered_by, status, order, body.get("usage"))
        return _as_ordered(_answer(api, body, status=status, retry_after=order.retry_after), order)

    def _thought(self, asked: dict[str, Any]) -> tuple[str, Order]:
        try:
            return "brain", Order(text=self._brain(asked))
        except Exception as error:  # noqa: BLE001 - a brain that fails must show as a failing provider, not as a hang
            return f"brain failed: {type(error).__name__}: {error}", Order(http_status=500)

    def _remember(self, asked: dict[str, Any], answered_by: str, status: int, order: Order, usage: object) -> None:
        call = {
            "at": time.time(),
            "model": asked["model"],
            "request": asked,
            "answered_by": answered_by,
            "status": status,
            "text": "" if order.failed or status >= 400 else order.refusal or order.text or "",
            "usage": usage,
        }
        with self._lock:
            self._calls.append(call)

    def _forget(self) -> None:
        self._failures: list[Order] = []
        self._script: list[Order] = []
        self._calls: list[dict[str, Any]] = []
        self._prompts = []


def _model(request: Request) -> Answer:
    """What a provider tells of a model: every name is one here, whoever's key is brought."""
    api = MODEL_APIS["/v1/messages" if "x-api-key" in request.headers else "/v1/responses"]
    if not api.key_of(request.headers):
        return _answer(api, api.error(401), status=401)
    return _answer(api, {"id": request.path.removeprefix(_MODELS), "object": "model", "owned_by": "stand-in"})


def _take(orders: list[Order], request: Mapping[str, Any], prompt: str) -> Order | None:
    for index, order in enumerate(orders):
        if order.is_for(request, prompt):
            orders[index : index + 1] = [replace(order, times=order.times - 1)] if order.times > 1 else []
            return order
    return None


def _body_of(api: ModelApi, request: Mapping[str, Any], order: Order, cached_tokens: int) -> dict[str, Any]:
    status = order.http_status if order.http_status is not None else order.error_inside
    if status is not None and status >= 400:
        return api.error(status, order.code)
    content = refusal_content(order.refusal) if order.refusal else text_content(order.text or "")
    failed = {"failed_code": order.failed} if order.failed else {}
    body = api.answer(
        request, content, cached_tokens=cached_tokens, incomplete=order.incomplete, thinking=order.thinking, **failed
    )
    if order.returned_model:
        body["model"] = order.returned_model
    if order.usage:
        told = {"negative": -7, "text": "muitos"}.get(order.usage)
        body["usage"] = None if told is None else dict.fromkeys(api.usage_names, told)
    return body


def _as_ordered(answer: Answer, order: Order) -> Answer:
    if order.malformed:
        return replace(answer, body=b'{"id": "resp_')
    if order.body is not None:
        return replace(answer, body=order.body.encode())
    return replace(answer, delay_seconds=order.delay_seconds, drip_seconds=order.drip_seconds, close=order.close)


def _answer(api: ModelApi, data: object, *, status: int = 200, retry_after: str = "") -> Answer:
    headers = {api.request_id_header: f"req_{secrets.token_hex(16)}"}
    if retry_after:
        headers["retry-after"] = retry_after
    return Answer(status=status, body=json.dumps(data).encode(), headers=headers)
