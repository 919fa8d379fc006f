"""The turns that a conversation table has logged, with the customer's words that each one answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from core.application.history.session_history import typed_text
from core.domain.conversation import InboundRecord
from core.domain.errors import UnreadableItemError
from core.domain.ledger import TurnRecord
from core.domain.record_keys import is_inbound, is_turn
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import unmarshalled

Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTurn:
    """`typed` is what the guard read, "" for none; `guard` what it said, empty where another gate came first."""

    conversation: str
    typed: str
    guard: Mapping[str, Any]


def scanned(client: Any, table: str) -> Iterator[Item]:
    """Every item of a table, page by page; a conversation's stand together, in the order of their keys."""
    for page in client.get_paginator("scan").paginate(TableName=table):
        yield from (unmarshalled(item) for item in page["Items"])


def logged_turns(items: Iterable[Item]) -> Iterator[LoggedTurn]:
    """The turns in each conversation's order. What cannot be read is passed over, as an older log's rest."""
    for _, of_one in groupby(items, key=lambda item: item["pk"]):
        inbounds: dict[str, InboundRecord] = {}
        for item in of_one:
            try:
                if is_inbound(item["sk"]):
                    inbounds[item["sk"]] = codec.item_to_inbound(item)
                elif is_turn(item["sk"]):
                    yield _logged(item, codec.item_to_turn(item), inbounds)
            except UnreadableItemError:
                continue


def _logged(item: Item, turn: TurnRecord, inbounds: Mapping[str, InboundRecord]) -> LoggedTurn:
    answered = [inbounds[sk] for sk in turn.inbound if sk in inbounds]
    return LoggedTurn(conversation=item["pk"], typed=typed_text(answered), guard=turn.guard)
