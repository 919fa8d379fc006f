"""WhatsApp's Cloud API on this machine: takes what Meta would take, remembers it, and sends statuses back.

POST   /{version}/{phone_number_id}/messages   as at Meta: a message, or a read mark
POST   /{version}/{phone_number_id}/media      a file, which messages hold by its id (`graph_media`)
GET    /{version}/...                           what Meta tells of the account (`graph_account`)
GET    /outbox                                  {"messages": [...], "read_marks": [...], "refused": [...]}
DELETE /outbox                                  forget them
POST   /control                                 any of:
    {"webhook_url": "http://...", "app_secret": "..."}   where statuses go
    {"fail": {"code": 131056}}                  the next message gets this error (with "times": the next N)
    {"fail": {"http_status": 502}}              ... a gateway's page instead of JSON
    {"fail": {"delay_seconds": 3}}              ... is taken, and answered late
    {"fail": {"close": "before_recording"}}     ... meets a closed connection; "after_recording" takes it first
    {"fail": {..., "on": "read_mark"}}          the same for read marks, and with "upload" for files
    {"statuses": "withhold"}                    or "send"
    {"statuses": {"failed_code": 131026}}       the next message (or "times": the next N) fails after it was taken
    {"account": {"scopes": [], "is_subscribed": false, ...}}   what is wrong with the account (`graph_account`)
    {"reset": true}                             forget all of the above and the outbox
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .graph_account import GraphAccount, GraphError
from .graph_media import GraphMedia
from .http_standin import Answer, Request, StandIn
from .recorded_send import send_of
from .status_webhooks import StatusSender, Target, status_body
from .whatsapp_rules import RefusedError, check_message, http_status_of, title_of

PHONE_NUMBER_ID = "330000000000982"
DISPLAY_PHONE_NUMBER = "551130000450"

_EDGES = re.compile(r"/v\d+\.\d+/(\d+)/(messages|media)")
_PLANNED = ("message", "read_mark", "upload")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens to the next `times` messages, read marks or uploads."""

    times: int = 1
    on: str = "message"
    code: int | None = None
    http_status: int | None = None
    delay_seconds: float = 0.0
    close: str = ""


