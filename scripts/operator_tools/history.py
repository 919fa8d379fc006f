"""A conversation as the table holds it, whole: what cannot be read is named and left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conversation.turn_seen import TurnSeen
from core.application.history.session_history import business_text, customer_text
from core.domain.conversation import ConversationState, EffectKind, Head, InboundRecord
from core.domain.delivery import OutboundPart, PartState
from core.domain.errors import UnreadableItemError
from core.domain.messages import MessageKind
from core.domain.record_keys import HEAD, STATE
from core.integrations.dynamodb import codec
from replay.exporting.conversation_items import ConversationItems, read_items

from .deployment import Deployment

WAITING = frozenset({PartState.PENDING, PartState.SENDING, PartState.UNKNOWN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """An item that this version of the code cannot read."""

    sk: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """`head` and `state` are None where they cannot be read."""

    conversation: str
    head: Head | None
    state: ConversationState | None
    items: ConversationItems
    unreadable: Sequence[Unreadable]

    @property
    def inbounds(self) -> Sequence[InboundRecord]:
        """What came in, oldest first."""
        return [each for each in self.items.log if isinstance(each, InboundRecord)]

    @property
    def parts(self) -> Sequence[OutboundPart]:
        """What was said, or is to be, oldest first."""
        return [each for each in self.items.log if isinstance(each, OutboundPart)]

    def turns(self) -> Sequence[TurnSeen]:
        """Every turn, in the order in which they ended."""
        by_sk = {each.sk: each for each in self.inbounds}
        seen = []
        for turn in self.items.turns:
            parts = tuple(each for each in self.parts if each.turn == turn.turn)
            effects = tuple(self.items.effects.get(turn.turn, ()))
            seen.append(
                TurnSeen(
                    said="\n".join(words_of(by_sk[sk]) if sk in by_sk else f"[{sk}]" for sk in turn.inbound),
                    answers=tuple(_answer(part) for part in parts),
                    turn=turn,
                    head=self.head or Head(),
                    effect=next((each for each in effects if each.kind is EffectKind.HANDOFF), None),
                    parts=parts,
                    effects=effects,
                )
            )
        return seen

    def attended(self) -> Sequence[OutboundPart]:
        """What attendants wrote, oldest first."""
        return [each for each in self.parts if each.author is not None]

    def unanswered(self) -> Sequence[InboundRecord]:
        """What belongs to no turn: waiting messages, those that ask for no answer, and the team's own."""
        answered = {sk for turn in self.items.turns for sk in turn.inbound}
        return [each for each in self.inbounds if each.sk not in answered]


def read_history(deployment: Deployment, conversation: str) -> History:
    """All of it. Raises what the client raises."""
    unreadable: list[Unreadable] = []

    def left_out(sk: str, error: UnreadableItemError) -> None:
        unreadable.append(Unreadable(sk=sk, what=error.what, reason=error.reason))

    items = {item["sk"]: item for item in deployment.pages.items(conversation)}
    read = read_items(conversation, items.values(), left_out=left_out)
    head = state = None
    try:
        head = codec.item_to_head(items.get(HEAD, {}))
    except UnreadableItemError as error:
        left_out(HEAD, error)
    try:
        state = codec.item_to_state(items.get(STATE, {}))
    except UnreadableItemError as error:
        left_out(STATE, error)
    return History(conversation=conversation, head=head, state=state, items=read, unreadable=unreadable)


def is_team(entry: InboundRecord) -> bool:
    """Whether a person of the business said it, from their own phone."""
    return entry.message.kind is MessageKind.ECHO


def words_of(entry: InboundRecord) -> str:
    """What it says, or what kind of thing it is."""
    said = business_text(entry.message) if is_team(entry) else customer_text(entry.message)
    return said or f"[{entry.message.kind.value}]"


def _answer(part: OutboundPart) -> str:
    return part.text if part.state is PartState.SENT else f"[{part.state.value}] {part.text}"
