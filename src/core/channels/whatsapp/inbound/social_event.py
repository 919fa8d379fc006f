"""AWS End User Messaging events: Meta's entry, as a JSON string, inside an SNS message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.application.intake.inbound_batch import WebhookBatch
from core.channels.whatsapp.inbound.batch_builder import BatchBuilder
from core.channels.whatsapp.inbound.tolerant_json import as_list, as_object, as_text, read_object
from core.channels.whatsapp.inbound.webhook_body import read_entries
from core.domain.errors import BadInputError

_ENTRY = "whatsAppWebhookEntry"


def is_social_event(event: Mapping[str, Any]) -> bool:
    """Whether an event is one that `parse_social_event` reads: the message itself, or SNS records that carry it."""
    records = (event, *as_list(event.get("Records")))
    return _ENTRY in event or "Message" in event or any("Sns" in as_object(record) for record in records)


def parse_social_event(event: bytes | str | Mapping[str, Any], *, received_at_ms: int) -> WebhookBatch:
    """The messages of an SNS event (all its records), one SNS record or envelope, or the bare message.

    A record that cannot be read is a problem and costs no other record. Raises `BadInputError` when nothing at all can
    be read as an End User Messaging event.
    """
    builder = BatchBuilder(received_at_ms=received_at_ms)
    read = [_read_message(message, path, builder) for path, message in _messages(read_object(event))]
    if not any(read):
        raise BadInputError("not_a_social_event")
    return builder.build()


def _messages(event: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if "Records" in event:
        for number, record in enumerate(as_list(event.get("Records"))):
            yield f"Records[{number}]", as_object(as_object(record).get("Sns")).get("Message")
    elif "Sns" in event:
        yield "Sns", as_object(event.get("Sns")).get("Message")
    else:
        yield "", event.get("Message", event)


def _read_message(message: Any, path: str, builder: BatchBuilder) -> bool:
    try:
        found = read_object(message if isinstance(message, (str, bytes, Mapping)) else "")
        entries = _entries(found.get(_ENTRY))
    except BadInputError as error:
        builder.problem(error.reason, path)
        return False
    read_entries(entries, builder, default_phone_number_id=_only_phone_number_id(found))
    return True


def _entries(entry: Any) -> Any:
    """The entry, or the whole body should it ever come whole."""
    if isinstance(entry, (list, tuple)):
        return entry
    found = read_object(entry if isinstance(entry, (str, bytes, Mapping)) else "")
    return found.get("entry", [found])


def _only_phone_number_id(message: Mapping[str, Any]) -> str:
    numbers = as_list(as_object(message.get("context")).get("MetaPhoneNumberIds"))
    return (as_text(as_object(numbers[0]).get("metaPhoneNumberId")) or "") if len(numbers) == 1 else ""
