"""The status webhooks that WhatsApp sends about a message it took: sent, delivered or failed."""

from __future__ import annotations

import http.client
import json
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .http_calls import call
from .webhook_signature import signed_headers
from .whatsapp_rules import title_of

RETRY_SECONDS = (0.2, 1.0, 3.0)
ACCOUNT_ID = "210000000000451"
_HREF = "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes/"
_PRICING = {"billable": False, "pricing_model": "PMP", "category": "service", "type": "free_customer_service"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where webhooks go, and the secret that signs them."""

    url: str
    app_secret: str


def status_body(send: Mapping[str, Any], status: str, *, failed_code: int | None, display_phone_number: str) -> bytes:
    """One status, as Meta words it; our own id comes back as it was sent."""
    item: dict[str, Any] = {"id": send["wamid"], "status": status, "timestamp": str(int(time.time()))}
    item["recipient_id"] = send["to"].lstrip("+")
    if send["recipient"]:
        item["recipient_user_id"] = send["recipient"]
    if send["callback_data"] is not None:
        item["biz_opaque_callback_data"] = send["callback_data"]
    if failed_code is None:
        item["pricing"] = _PRICING
    else:
        title = title_of(failed_code)
        error = {"code": failed_code, "title": title, "message": title, "error_data": {"details": title}, "href": _HREF}
        item["errors"] = [error]
    metadata = {"display_phone_number": display_phone_number, "phone_number_id": send["phone_number_id"]}
    value = {"messaging_product": "whatsapp", "metadata": metadata, "statuses": [item]}
    entry = {"id": ACCOUNT_ID, "changes": [{"value": value, "field": "messages"}]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


class StatusSender:
    """Posts bodies in order from a thread of its own; again a few times when the webhook does not say 2xx."""

    def __init__(self) -> None:
        self.target: Target | None = None
        self._bodies: queue.Queue[bytes | None] = queue.Queue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin to post."""
        self._thread.start()

    def stop(self) -> None:
        """Post nothing more."""
        self._stopping.set()
        self._bodies.put(None)
        self._thread.join(timeout=5)

    def post(self, body: bytes) -> None:
        """Queue a body; dropped when nobody listens."""
        if self.target is not None:
            self._bodies.put(body)

    def _run(self) -> None:
        while not self._stopping.is_set():
            body = self._bodies.get()
            target = self.target
            if body is not None and target is not None:
                self._deliver(body, target)

    def _deliver(self, body: bytes, target: Target) -> None:
        for pause in (*RETRY_SECONDS, None):
            try:
                reply = call("POST", target.url, body=body, headers=signed_headers(body, target.app_secret))
            except (OSError, http.client.HTTPException):
                reply = None
            if (reply is not None and reply.status // 100 == 2) or pause is None or self._stopping.wait(pause):
                return
