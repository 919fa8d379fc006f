"""What happened in a conversation, turn by turn: on a terminal as the demo shows it, or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conversation.transcript import Transcript
from conversation.turn_seen import TurnSeen
from core.domain.conversation import InboundRecord, LogEntry
from core.domain.delivery import OutboundPart
from core.integrations.dynamodb.plain_values import to_plain

from .history import History, is_team, words_of
from .times import moment


def tell(history: History, show: Transcript, *, last: int | None = None) -> None:
    """The turns, with what was said between them and what nobody can read."""
    turns = _chosen(history, last)
    loose = list(_between(history, turns, whole=last is None))
    for seen in turns:
        while loose and _at_ms(loose[0]) <= seen.turn.started_at_ms:
            _tell_loose(loose.pop(0), history, show)
        show.note(f"── {moment(seen.turn.started_at_ms)} · {seen.turn.wall_ms} ms")
        show.in_full(seen)
    for entry in loose:
        _tell_loose(entry, history, show)
    if not turns:
        show.note("no turn has been logged")
    for each in history.unreadable:
        show.note(f"left out: {each.sk} can't be read by this version ({each.what}: {each.reason})")


def told_as_json(history: History, *, last: int | None = None) -> Mapping[str, Any]:
    """The same as the table holds it."""
    turns = _chosen(history, last)
    plain = {
        "conversation": history.conversation,
        "head": to_plain(history.head) if history.head is not None else None,
        "state": to_plain(history.state) if history.state is not None else None,
        "turns": [_turn(seen, history) for seen in turns],
        "between": [to_plain(each) for each in _between(history, turns, whole=last is None)],
        "unreadable": [{"sk": each.sk, "what": each.what, "reason": each.reason} for each in history.unreadable],
    }
    untagged: Mapping[str, Any] = _without_tags(plain)
    return untagged


def _chosen(history: History, last: int | None) -> Sequence[TurnSeen]:
    turns = history.turns()
    return turns if last is None else turns[-last:]


def _between(history: History, turns: Sequence[TurnSeen], *, whole: bool) -> Sequence[LogEntry]:
    began = 0 if whole or not turns else turns[0].turn.started_at_ms
    return sorted((each for each in (*history.unanswered(), *history.attended()) if _at_ms(each) >= began), key=_at_ms)


def _at_ms(entry: LogEntry) -> int:
    return entry.received_at_ms if isinstance(entry, InboundRecord) else entry.created_at_ms


def _tell_loose(entry: LogEntry, history: History, show: Transcript) -> None:
    if isinstance(entry, OutboundPart):
        show.note(f"── {moment(entry.created_at_ms)} · an attendant, {entry.state.value}")
        show.answered([entry.text], name=entry.author or "equipe")
        return
    waits = history.head is not None and entry.sk in history.head.pending
    why = "waits for an answer" if waits else "the team" if is_team(entry) else "answered by no turn"
    show.note(f"── {moment(entry.received_at_ms)} · {why}")
    if is_team(entry):
        show.answered([words_of(entry)], name="equipe")
    else:
        show.said(words_of(entry))


def _turn(seen: TurnSeen, history: History) -> Mapping[str, Any]:
    answered = set(seen.turn.inbound)
    return {
        "turn": to_plain(seen.turn),
        "messages": [to_plain(each) for each in history.inbounds if each.sk in answered],
        "parts": [to_plain(part) for part in seen.parts],
        "effects": [to_plain(effect) for effect in seen.effects],
    }


def _without_tags(value: Any) -> Any:
    """An exact decimal is its digits."""
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in {"$decimal", "$int"}:
            return next(iter(value.values()))
        return {name: _without_tags(each) for name, each in value.items()}
    return [_without_tags(each) for each in value] if isinstance(value, list | tuple) else value
