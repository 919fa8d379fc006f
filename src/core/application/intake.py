"""Puts what arrived on the log and says where: the first thing that happens to a message, at whichever door."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.identity import conversation_id_of, inbound_sk
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import InboundRecord
from core.domain.errors import BadInputError
from core.domain.messages import InboundMessage, InboundPointer

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """`phone_number_id` is ours; "" accepts every number. Age is decided here, once."""

    store: ConversationStore
    clock: Clock
    identity_key: str
    phone_number_id: str
    stale_after_seconds: int

    def record(self, message: InboundMessage) -> InboundPointer | None:
        """Record one message, idempotently; None when it is not ours to answer (logged with its reason).

        Raises `IntegrationError`: the provider or the queue then brings the message again.
        """
        if self.phone_number_id and message.phone_number_id != self.phone_number_id:
            _log.warning("inbound_ignored", extra={"reason": "other_phone_number_id", "kind": message.kind.value})
            return None
        try:
            conversation = conversation_id_of(message, self.identity_key)
        except BadInputError as error:
            _log.error("inbound_ignored", extra={"reason": error.reason, "kind": message.kind.value})
            return None
        received_at_ms = self.clock.now_ms()
        record = InboundRecord(
            conversation=conversation,
            sk=inbound_sk(message, self.identity_key),
            message=message,
            received_at_ms=received_at_ms,
            stale=received_at_ms - message.sent_at_ms > self.stale_after_seconds * 1000,
        )
        return self.store.record(record)
