"""Sessions out of a conversation's items."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.domain.conversation import Effect, EffectKind, InboundRecord, LogEntry
from core.domain.delivery import OutboundPart
from core.domain.errors import UnreadableItemError
from core.domain.ledger import ModelCall, TurnRecord
from core.domain.record_keys import is_effect, is_message, is_reply_mark, is_turn
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.plain_values import from_plain
from replay.session_file.lines import missing_of
from replay.session_file.records import WRITTEN_OFF, RecordedSession, RecordedTurn

# What one read of the table shows a turn (docs/turn.md, "Read").
_READ_LIMIT = 30
_ID_CHARS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationItems:
    """What the table holds of a conversation, oldest first."""

    conversation: str
    log: tuple[LogEntry, ...]
    turns: tuple[TurnRecord, ...]
    effects: Mapping[str, tuple[Effect, ...]]


def read_items(
    conversation: str,
    items: Iterable[Mapping[str, Any]],
    *,
    left_out: Callable[[str, UnreadableItemError], None] | None = None,
) -> ConversationItems:
    """Items as a query gives them. Raises `UnreadableItemError` for one that cannot be read, unless `left_out` is to be
    told its key instead.
    """
    log, turns, effects = list[LogEntry](), list[TurnRecord](), dict[str, list[Effect]]()
    for item in items:
        try:
            _sort_in(item, log, turns, effects)
        except UnreadableItemError as error:
            if left_out is None:
                raise
            left_out(item["sk"], error)
    return ConversationItems(
        conversation=conversation,
        log=tuple(log),
        turns=tuple(sorted(turns, key=lambda turn: (turn.started_at_ms + turn.wall_ms, turn.sk))),
        effects={name: tuple(each) for name, each in effects.items()},
    )


def _sort_in(
    item: Mapping[str, Any], log: list[LogEntry], turns: list[TurnRecord], effects: dict[str, list[Effect]]
) -> None:
    sk = item["sk"]
    if is_message(sk):
        log.append(codec.item_to_entry(item))
    elif is_turn(sk):
        turns.append(codec.item_to_turn(item))
    elif is_effect(sk) and not is_reply_mark(sk):
        effect = codec.item_to_effect(item)
        effects.setdefault(effect.turn, []).append(effect)


def sessions_of(items: ConversationItems) -> Iterator[RecordedSession]:
    """Each session with its turns; turns of older code, which do not say when theirs began, are one session."""
    by_start: dict[int, list[TurnRecord]] = {}
    for turn in items.turns:
        by_start.setdefault(turn.session_start_ms, []).append(turn)
    for start_ms, turns in by_start.items():
        yield _session(items, start_ms, turns)


def _session(items: ConversationItems, start_ms: int, turns: Sequence[TurnRecord]) -> RecordedSession:
    read: set[str] = set()
    before = _before(items, turns[0])
    read.update(entry.sk for entry in before)
    recorded = []
    for number, record in enumerate(turns, 1):
        arrived = tuple(each for each in items.log if isinstance(each, InboundRecord) and each.sk not in read)
        arrived = tuple(each for each in arrived if _was_read(each, record, items.turns))
        read.update(each.sk for each in arrived)
        recorded.append(_turn(items, number, record, turns, arrived))
    name = hashlib.sha256(f"{items.conversation}|{start_ms}".encode()).hexdigest()[:_ID_CHARS]
    session = RecordedSession(
        id=name, conversation=items.conversation, start_ms=start_ms, turns=tuple(recorded), before=before
    )
    return replace(session, incomplete=missing_of(session))


def _turn(
    items: ConversationItems,
    number: int,
    record: TurnRecord,
    turns: Sequence[TurnRecord],
    arrived: tuple[InboundRecord, ...],
) -> RecordedTurn:
    parts = tuple(each for each in items.log if isinstance(each, OutboundPart) and each.turn == record.turn)
    effects = items.effects.get(record.turn, ())
    summary = next((each for each in effects if each.kind is EffectKind.HANDOFF), None)
    return RecordedTurn(
        number=number,
        record=record,
        arrived=arrived,
        parts=parts,
        effects=tuple(_without_calls(each) for each in effects),
        summary_calls=_summary_calls(summary),
        overtaken_by=_winner(record, turns) if record.outcome in WRITTEN_OFF else None,
    )


def _winner(record: TurnRecord, turns: Sequence[TurnRecord]) -> str | None:
    """The first turn that was committed after the one that was written off had begun."""
    after = (each for each in turns if each.started_at_ms + each.wall_ms >= record.started_at_ms)
    return next((each.turn for each in after if each.outcome not in WRITTEN_OFF), None)


def _before(items: ConversationItems, first: TurnRecord) -> tuple[LogEntry, ...]:
    """What the session's first turn could read and neither answered nor was sent since."""
    answered = {turn.turn: turn for turn in items.turns}
    earlier: list[LogEntry] = []
    for entry in items.log:
        if isinstance(entry, InboundRecord):
            if entry.received_at_ms < first.session_start_ms and entry.sk not in first.inbound:
                earlier.append(entry)
        elif entry.created_at_ms < first.started_at_ms and entry.turn in answered and entry.turn != first.turn:
            earlier.append(entry)
    return tuple(earlier[-_READ_LIMIT:])


def _was_read(entry: InboundRecord, record: TurnRecord, turns: Sequence[TurnRecord]) -> bool:
    """Whether a message was on the table when the turn read it."""
    if entry.sk in record.inbound:
        return True
    if entry.received_at_ms > record.decided_at_ms:
        return False
    answered_later = any(entry.sk in turn.inbound and turn.decided_at_ms > record.decided_at_ms for turn in turns)
    return not (entry.message.opens_turn and answered_later)


def _without_calls(effect: Effect) -> Effect:
    """Calls are lines of their own."""
    return replace(effect, payload={name: each for name, each in effect.payload.items() if name != "calls"})


def _summary_calls(effect: Effect | None) -> tuple[ModelCall, ...]:
    written = effect.payload.get("calls", ()) if effect else ()
    return tuple(from_plain(ModelCall, call) for call in written)