class WhatsAppStandIn(StandIn):
    """See the module. `access_token` None takes any bearer token."""

    def __init__(
        self,
        *,
        port: int = 0,
        access_token: str | None = None,
        phone_number_id: str = PHONE_NUMBER_ID,
        webhook_url: str = "",
        app_secret: str = "",
    ) -> None:
        super().__init__(port=port)
        self._access_token = access_token
        self._phone_number_id = phone_number_id
        self._lock = threading.Lock()
        self._statuses = StatusSender()
        self.account = self._new_account()
        self._media = GraphMedia()
        if webhook_url:
            self._aim(webhook_url, app_secret)
        self._forget()

    def start(self) -> None:
        """Listen, and begin to send statuses."""
        self._statuses.start()
        super().start()

    def stop(self) -> None:
        """Stop both."""
        self._statuses.stop()
        super().stop()

    def outbox(self) -> dict[str, list[dict[str, Any]]]:
        """What was sent, marked as read, and refused, oldest first."""
        with self._lock:
            return {name: list(kept) for name, kept in self._kept.items()}

    def control(self, orders: Mapping[str, Any]) -> None:
        """Obey orders (see the module). Raises ValueError on one it does not know."""
        unknown = set(orders) - {"webhook_url", "app_secret", "fail", "statuses", "account", "reset"}
        if unknown:
            message = f"unknown orders: {sorted(unknown)}"
            raise ValueError(message)
        with self._lock:
            if orders.get("reset"):
                self._forget()
                target = self._statuses.target
                self.account = self._new_account()
                if target:
                    self._aim(target.url, target.app_secret)
            if "webhook_url" in orders:
                self._aim(orders["webhook_url"], orders.get("app_secret", ""))
            for name, value in orders.get("account", {}).items():
                setattr(self.account, name, value)  # AttributeError for a name that it has not
            if "fail" in orders:
                self._plans.append(_plan_of(orders["fail"]))
            if "statuses" in orders:
                self._order_statuses(orders["statuses"])

    def respond(self, request: Request) -> Answer:
        """See `StandIn.respond`."""
        route = (request.method, request.path)
        if route == ("GET", "/outbox"):
            return Answer.of(self.outbox())
        if route == ("DELETE", "/outbox"):
            with self._lock:
                self._forget_outbox()
            return Answer.of({})
        if route == ("POST", "/control"):
            return self._obey(request)
        match = _EDGES.fullmatch(request.path)
        if request.method == "POST" and match is not None:
            return self._of_the_number(request, match[1], match[2])
        return self._media_answer(request) or self._account_answer(request)

    def _media_answer(self, request: Request) -> Answer | None:
        told = self._media.about(request, self.base_url) or self._media.content(request)
        if request.method != "GET" or told is None:
            return None
        return self._refused_token(request) or told

    def _account_answer(self, request: Request) -> Answer:
        try:
            told = self.account.answer(request)
        except GraphError as error:
            return _error(error.code, error.details, subcode=error.subcode)
        return _error(100, "Unsupported request") if told is None else Answer.of(told)

    def _aim(self, webhook_url: str, app_secret: str) -> None:
        self._statuses.target = Target(url=webhook_url, app_secret=app_secret)
        self.account.callback_url, self.account.app_secret = webhook_url, app_secret

    def _new_account(self) -> GraphAccount:
        return GraphAccount(
            access_token=self._access_token,
            phone_number_id=self._phone_number_id,
            display_phone_number=DISPLAY_PHONE_NUMBER,
        )

    def _obey(self, request: Request) -> Answer:
        try:
            self.control(request.json())
        except (ValueError, TypeError, AttributeError) as error:
            return Answer.of({"error": str(error)}, status=400)
        return Answer.of({})

    def _refused_token(self, request: Request) -> Answer | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not token or self._access_token not in (None, token):
            return _error(190, "Invalid OAuth access token - Cannot parse access token")
        return None

    def _of_the_number(self, request: Request, phone_number_id: str, edge: str) -> Answer:
        if (refused := self._refused_token(request)) is not None:
            return refused
        if phone_number_id != self._phone_number_id:
            return _error(100, f"Object with ID '{phone_number_id}' does not exist", subcode=33)
        try:
            if edge == "media":
                return self._upload(request)
            body = check_message(request.json())
            self._media.check(body)
        except ValueError:
            return _error(100, "The body is not JSON")
        except RefusedError as refused:
            with self._lock:
                self._kept["refused"].append({"at": time.time(), "code": refused.code, "details": refused.details})
            return _error(refused.code, refused.details)
        return self._read_mark(body) if "status" in body else self._message(body)

    def _upload(self, request: Request) -> Answer:
        with self._lock:
            plan = self._next_plan("upload")
        return _behaved(plan, Answer.of({"id": self._media.upload(request)}))

    def _read_mark(self, body: Mapping[str, Any]) -> Answer:
        with self._lock:
            plan = self._next_plan("read_mark")
            if not _fails_unrecorded(plan):
                mark = {"message_id": body["message_id"], "typing": "typing_indicator" in body}
                self._kept["read_marks"].append({"at": time.time(), **mark})
        return _behaved(plan, Answer.of({"success": True}))

    def _message(self, body: Mapping[str, Any]) -> Answer:
        send = send_of(body, self._phone_number_id)
        with self._lock:
            plan = self._next_plan("message")
            if not _fails_unrecorded(plan):
                self._kept["messages"].append(send)
                self._announce(send)
        contact = {"input": send["to"] or send["recipient"], "wa_id": send["to"].lstrip("+")}
        taken = {"messaging_product": "whatsapp", "contacts": [contact], "messages": [{"id": send["wamid"]}]}
        return _behaved(plan, Answer.of(taken))

    def _announce(self, send: dict[str, Any]) -> None:
        failed_code = self._failed_codes.pop(0) if self._failed_codes else None
        statuses = ("failed",) if failed_code is not None else ("sent", "delivered")
        for status in () if self._withheld else statuses:
            body = status_body(send, status, failed_code=failed_code, display_phone_number=DISPLAY_PHONE_NUMBER)
            self._statuses.post(body)

    def _next_plan(self, on: str) -> Plan:
        for index, plan in enumerate(self._plans):
            if plan.on == on:
                self._plans[index : index + 1] = [replace(plan, times=plan.times - 1)] if plan.times > 1 else []
                return plan
        return Plan()

    def _order_statuses(self, order: object) -> None:
        if order in ("withhold", "send"):
            self._withheld = order == "withhold"
        elif isinstance(order, dict) and isinstance(order.get("failed_code"), int):
            self._failed_codes += [order["failed_code"]] * int(order.get("times", 1))
        else:
            message = "statuses: 'withhold', 'send' or {'failed_code': ...}"
            raise ValueError(message)

    def _forget(self) -> None:
        self._plans: list[Plan] = []
        self._failed_codes: list[int] = []
        self._withheld = False
        self._forget_outbox()

    def _forget_outbox(self) -> None:
        self._kept: dict[str, list[dict[str, Any]]] = {"messages": [], "read_marks": [], "refused": []}


def _plan_of(order: Mapping[str, Any]) -> Plan:
    plan = Plan(**order)
    known = plan.close in ("", "before_recording", "after_recording") and plan.on in _PLANNED
    if not known:
        message = f"fail: close is before_recording or after_recording, on is one of {_PLANNED}"
        raise ValueError(message)
    return plan


def _fails_unrecorded(plan: Plan) -> bool:
    return plan.code is not None or plan.http_status is not None or plan.close == "before_recording"


def _behaved(plan: Plan, answer: Answer) -> Answer:
    if plan.code is not None:
        answer = _error(plan.code, title_of(plan.code))
    elif plan.http_status is not None:
        page = b"<html><body>upstream error</body></html>"
        answer = Answer(status=plan.http_status, body=page, headers={"content-type": "text/html"})
    return replace(answer, delay_seconds=plan.delay_seconds, close="before" if plan.close else "")


def _error(code: int, details: str, *, subcode: int | None = None) -> Answer:
    error: dict[str, Any] = {
        "message": f"(#{code}) {title_of(code)}",
        "type": "OAuthException",
        "code": code,
        "error_data": {"messaging_product": "whatsapp", "details": details},
        "fbtrace_id": "A" + secrets.token_urlsafe(16),
    }
    if subcode is not None:
        error["error_subcode"] = subcode
    return Answer.of({"error": error}, status=http_status_of(code))
