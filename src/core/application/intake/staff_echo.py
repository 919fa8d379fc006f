"""The business speaks from its own phone: recorded where its customer is, and the bot pauses (docs/whatsapp.md)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.application.intake.identity_links import IdentityLinks
from core.application.ports import Clock, ConversationStore
from core.domain.conversation import ConversationState, InboundRecord, Mode, Snapshot
from core.domain.delivery import OutboundPart
from core.domain.errors import IntegrationError
from core.domain.head_transitions import paused_by_person
from core.domain.messages import InboundPointer

_log = logging.getLogger(__name__)

_TRIES = 6
# An echo of our own send comes at once; the sweep may have sent it again.
_OWN_ECHO_MS = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessVoice:
    """`idle_hours`: the bot has the conversation again when no person spoke for so long."""

    store: ConversationStore
    links: IdentityLinks
    clock: Clock
    idle_hours: int

    def hear(self, echo: InboundRecord, ids: Sequence[str]) -> InboundPointer:
        """Record what a person of the business said to the customer of these ids, and give them the word.

        An echo of our own message is neither: it is on the log already. One that comes after the pause it asks for is
        recorded alone.
        """
        for _ in range(_TRIES):
            snapshot = self.links.home(ids)
            echo = replace(echo, conversation=snapshot.conversation)
            pointer = InboundPointer(conversation=snapshot.conversation, sk=echo.sk)
            if echo.message.sent_at_ms <= (snapshot.head.erased_at_ms or -1):
                _log.info("echo_of_what_was_erased", extra={"conversation": snapshot.conversation})
                return pointer
            if is_our_own(snapshot, echo):
                _log.info("echo_of_our_own", extra={"conversation": snapshot.conversation})
                return pointer
            spoke_ms = min(echo.message.sent_at_ms, echo.received_at_ms)
            if spoke_ms + self._idle_ms <= self.clock.now_ms():
                return self.store.record(echo)
            head = paused_by_person(snapshot.head, spoke_ms=spoke_ms, idle_ms=self._idle_ms)
            state = _with_people(snapshot, spoke_ms)
            if self.store.interject(echo, seen=snapshot.head, head=head, state=state):
                _log.info("business_spoke", extra={"conversation": snapshot.conversation})
                return pointer
        raise IntegrationError("the conversation keeps moving under an echo")

    @property
    def _idle_ms(self) -> int:
        return self.idle_hours * 3_600_000


def is_our_own(snapshot: Snapshot, echo: InboundRecord) -> bool:
    """Whether an echo is of a message that we sent: by its id or, while a send's id is not known, by its words.

    Meta echoes what people write in the business's app, and other providers whatever the number sends.
    """
    parts = [part for part in snapshot.parts if part.attempt > 0]
    if any(part.provider_id == echo.message.provider_id for part in parts):
        return True
    said = _words(echo.message.text)
    return bool(said) and any(_may_be(part, echo) and _words(part.text) == said for part in parts)


def _may_be(part: OutboundPart, echo: InboundRecord) -> bool:
    id_unknown = part.provider_id is None or part.attempt > 1
    return id_unknown and abs(echo.message.sent_at_ms - part.created_at_ms) <= _OWN_ECHO_MS


def _words(text: str) -> str:
    return " ".join(text.split())


def _with_people(snapshot: Snapshot, spoke_ms: int) -> ConversationState:
    """Where the human stretch begins, for the agents' context."""
    if snapshot.head.mode is Mode.HUMAN:
        return snapshot.state
    return replace(snapshot.state, human_since_ms=spoke_ms, human_until_ms=None, agreed=None)
