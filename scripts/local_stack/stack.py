"""A running stack, for those who talk to it: demo, chat, tests."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer

from .aws import client
from .environment import forget_user_accounts
from .errors import StackError
from .function_logs import LogLine, read_logs
from .http_calls import Reply, call, call_json
from .local_settings import DEFAULT_COMPANY
from .places import Places
from .state import StackState, read_state
from .webhook_signature import signed_headers

# The alias of template.yaml that everything calls: the version that serves.
SERVING = "live"


class Stack:
    """Everything goes over HTTP to the addresses of `state`."""

    def __init__(self, state: StackState) -> None:
        self.state = state
        self._clients: dict[str, Any] = {}

    # --- the webhook ---

    def post_webhook(self, body: bytes, *, signature: str | None = None, timeout_seconds: float = 60.0) -> Reply:
        """Post exactly these bytes, signed as Meta signs them (or with the signature given)."""
        headers = signed_headers(body, self.state.app_secret)
        if signature is not None:
            headers["x-hub-signature-256"] = signature
        return call("POST", self.state.webhook, body=body, headers=headers, timeout_seconds=timeout_seconds)

    def handshake(self, *, challenge: str = "1158201444", verify_token: str | None = None) -> Reply:
        """What Meta does when a webhook is registered."""
        token = self.state.verify_token if verify_token is None else verify_token
        asked = {"hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": challenge}
        return call("GET", f"{self.state.webhook}?{urlencode(asked)}")

    # --- those who attend ---

    def attend(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, token: str = "") -> Reply:
        """A call to the attendants' API, with the token of the stack's own attendant unless another is given."""
        headers = {"authorization": f"Bearer {token or self.state.attendant_token}"}
        sent = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            headers["content-type"] = "application/json"
        return call(method, f"{self.state.attendants_api}{path}", body=sent or None, headers=headers)

    # --- WhatsApp ---

    def outbox(self) -> list[dict[str, Any]]:
        """The messages that WhatsApp took, oldest first: wamid, to, text, payload, ..."""
        sent: list[dict[str, Any]] = self.whatsapp()["messages"]
        return sent

    def whatsapp(self) -> dict[str, list[dict[str, Any]]]:
        """All that reached WhatsApp: messages, read_marks, refused."""
        kept: dict[str, list[dict[str, Any]]] = call_json("GET", self.state.whatsapp_outbox)
        return kept

    def control_whatsapp(self, orders: Mapping[str, Any]) -> None:
        """See `whatsapp_standin`."""
        call_json("POST", self.state.whatsapp_control, orders)

    # --- the model ---

    def model_calls(self) -> list[dict[str, Any]]:
        """What the model stand-in was asked and answered; nothing when the real model is used."""
        if self.state.model_calls is None:
            return []
        calls: list[dict[str, Any]] = call_json("GET", self.state.model_calls)["calls"]
        return calls

    def control_model(self, orders: Mapping[str, Any]) -> None:
        """See `model_standin`. Raises `StackError` when the real model is used."""
        if self.state.model_control is None:
            message = "the real model cannot be told what to answer"
            raise StackError(message)
        call_json("POST", self.state.model_control, orders)

    # --- AWS ---

    def client(self, service: str) -> Any:
        """A boto3 client of the emulator, made once."""
        if service not in self._clients:
            self._clients[service] = client(service, self.state.endpoint)
        return self._clients[service]

    def table_items(self, pk: str | None = None) -> list[dict[str, Any]]:
        """The items of a conversation in order, or of the whole table, as the core's codec reads them."""
        dynamodb, read = self.client("dynamodb"), TypeDeserializer().deserialize
        asked: dict[str, Any] = {"TableName": self.state.table, "ConsistentRead": True}
        if pk is None:
            pages = dynamodb.get_paginator("scan").paginate(**asked)
        else:
            asked |= {"KeyConditionExpression": "pk = :pk"}
            asked |= {"ExpressionAttributeValues": {":pk": TypeSerializer().serialize(pk)}}
            pages = dynamodb.get_paginator("query").paginate(**asked)
        items = (item for page in pages for item in page["Items"])
        return [{name: _with_whole_numbers(read(value)) for name, value in item.items()} for item in items]

    def queue_depth(self, *, dead: bool = False) -> int:
        """Messages waiting or being worked on (or given up on). Delayed ones count."""
        names = [f"ApproximateNumberOfMessages{which}" for which in ("", "NotVisible", "Delayed")]
        url = self.state.dead_letter_queue if dead else self.state.queue
        found = self.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return sum(int(found.get(name, 0)) for name in names)

    def invoke(self, function: str, event: Mapping[str, Any]) -> Any:
        """Call a function ("webhook", "process", "sweep"); what it returns. Raises `StackError` when it fails."""
        name = self.function_names()[function]
        asked = {"FunctionName": name, "Qualifier": SERVING, "Payload": json.dumps(event).encode()}
        answer = self.client("lambda").invoke(**asked)
        returned = json.loads(answer["Payload"].read() or b"null")
        if "FunctionError" in answer:
            detail = returned.get("errorMessage") if isinstance(returned, dict) else returned
            message = f"the {function} function failed: {detail}"
            raise StackError(message, next_step="scripts/stack.py logs")
        return returned

    def function_names(self) -> dict[str, str]:
        """Our names to the deployed ones."""
        state = self.state
        return {
            "webhook": state.webhook_function,
            "process": state.process_function,
            "sweep": state.sweep_function,
            "attendants": state.attendants_function,
        }

    def logs(self, *, since_ms: int = 0) -> list[LogLine]:
        """What the functions logged, oldest first."""
        groups = {ours: f"/aws/lambda/{name}" for ours, name in self.function_names().items()}
        return read_logs(self.client("logs"), groups, since_ms=since_ms)

    @property
    def company(self) -> str:
        """Whose front desk it is."""
        return self.state.parameters.get("Company", DEFAULT_COMPANY)

    def serves(self, parameters: Iterable[tuple[str, str]], *, real_model: bool) -> bool:
        """Whether it was started with these wishes."""
        return self.state.asked == dict(parameters) and (self.state.model == "openai") == real_model

    def answers(self) -> bool:
        """Whether the emulator does."""
        try:
            return call("GET", f"{self.state.endpoint}/_ministack/health", timeout_seconds=2).status == 200
        except (OSError, http.client.HTTPException):
            return False


def attach(name: str = "stack") -> Stack:
    """The stack that `make stack` left running. Raises `StackError` when there is none."""
    forget_user_accounts()
    state = read_state(Places(name))
    if state is None or not state.is_running():
        message = "no local stack is running"
        raise StackError(message, next_step="make stack")
    return Stack(state)


def _with_whole_numbers(value: Any) -> Any:
    """The table holds no other numbers, and its reader makes a Decimal of each."""
    match value:
        case Decimal():
            return int(value)
        case dict():
            return {name: _with_whole_numbers(each) for name, each in value.items()}
        case list():
            return [_with_whole_numbers(each) for each in value]
        case _:
            return value
