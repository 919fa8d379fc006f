"""WhatsApp's doors: HTTP (Meta) and SNS (AWS End User Messaging). Verified, recorded, enqueued, answered; no more.

The HTTP door checks the signature over the exact bytes. The SNS door needs none: only its topic may invoke it.
"""

from __future__ import annotations

from handlers.start_up import prepare

prepare()

import base64
import binascii
from collections.abc import Mapping
from functools import cache
from typing import Any

from core.application.intake.inbound_batch import WebhookBatch
from core.application.receive_webhook_use_case import WebhookReceipt
from core.channels.whatsapp.inbound.social_event import parse_social_event
from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body
from core.channels.whatsapp.signature import answer_challenge, is_signature, verify_signature
from core.domain.errors import BadInputError, IntegrationError
from core.integrations.wiring.door import DoorDependencies, build_door_dependencies
from handlers.invocation import observed, tell_start_up_failed
from handlers.logs import build_logger, fault_fields
from handlers.self_check import answer, is_asked

# Meta's bodies stay far below; API Gateway itself stops at 10 MB.
BODY_MAX_BYTES = 3 * 1024 * 1024

_log = build_logger()

Response = dict[str, Any]


@cache
def dependencies() -> DoorDependencies:
    """Made once per environment, at the first event: a setting that is wrong says so in the log, not at import."""
    return build_door_dependencies()


@observed
def handler(event: dict[str, Any], context: Any) -> Response:
    """API Gateway HTTP API, payload 2.0. GET: the handshake. POST: a body; 200, 401, 413, or 5xx to have it again."""
    del context
    if is_asked(event):
        return answer("webhook", lambda: dependencies().settings, "table", "queue")
    try:
        deps = _dependencies()
    except Exception:  # noqa: BLE001 -- the door, as below; what it was has been told
        return _answer(500, "internal error")
    try:
        return _handshake(event, deps) if _method(event) == "GET" else _receive(event, deps)
    except Exception as error:  # noqa: BLE001 -- the door: Meta sends again what was answered with a 5xx
        _log.error("webhook_failed", extra=fault_fields(error))
        return _answer(500, "internal error")


@observed
def social_handler(event: dict[str, Any], context: Any) -> None:
    """SNS: events of AWS End User Messaging. Raises when an item must come again: SNS's invocation is then repeated."""
    del context
    deps = _dependencies()
    try:
        batch = parse_social_event(event, received_at_ms=deps.clock.now_ms())
    except BadInputError as error:
        _log.error("social_event_refused", extra={"reason": error.reason})
        return
    if _take(batch, deps).failed:
        raise IntegrationError("a part of the event could not be taken")


def _dependencies() -> DoorDependencies:
    try:
        return dependencies()
    except Exception as error:
        tell_start_up_failed(error)
        raise


def _handshake(event: Mapping[str, Any], deps: DoorDependencies) -> Response:
    query = event.get("queryStringParameters")
    challenge = answer_challenge(query if isinstance(query, Mapping) else None, deps.settings.whatsapp.verify_token)
    if challenge is None:
        _log.warning("webhook_handshake_refused")
        return _answer(403, "forbidden")
    return _answer(200, challenge)


def _receive(event: Mapping[str, Any], deps: DoorDependencies) -> Response:
    header = _header(event, "x-hub-signature-256")
    if not is_signature(header):
        return _refuse(401, "signature_missing")
    body = _exact_bytes(event)
    if body is None:
        return _refuse(400, "body_not_base64")
    if len(body) > BODY_MAX_BYTES:
        return _refuse(413, "body_too_large")
    if not _is_verified(deps, body, header):
        return _refuse(401, "signature")
    try:
        batch = parse_webhook_body(body, received_at_ms=deps.clock.now_ms())
    except BadInputError as error:
        # Signed and unreadable: sending it again would change nothing.
        _log.error("webhook_ignored", extra={"reason": error.reason, "bytes": len(body)})
        return _answer(200, "ignored")
    return _answer(500, "try again") if _take(batch, deps).failed else _answer(200, "ok")


def _take(batch: WebhookBatch, deps: DoorDependencies) -> WebhookReceipt:
    receipt = deps.use_case.execute(batch)
    _log.info(
        "webhook_received",
        extra={
            "recorded": receipt.recorded,
            "enqueued": receipt.enqueued,
            "statuses": receipt.statuses,
            "failed": receipt.failed,
        },
    )
    return receipt


def _is_verified(deps: DoorDependencies, body: bytes, header: str | None) -> bool:
    """A signature that nothing known has made may be made with a secret that was rotated since."""
    if verify_signature(body, header, deps.app_secrets()):
        return True
    return verify_signature(body, header, deps.app_secrets(refresh=True))


def _exact_bytes(event: Mapping[str, Any]) -> bytes | None:
    """The bytes that were signed: never a body that was parsed and written again. None for what is no base64."""
    raw = event.get("body") or ""
    if not isinstance(raw, str):
        return None
    if event.get("isBase64Encoded") is not True:
        return raw.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError):
        return None


def _method(event: Mapping[str, Any]) -> str:
    request = event.get("requestContext")
    http = request.get("http") if isinstance(request, Mapping) else None
    return str(http.get("method") if isinstance(http, Mapping) else "POST").upper()


def _header(event: Mapping[str, Any], name: str) -> str | None:
    headers = event.get("headers")
    found = headers.items() if isinstance(headers, Mapping) else ()
    return next((value for key, value in found if str(key).lower() == name), None)


def _refuse(status: int, reason: str) -> Response:
    _log.warning("webhook_refused", extra={"reason": reason})
    return _answer(status, "refused")


def _answer(status: int, text: str) -> Response:
    return {"statusCode": status, "headers": {"content-type": "text/plain; charset=utf-8"}, "body": text}
