"""What an SQS record asks for: conversations to answer, in order. What cannot be read is a fact for the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.application.intake.take_batch import BatchIntake
from core.application.ports import Clock
from core.domain.errors import BadInputError, IntegrationError
from core.domain.messages import InboundPointer
from core.domain.pointer import parse_pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRecord:
    """One SQS record. `group` keeps its order: the FIFO group, or the conversation on a standard queue."""

    message_id: str
    receipt_handle: str
    body: str
    group: str
    receive_count: int

    @property
    def conversation(self) -> str:
        """Whose it is, for the log: a group that somebody else named may be a phone number. "" for a raw body."""
        return _conversation(self.body)


def read_record(raw: Mapping[str, Any]) -> QueueRecord:
    """The record's envelope; its body is read when its turn comes."""
    attributes = raw.get("attributes") or {}
    body = str(raw.get("body") or "")
    return QueueRecord(
        message_id=str(raw.get("messageId") or ""),
        receipt_handle=str(raw.get("receiptHandle") or ""),
        body=body,
        group=str(attributes.get("MessageGroupId") or _conversation(body) or raw.get("messageId") or ""),
        receive_count=_count(attributes.get("ApproximateReceiveCount")),
    )


def pointers_of(record: QueueRecord, *, batches: BatchIntake, clock: Clock) -> tuple[InboundPointer, ...]:
    """What the record asks for: a message to answer, or a part that was not delivered. A raw Meta body or a
    social-messaging event is taken first, statuses and echoes included, as at the webhook door.

    Raises `BadInputError` for what is none of the three, `IntegrationError` when some of it could not be taken.
    """
    try:
        return (parse_pointer(record.body),)
    except BadInputError as error:
        if error.reason != "not_a_pointer":
            raise
    # what reads such bodies is imported with the first of them: the webhook door puts pointers on the queue
    from core.channels.whatsapp.inbound.social_event import is_social_event, parse_social_event
    from core.channels.whatsapp.inbound.tolerant_json import read_object
    from core.channels.whatsapp.inbound.webhook_body import parse_webhook_body

    body = read_object(record.body)
    parse = parse_social_event if is_social_event(body) else parse_webhook_body
    batch = parse(body, received_at_ms=clock.now_ms())
    taken = batches.take(batch)
    if taken.failed:
        raise IntegrationError("a part of the body could not be recorded")
    return taken.pointers


def _conversation(body: str) -> str:
    try:
        return parse_pointer(body).conversation
    except BadInputError:
        return ""


def _count(value: Any) -> int:
    try:
        return max(int(value), 1)
    except (TypeError, ValueError):
        return 1
