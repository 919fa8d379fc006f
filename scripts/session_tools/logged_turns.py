"""The turns that a conversation table has logged, with the customer's words that each one answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.application.history.session_history import typed_text
from core.domain.conversation import InboundRecord
from core.domain.errors import UnreadableItemError
from core.domain.ledger import TurnRecord
from core.domain.record_keys import is_inbound, is_turn
from core.integrations.dynamodb import codec

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTurn:
    """`typed` is what the guard read, "" for none; `guard` what it said, empty where another gate came first."""

    conversation: str
    typed: str
    guard: Mapping[str, Any]


def logged_turns(conversations: Iterable[tuple[str, Sequence[Item]]]) -> Iterator[LoggedTurn]:
    """The turns in each conversation's order. What cannot be read is passed over, as an older log's rest."""
    for conversation, items in conversations:
        inbounds: dict[str, InboundRecord] = {}
        for item in items:
            try:
                if is_inbound(item["sk"]):
                    inbounds[item["sk"]] = codec.item_to_inbound(item)
                elif is_turn(item["sk"]):
                    yield _logged(conversation, codec.item_to_turn(item), inbounds)
            except UnreadableItemError:
                continue


def _logged(conversation: str, turn: TurnRecord, inbounds: Mapping[str, InboundRecord]) -> LoggedTurn:
    answered = [inbounds[sk] for sk in turn.inbound if sk in inbounds]
    return LoggedTurn(conversation=conversation, typed=typed_text(answered), guard=turn.guard)
