"""Puts what arrived on the log and says where: the first thing that happens to a message, at whichever door."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.application.intake.customer_ids import conversation_ids, conversation_ids_of, message_key, timeless_key
from core.application.intake.identity_links import IdentityLinks
from core.application.intake.inbound_batch import IdentityChange
from core.application.intake.staff_echo import BusinessVoice
from core.application.log_context import about
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import InboundRecord
from core.domain.errors import BadInputError, SplitIdentityError
from core.domain.messages import InboundMessage, InboundPointer, MessageKind, Sender

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """`phone_number_id` is ours; "" accepts every number. Age is decided here, once."""

    store: ConversationStore
    clock: Clock
    identity_key: str
    phone_number_id: str
    stale_after_seconds: int
    retention_days: int = 180
    session_ttl_hours: int = 24
    handoff_idle_hours: int = 24
    identity_trust_days: int = 90

    def record(self, message: InboundMessage) -> InboundPointer | None:
        """Record one message, idempotently; None when it is not ours to answer (logged with its reason).

        Raises `IntegrationError`: the provider or the queue then brings the message again.
        """
        if not self._is_ours(message.phone_number_id, what=message.kind.value):
            return None
        try:
            ids = conversation_ids_of(message, self.identity_key)
        except BadInputError as error:
            _log.error("inbound_ignored", extra={"reason": error.reason, "kind": message.kind.value})
            return None
        with about(ids[0]):
            pointer = self._put_on_the_log(message, ids)
        if pointer is not None:
            _log.info("message_recorded", extra={"conversation": pointer.conversation, "kind": message.kind.value})
        return pointer

    def _put_on_the_log(self, message: InboundMessage, ids: tuple[str, ...]) -> InboundPointer | None:
        record = self._record_of(message, ids)
        if message.kind is MessageKind.ECHO and message.group_id is None:
            return self._voice().hear(record, ids)
        also = ids[1] if len(ids) > 1 else None
        try:
            return self.store.record(record, also=also)
        except SplitIdentityError:
            self._links().introduce(*ids)
            return self.store.record(record, also=also)

    def record_burst(self, messages: Sequence[InboundMessage]) -> Sequence[InboundPointer]:
        """Several messages of one customer at once, so that one turn answers them; empty when that is not to be: each
        is then recorded alone. Raises what `record` raises.
        """
        ids = {self.group_key(message) for message in messages}
        numbers = {message.phone_number_id for message in messages}
        ours = not self.phone_number_id or numbers == {self.phone_number_id}
        if len(ids) > 1 or not all(ids) or not ours or not all(message.opens_turn for message in messages):
            return ()
        (known_by,) = ids
        also = known_by[1] if len(known_by) > 1 else None
        records = [self._record_of(message, known_by, place=place) for place, message in enumerate(messages)]
        with about(known_by[0]):
            try:
                pointers = self.store.record_burst(records, also=also)
            except SplitIdentityError:
                self._links().introduce(*known_by)
                pointers = self.store.record_burst(records, also=also)
        if pointers:
            extra = {"conversation": pointers[0].conversation, "messages": len(messages)}
            _log.info("burst_recorded", extra=extra)
        return pointers

    def _record_of(self, message: InboundMessage, ids: Sequence[str], *, place: int = 0) -> InboundRecord:
        """`place` keeps the order of messages that came at once: the provider's time has whole seconds."""
        received_at_ms = self.clock.now_ms() + place
        return InboundRecord(
            conversation=ids[0],
            sk=message_key(message, self.identity_key),
            message=message,
            received_at_ms=received_at_ms,
            stale=received_at_ms - message.sent_at_ms > self.stale_after_seconds * 1000,
            known_as=timeless_key(message, self.identity_key),
        )

    def change_identity(self, change: IdentityChange) -> None:
        """A customer's number or BSUID changed: the conversation is found under the new one too. Idempotent.

        Raises `IntegrationError`, as `record` does.
        """
        if self._is_ours(change.phone_number_id, what="identity_change"):
            bsuid = Sender(bsuid=change.current.bsuid or change.previous.bsuid)
            self._links().change(
                self._ids(change.previous, change),
                self._ids(change.current, change),
                bsuid=self._ids(bsuid, change)[0] if bsuid.bsuid else None,
            )

    def group_key(self, message: InboundMessage) -> tuple[str, ...]:
        """What ties messages together that must be recorded in order: the ids that they share."""
        try:
            return conversation_ids_of(message, self.identity_key)
        except BadInputError:
            return ()

    def _ids(self, sender: Sender, change: IdentityChange) -> tuple[str, ...]:
        return conversation_ids(sender, change.phone_number_id, self.identity_key)

    def _is_ours(self, phone_number_id: str, *, what: str) -> bool:
        ours = not self.phone_number_id or phone_number_id == self.phone_number_id
        if not ours:
            # a business's number and its id are no customer's data: a mistyped setting must be seen at once
            extra = {"reason": "other_phone_number_id", "kind": what, "phone_number_id": phone_number_id or "absent"}
            _log.error("inbound_ignored", extra=extra)
        return ours

    def _links(self) -> IdentityLinks:
        return IdentityLinks(
            store=self.store,
            clock=self.clock,
            retention_days=self.retention_days,
            session_ttl_hours=self.session_ttl_hours,
            identity_trust_days=self.identity_trust_days,
        )

    def _voice(self) -> BusinessVoice:
        return BusinessVoice(
            store=self.store, links=self._links(), clock=self.clock, idle_hours=self.handoff_idle_hours
        )
