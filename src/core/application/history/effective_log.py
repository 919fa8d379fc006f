"""The log as its people see it by now: edited, without what was taken back, and with what was heard.

Messages on the table are never rewritten: edits and revokes are messages of their own, and speak of another by its id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.conversation import InboundRecord, LogEntry, Snapshot
from core.domain.messages import InboundMessage, MessageKind

# Whose message, and its id: nobody edits what the other side wrote.
_Target = tuple[bool, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marks:
    edited: dict[_Target, str] = field(default_factory=dict)
    revoked: set[_Target] = field(default_factory=set)


def as_it_stands(snapshot: Snapshot) -> Snapshot:
    """The snapshot with its log as it stands. The newest edit counts; what was revoked stays, without words."""
    marks = _marks_of(snapshot.log)
    heard = snapshot.state.transcripts
    if not (marks.edited or marks.revoked or heard):
        return snapshot
    return replace(snapshot, log=tuple(_standing(entry, marks, heard) for entry in snapshot.log))


def _marks_of(log: Sequence[LogEntry]) -> _Marks:
    marks = _Marks()
    for entry in log:
        if not isinstance(entry, InboundRecord) or not entry.message.target_id:
            continue
        target = _target(entry.message, entry.message.target_id)
        kind = spoken_kind(entry.message)
        if kind is MessageKind.REVOKE:
            marks.revoked.add(target)
        elif kind is MessageKind.EDIT and entry.message.text.strip():
            marks.edited[target] = entry.message.text
    return marks


def _standing(entry: LogEntry, marks: _Marks, heard: Mapping[str, str]) -> LogEntry:
    if not isinstance(entry, InboundRecord):
        return entry
    message = entry.message
    key = _target(message, message.provider_id)
    if key in marks.revoked:
        gone = replace(message, kind=MessageKind.REVOKE, text="", media=None, referral=None)
        return replace(entry, message=gone)
    if key in marks.edited:
        message = replace(message, text=marks.edited[key])
    elif entry.sk in heard:
        message = replace(message, text=heard[entry.sk])
    return entry if message is entry.message else replace(entry, message=message)


def spoken_kind(message: InboundMessage) -> MessageKind:
    """What a message is, whoever sent it: an echo carries its own kind as a detail."""
    if message.kind is not MessageKind.ECHO:
        return message.kind
    try:
        return MessageKind(message.details.get("type", ""))
    except ValueError:
        return MessageKind.UNKNOWN


def _target(message: InboundMessage, provider_id: str) -> _Target:
    return message.kind is MessageKind.ECHO, provider_id
