"""A customer of the local stack: writes through the webhook, waits for the answer, looks at what the turn left."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from core.application.intake.customer_ids import conversation_id
from core.domain.conversation import EffectKind, EffectState
from core.domain.delivery import PartState
from core.domain.messages import Sender
from core.domain.record_keys import HEAD, effects_of, is_turn, pk_of
from core.integrations.dynamodb import codec
from local_stack.errors import StackError
from local_stack.stack import Stack

from .turn_seen import TurnSeen
from .webhook_body import Person, WebhookBodies

ANSWER_SECONDS = 45.0
_POLL_SECONDS = 0.1
_SETTLED = frozenset({PartState.SENT, PartState.FAILED, PartState.CANCELLED, PartState.UNKNOWN})


@dataclass(slots=True, kw_only=True)
class Customer:
    """One conversation. Raises `StackError` when the stack does not answer in time."""

    stack: Stack
    person: Person
    bodies: WebhookBodies = field(init=False)
    pk: str = field(init=False)
    _turns: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        state = self.stack.state
        self.bodies = WebhookBodies(
            person=self.person,
            phone_number_id=state.phone_number_id,
            display_phone_number=state.display_phone_number,
        )
        sender = Sender(phone=self.person.phone, bsuid=self.person.user_id)
        self.pk = pk_of(conversation_id(sender, state.phone_number_id, state.identity_key))

    def says(self, *texts: str) -> TurnSeen:
        """Post the body as Meta does and wait until the turn is over, handoff summary included."""
        self._post(self.bodies.text(*texts))
        text = "\n".join(texts)
        ends = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < ends:
            items = {item["sk"]: item for item in self.stack.table_items(self.pk)}
            if (seen := self._seen(text, items)) is not None:
                self._turns += 1
                return seen
            time.sleep(_POLL_SECONDS)
        message = f"no answer within {ANSWER_SECONDS:.0f} s"
        raise StackError(message, next_step="scripts/stack.py logs (while it runs), or look in .local/logs")

    def is_answered_by_staff(self, text: str) -> None:
        """A person of the business answers in its own app: the bot hands them the word."""
        self._post(self.bodies.echo(text))

    def _post(self, body: bytes) -> None:
        reply = self.stack.post_webhook(body)
        if reply.status != 200:
            message = f"the webhook answered HTTP {reply.status}"
            raise StackError(message, next_step="scripts/stack.py logs")

    def _seen(self, text: str, items: dict[str, Any]) -> TurnSeen | None:
        turns = sorted(sk for sk in items if is_turn(sk))
        if items.get(HEAD, {}).get("pending") or len(turns) <= self._turns:
            return None
        turn = codec.item_to_turn(items[turns[-1]])
        parts = [codec.item_to_part(items[sk]) for sk in sorted(items) if f"#o{turn.turn}." in sk]
        effects = [codec.item_to_effect(items[sk]) for sk in sorted(items) if sk.startswith(effects_of(turn.turn))]
        # a quote is the sweep's, a minute later: nobody waits for it
        waited_for = [effect for effect in effects if effect.kind is not EffectKind.QUOTE]
        unsettled = any(part.state not in _SETTLED for part in parts)
        if unsettled or any(effect.state is not EffectState.DONE for effect in waited_for):
            return None
        sent = tuple(part.text for part in parts if part.state is PartState.SENT)
        head = codec.item_to_head(items[HEAD])
        return TurnSeen(said=text, answers=sent, turn=turn, effect=effects[0] if effects else None, head=head)
