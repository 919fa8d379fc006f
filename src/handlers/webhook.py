"""HTTP door of WhatsApp's webhooks: verified over the exact bytes, recorded, enqueued, answered. Nothing after that."""

from __future__ import annotations

import base64
import binascii
from functools import cache
from typing import Any

from core.application.meta_webhook.webhook_body import parse_webhook_body
from core.domain.errors import BadInputError
from core.integrations.door_factory import DoorDependencies, build_door_dependencies
from core.integrations.whatsapp.signature import answer_challenge, verify_signature
from handlers.observability import build_logger, fault_fields

# Meta's bodies stay far below; API Gateway itself stops at 10 MB.
BODY_MAX_BYTES = 3 * 1024 * 1024

_log = build_logger()

Response = dict[str, Any]


@cache
def dependencies() -> DoorDependencies:
    """Made once per environment, at the first event: a setting that is wrong says so in the log, not at import."""
    return build_door_dependencies()


def handler(event: dict[str, Any], context: Any) -> Response:
    """API Gateway HTTP API, payload 2.0. GET: the handshake. POST: a body; 200, 401, 413, or 5xx to have it again."""
    del context
    method = event.get("requestContext", {}).get("http", {}).get("method", "POST").upper()
    try:
        return _handshake(event) if method == "GET" else _receive(event)
    except Exception as error:  # noqa: BLE001 -- the door: Meta sends again what was answered with a 5xx
        _log.error("webhook_failed", extra=fault_fields(error))
        return _answer(500, "internal error")


def _handshake(event: dict[str, Any]) -> Response:
    deps = dependencies()
    challenge = answer_challenge(event.get("queryStringParameters"), deps.settings.whatsapp.verify_token)
    if challenge is None:
        _log.warning("webhook_handshake_refused")
        return _answer(403, "forbidden")
    return _answer(200, challenge)


def _receive(event: dict[str, Any]) -> Response:
    deps = dependencies()
    body = _exact_bytes(event)
    if body is None or len(body) > BODY_MAX_BYTES:
        _log.warning("webhook_refused", extra={"reason": "body_too_large" if body else "body_not_base64"})
        return _answer(413 if body else 400, "refused")
    if not _verified(deps, body, _header(event, "x-hub-signature-256")):
        _log.warning("webhook_refused", extra={"reason": "signature", "bytes": len(body)})
        return _answer(401, "unauthorized")
    try:
        batch = parse_webhook_body(body, received_at_ms=deps.clock.now_ms())
    except BadInputError as error:
        # Signed and unreadable: sending it again would change nothing.
        _log.error("webhook_refused", extra={"reason": error.reason, "bytes": len(body)})
        return _answer(200, "ignored")
    receipt = deps.use_case.execute(batch)
    _log.info(
        "webhook_received",
        extra={"recorded": receipt.recorded, "enqueued": receipt.enqueued, "statuses": receipt.statuses},
    )
    return _answer(500, "try again") if receipt.failed else _answer(200, "ok")


def _verified(deps: DoorDependencies, body: bytes, header: str | None) -> bool:
    if header is None:
        return False
    return verify_signature(body, header, deps.app_secrets()) or verify_signature(
        body, header, deps.app_secrets(refresh=True)
    )


def _exact_bytes(event: dict[str, Any]) -> bytes | None:
    """The bytes that were signed: never a body that was parsed and written again."""
    raw = event.get("body") or ""
    if not event.get("isBase64Encoded"):
        return str(raw).encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(raw, validate=True)
    except (binascii.Error, ValueError):
        return None


def _header(event: dict[str, Any], name: str) -> str | None:
    headers = event.get("headers") or {}
    return next((value for key, value in headers.items() if key.lower() == name), None)


def _answer(status: int, text: str) -> Response:
    return {"statusCode": status, "headers": {"content-type": "text/plain; charset=utf-8"}, "body": text}
