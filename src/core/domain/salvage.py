"""What can still be known of a conversation of which something cannot be read (docs/turn.md, "When things fail")."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.conversation import ConversationState, Head, Snapshot
from core.domain.delivery import OutboundPart, Recipient
from core.domain.service_window import window_closes_after


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHeard:
    """The newest message that asks for an answer, as far as a text back needs it."""

    recipient: Recipient
    provider_id: str | None
    sent_at_ms: int

    @property
    def window_closes_ms(self) -> int:
        """Until when WhatsApp takes a text of ours."""
        return window_closes_after(self.sent_at_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """`head` and `last` are None where they cannot be read either, `parts` those that can. `failures`: how often turns
    of what is pending failed, None where nobody can count them; `aliases` are the customer's other ids.
    """

    conversation: str
    head: Head | None
    last: LastHeard | None
    failures: int | None
    parts: tuple[OutboundPart, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def outbox(self) -> Snapshot:
        """What the outbox needs of a conversation: its parts and, for those that a person may stop, HEAD."""
        return Snapshot(
            conversation=self.conversation, head=self.head or Head(), state=ConversationState(), log=self.parts
        )
