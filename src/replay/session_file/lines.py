"""Records as the lines of a file, and back (docs/replay.md, "The file")."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from core.domain.conversation import Effect, InboundRecord, LogEntry
from core.domain.delivery import OutboundPart
from core.domain.ledger import ModelCall, TurnRecord
from core.domain.record_keys import is_inbound
from core.integrations.dynamodb.plain_values import from_plain, to_plain
from core.integrations.dynamodb.raw_replies import is_cut
from replay.session_file.records import Header, RecordedSession, RecordedTurn

Line = dict[str, Any]
_BLOB_CHARS = 32
_HEADER_OWN = {field.name for field in fields(Header)} - {"prompts", "unknown"}


def blob_id(text: str) -> str:
    """Names a text by what it says."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_BLOB_CHARS]


def header_lines(header: Header) -> Iterator[Line]:
    """The header, then the prompts that it names."""
    line = {name: getattr(header, name) for name in sorted(_HEADER_OWN)}
    prompts = {name: blob_id(text) for name, text in header.prompts.items()}
    yield {"type": "header", **header.unknown, **line, "packages": list(header.packages), "prompts": prompts}
    for text in dict.fromkeys(header.prompts.values()):
        yield _blob(text)


def header_of(line: Mapping[str, Any], blobs: Mapping[str, str]) -> Header:
    """The header, unknown fields kept."""
    own = {name: line[name] for name in _HEADER_OWN if name in line}
    unknown = {name: value for name, value in line.items() if name not in {*_HEADER_OWN, "type", "prompts"}}
    prompts = {name: blobs[blob] for name, blob in line.get("prompts", {}).items()}
    return Header(**{**own, "packages": tuple(line.get("packages", ()))}, prompts=prompts, unknown=unknown)


def session_lines(session: RecordedSession) -> Iterator[Line]:
    """A session: its own line, then each turn with its texts, calls and effects."""
    yield {
        "type": "session",
        "id": session.id,
        "conversation": session.conversation,
        "start_ms": session.start_ms,
        "incomplete": list(session.incomplete),
        "before": [to_plain(each) for each in session.before],
    }
    written: set[str] = set()
    for turn in session.turns:
        yield _turn_line(turn)
        for place, call in _placed(turn):
            raw = call.raw_reply
            if raw is not None and blob_id(raw) not in written:
                written.add(blob_id(raw))
                yield _blob(raw)
            yield _call_line(turn.number, call, place)
        for effect in turn.effects:
            yield {"type": "effect", "turn": turn.number, "effect": to_plain(effect)}


def session_of(lines: Sequence[Line]) -> RecordedSession:
    """What `session_lines` was given."""
    first, *rest = lines
    blobs = {line["id"]: line["text"] for line in rest if line["type"] == "blob"}
    calls, effects = dict[int, list[Line]](), dict[int, list[Effect]]()
    for line in rest:
        if line["type"] == "call":
            calls.setdefault(line["turn"], []).append(line)
        elif line["type"] == "effect":
            effects.setdefault(line["turn"], []).append(from_plain(Effect, line["effect"]))
    turns = tuple(
        _turn_of(line, calls.get(line["number"], ()), effects.get(line["number"], ()), blobs)
        for line in rest
        if line["type"] == "turn"
    )
    return RecordedSession(
        id=first["id"],
        conversation=first["conversation"],
        start_ms=first["start_ms"],
        incomplete=tuple(first.get("incomplete", ())),
        before=tuple(_entry_of(each) for each in first.get("before", ())),
        turns=turns,
    )


def missing_of(session: RecordedSession) -> tuple[str, ...]:
    """Why a session cannot be replayed as it was, in words; nothing for one that can."""
    reasons = {
        "recorded by code that did not keep what a turn read": any(
            turn.is_played and turn.record.head_before is None for turn in session.turns
        ),
        "a model's reply was cut to fit the table": any(
            is_cut(call.raw_reply) for turn in session.played_turns() for call in turn.calls_of_the_answer
        ),
        "its summary is not written yet": any(
            effect.kind.value == "handoff" and "summary" not in effect.payload
            for turn in session.played_turns()
            for effect in turn.effects
        ),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _turn_line(turn: RecordedTurn) -> Line:
    record = to_plain(replace(turn.record, calls=()))
    return {
        "type": "turn",
        "number": turn.number,
        "overtaken_by": turn.overtaken_by,
        "arrived": [to_plain(each) for each in turn.arrived],
        "parts": [to_plain(each) for each in turn.parts],
        "record": record,
    }


def _placed(turn: RecordedTurn) -> Iterator[tuple[str, ModelCall]]:
    yield from (("turn", call) for call in turn.record.calls)
    yield from (("effect", call) for call in turn.summary_calls)


def _call_line(number: int, call: ModelCall, place: str) -> Line:
    plain = to_plain(call)
    raw = plain.pop("raw_reply", None)
    plain["request"] = plain.pop("input_hash")
    return {"type": "call", "turn": number, "place": place, "reply": None if raw is None else blob_id(raw), **plain}


def _turn_of(line: Line, calls: Sequence[Line], effects: Sequence[Effect], blobs: Mapping[str, str]) -> RecordedTurn:
    record = from_plain(TurnRecord, line["record"])
    return RecordedTurn(
        number=line["number"],
        overtaken_by=line.get("overtaken_by"),
        arrived=tuple(from_plain(InboundRecord, each) for each in line["arrived"]),
        parts=tuple(from_plain(OutboundPart, each) for each in line["parts"]),
        effects=tuple(effects),
        record=replace(record, calls=tuple(_call_of(each, blobs) for each in calls if each["place"] == "turn")),
        summary_calls=tuple(_call_of(each, blobs) for each in calls if each["place"] == "effect"),
    )


def _call_of(line: Line, blobs: Mapping[str, str]) -> ModelCall:
    reply = line.get("reply")
    raw = {} if reply is None else {"raw_reply": blobs[reply]}
    return from_plain(ModelCall, {**line, **raw, "input_hash": line.get("request", "")})


def _entry_of(plain: Line) -> LogEntry:
    return from_plain(InboundRecord, plain) if is_inbound(plain["sk"]) else from_plain(OutboundPart, plain)


def _blob(text: str) -> Line:
    return {"type": "blob", "id": blob_id(text), "text": text}
