"""One item of `statuses[]` into a `DeliveryStatus`."""

from __future__ import annotations

from typing import Any

from core.channels.whatsapp.error_codes import failure_of
from core.channels.whatsapp.inbound.batch_builder import BatchBuilder
from core.channels.whatsapp.inbound.provider_time import provider_time_ms
from core.channels.whatsapp.inbound.tolerant_json import as_code, as_list, as_object, as_text
from core.domain.delivery import DeliveryStatus

KNOWN_STATUSES = frozenset({"sent", "delivered", "read", "played", "failed"})
CALLBACK_CHARACTERS = 512


def add_status(raw: Any, phone_number_id: str, path: str, builder: BatchBuilder) -> None:
    """Adds the status; one that names no message of ours, or that nobody knows, is a problem."""
    item = as_object(raw)
    status = as_text(item.get("status"), 32)
    provider_id, callback = as_text(item.get("id")), as_text(item.get("biz_opaque_callback_data"), CALLBACK_CHARACTERS)
    if status not in KNOWN_STATUSES:
        builder.problem("status_unknown", path)
        return
    if provider_id is None and callback is None:
        builder.problem("status_without_message", path)
        return
    at_ms = provider_time_ms(item.get("timestamp"), received_at_ms=builder.received_at_ms)
    if at_ms is None:
        builder.problem("timestamp_unusable", path)
    error = as_object(next(iter(as_list(item.get("errors"))), None))
    code = as_code(error.get("code"))
    builder.statuses.append(
        DeliveryStatus(
            provider_id=provider_id or "",
            status=status,
            at_ms=builder.received_at_ms if at_ms is None else at_ms,
            phone_number_id=phone_number_id,
            callback=callback,
            failure=failure_of(code) if status == "failed" else None,
            error_code=code,
            error_title=as_text(error.get("title"), 200) or as_text(error.get("message"), 200),
        )
    )
