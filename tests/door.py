"""The webhook's door in memory: the real handler and use case over a desk, posted to as Meta does."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.application.intake.customer_ids import conversation_id
from core.application.intake.identity_links import read_home
from core.application.intake.take_batch import BatchIntake
from core.application.receive_webhook_use_case import ReceiveWebhookUseCase
from core.channels.whatsapp.signature import sign
from core.config.settings import DoorSettings, WhatsAppSettings
from core.domain.conversation import Head
from core.domain.messages import Sender
from core.domain.record_keys import conversation_of
from core.integrations.ssm.secret_source import SsmSecretSource
from core.integrations.wiring.door import DoorDependencies
from handlers import webhook
from tests.cases.webhook_files import RECEIVED_AT_MS
from tests.desk import PHONE_NUMBER_ID, Desk
from tests.fakes.inbound_queue import FakeInboundQueue

APP_SECRET, VERIFY_TOKEN = "segredo-do-aplicativo", "token-de-verificacao"
# The table in memory is safe under threads, so doors are tried with the threads that they have.
_EXECUTOR = ThreadPoolExecutor(max_workers=8, thread_name_prefix="door")


class Door:
    """`desk` is what stands behind it; `queue.taken` is what was enqueued. `secret` may hold two, as in a rotation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, desk: Desk | None = None, *, secret: str = APP_SECRET) -> None:
        self.desk = desk or Desk()
        self.desk.clock.advance(RECEIVED_AT_MS - self.desk.clock.now_ms())
        self.queue = FakeInboundQueue()
        self.batches = BatchIntake(intake=self.desk.intake, store=self.desk.store, executor=_EXECUTOR)
        self.environ = {"WHATSAPP_APP_SECRET": secret}
        settings = self.desk.settings
        self.dependencies = DoorDependencies(
            use_case=ReceiveWebhookUseCase(batches=self.batches, queue=self.queue),
            settings=DoorSettings(
                table_name=settings.table_name,
                queue_url=settings.queue_url,
                identity_key=settings.identity_key,
                whatsapp=WhatsAppSettings(phone_number_id=PHONE_NUMBER_ID, verify_token=VERIFY_TOKEN),
                conversation=settings.conversation,
            ),
            clock=self.desk.clock,
            secrets=SsmSecretSource(self.environ, ssm_client=lambda: None),
        )
        monkeypatch.setattr(webhook, "dependencies", lambda: self.dependencies)

    def post(self, body: bytes | dict[str, Any], *, secret: str = APP_SECRET, encoded: bool = False) -> int:
        """A signed body; the status that Meta reads."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return int(self.send(event(raw, signature=sign(raw, secret), encoded=encoded))["statusCode"])

    def send(self, raw_event: Any) -> dict[str, Any]:
        """Any event at all."""
        return webhook.handler(raw_event, None)

    def process_all(self) -> list[str]:
        """Every pointer that was enqueued, as the process function takes them, and what became of each."""
        taken, self.queue.taken = self.queue.taken, []
        return [self.desk.process(pointer).outcome.value for pointer in taken]

    def heads(self) -> dict[str, Head]:
        """Every conversation that the table knows, aliases left out."""
        store = self.desk.store
        known = {conversation_of(pk) for pk, _ in store._items}
        return {each: store.head(each) for each in sorted(known) if store.head(each).moved_to is None}

    def recorded(self) -> list[str]:
        """The kinds on every log, sorted."""
        inbounds = [entry for each in self.heads() for entry in self.desk.store.inbounds(each)]
        return sorted(entry.message.kind.value for entry in inbounds)

    def conversation(self, *, phone: str | None = None, bsuid: str | None = None) -> str:
        """Where a person's conversation is by now."""
        key = self.desk.settings.identity_key
        return read_home(
            self.desk.store, conversation_id(Sender(phone=phone, bsuid=bsuid), PHONE_NUMBER_ID, key)
        ).conversation


def event(
    body: bytes, *, signature: str | None, header: str = "x-hub-signature-256", encoded: bool = False
) -> dict[str, Any]:
    """API Gateway's HTTP event, payload 2.0."""
    return {
        "version": "2.0",
        "rawPath": "/webhook",
        "requestContext": {"http": {"method": "POST", "path": "/webhook"}},
        "headers": {"content-type": "application/json"} | ({} if signature is None else {header: signature}),
        "body": base64.b64encode(body).decode() if encoded else body.decode("utf-8", "surrogateescape"),
        "isBase64Encoded": encoded,
    }


def text_body(*texts: str, phone: str = "5511980000101", user_id: str | None = "BR.7100000000000101") -> dict[str, Any]:
    """Messages of one customer in one body."""
    return messages_body([text_item(text, phone=phone, user_id=user_id) for text in texts])


def text_item(text: str, *, phone: str | None, user_id: str | None, at: int = RECEIVED_AT_MS // 1000) -> dict[str, Any]:
    item: dict[str, Any] = {"id": f"wamid.{text}", "timestamp": str(at), "type": "text", "text": {"body": text}}
    return item | ({"from": phone} if phone else {}) | ({"from_user_id": user_id} if user_id else {})


def messages_body(items: list[dict[str, Any]], *, field: str = "messages", key: str = "messages") -> dict[str, Any]:
    value = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": PHONE_NUMBER_ID}, key: items}
    changes = [{"field": field, "value": value}]
    return {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": changes}]}


def status_body(
    status: str, *, callback: str | None, code: int | None = None, provider_id: str = "wamid.fake-1"
) -> Any:
    """A status of a message of ours."""
    item: dict[str, Any] = {"id": provider_id, "status": status, "timestamp": str(RECEIVED_AT_MS // 1000)}
    if callback:
        item["biz_opaque_callback_data"] = callback
    if code is not None:
        item["errors"] = [{"code": code, "title": "Not delivered"}]
    return messages_body([item], key="statuses")
