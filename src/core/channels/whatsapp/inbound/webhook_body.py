"""A webhook body, walked whole: every entry, change, message, echo, status and error, routed by `field`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.application.intake.inbound_batch import ReportedFault, WebhookBatch
from core.channels.whatsapp.inbound.batch_builder import BatchBuilder, Surroundings
from core.channels.whatsapp.inbound.identity_changes import add_user_id_update
from core.channels.whatsapp.inbound.message_items import add_message
from core.channels.whatsapp.inbound.senders import read_contacts
from core.channels.whatsapp.inbound.status_items import add_status
from core.channels.whatsapp.inbound.tolerant_json import as_code, as_list, as_object, as_text, read_object
from core.domain.errors import BadInputError

_ACCOUNT = "whatsapp_business_account"
# A change whose `field` cannot be read is routed by what it holds: better than losing a customer's words.
_READ_FIELDS = frozenset({"messages", "smb_message_echoes", "message_echoes", "user_id_update", None})
_ECHO_FIELDS = frozenset({"smb_message_echoes", "message_echoes"})


def parse_webhook_body(body: bytes | str | Mapping[str, Any], *, received_at_ms: int) -> WebhookBatch:
    """Everything that a body tells, in its order.

    Raises `BadInputError` for what is no JSON object or not WhatsApp's, and for nothing else: a bad item is a problem
    of the batch and never costs another item.
    """
    root = read_object(body)
    kind = as_text(root.get("object"))
    if kind is None and "entry" not in root:
        raise BadInputError("not_a_webhook_body")
    if kind not in (_ACCOUNT, None):
        raise BadInputError("object_not_whatsapp")
    builder = BatchBuilder(received_at_ms=received_at_ms)
    if kind is None:
        builder.problem("object_missing", "")
    read_entries(root.get("entry"), builder)
    return builder.build()


def read_entries(entries: Any, builder: BatchBuilder, *, default_phone_number_id: str = "") -> None:
    """Adds every change of every entry. A value without metadata is taken to be of `default_phone_number_id`."""
    for path, entry in _items(entries, "entry", builder):
        for change_path, change in _items(as_object(entry).get("changes"), f"{path}.changes", builder):
            _read_change(as_object(change), change_path, builder, default_phone_number_id)


def _items(found: Any, path: str, builder: BatchBuilder) -> Sequence[tuple[str, Any]]:
    items = as_list(found)
    if not items and found != []:
        builder.problem("not_a_list", path)
    return [(f"{path}[{number}]", item) for number, item in enumerate(items)]


def _read_change(change: Mapping[str, Any], path: str, builder: BatchBuilder, default_phone_number_id: str) -> None:
    name = as_text(change.get("field"), 64)
    if name not in _READ_FIELDS:
        builder.problem("field_ignored", path, name or "")
        return
    value = as_object(change.get("value"))
    if not value:
        builder.problem("value_missing", path)
        return
    if name is None:
        builder.problem("field_missing", path)
    phone_number_id = as_text(as_object(value.get("metadata")).get("phone_number_id")) or default_phone_number_id
    if not phone_number_id:
        builder.problem("phone_number_id_missing", path)
    _read_value(value, name, path, builder, phone_number_id)


def _read_value(
    value: Mapping[str, Any], name: str | None, path: str, builder: BatchBuilder, phone_number_id: str
) -> None:
    contacts = read_contacts(as_list(value.get("contacts")))
    for key in ("messages", "message_echoes"):
        for item_path, item in _present(value, key, path, builder):
            around = Surroundings(phone_number_id=phone_number_id, contacts=contacts, path=item_path)
            add_message(item, around, builder, echo=key == "message_echoes" or name in _ECHO_FIELDS)
    for item_path, item in _present(value, "statuses", path, builder):
        add_status(item, phone_number_id, item_path, builder)
    for item_path, item in _present(value, "user_id_update", path, builder):
        add_user_id_update(item, phone_number_id, item_path, builder)
    for _, item in _present(value, "errors", path, builder):
        builder.faults.append(_fault(as_object(item), phone_number_id))


def _present(value: Mapping[str, Any], key: str, path: str, builder: BatchBuilder) -> Sequence[tuple[str, Any]]:
    return _items(value[key], f"{path}.{key}", builder) if key in value else ()


def _fault(error: Mapping[str, Any], phone_number_id: str) -> ReportedFault:
    title = as_text(error.get("title"), 200) or as_text(error.get("message"), 200) or ""
    return ReportedFault(code=as_code(error.get("code")), title=title, phone_number_id=phone_number_id)
