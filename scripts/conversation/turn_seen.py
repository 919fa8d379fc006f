"""A turn as somebody looks at it who was not there: what was said and answered, what the table keeps."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.conversation import Effect, Head
from core.domain.delivery import OutboundPart
from core.domain.ledger import ModelCall, TurnRecord
from core.integrations.dynamodb.plain_values import from_plain


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSeen:
    """`answers` are the texts that WhatsApp took, `effect` the handoff's; `head` is the conversation's as it stands."""

    said: str
    answers: tuple[str, ...]
    turn: TurnRecord
    head: Head
    effect: Effect | None = None
    parts: tuple[OutboundPart, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def summary_calls(self) -> tuple[ModelCall, ...]:
        """What the handoff's summary cost, after the turn was committed."""
        written = self.effect.payload.get("calls", ()) if self.effect else ()
        return tuple(from_plain(ModelCall, call) for call in written)
