"""A session as its file holds it (docs/replay.md, "The file"), in the core's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.conversation import Effect, InboundRecord, LogEntry
from core.domain.delivery import OutboundPart
from core.domain.ledger import ModelCall, TurnRecord
from core.domain.llm import CallPurpose

SCHEMA = "balcao.session/1"
WRITTEN_OFF = frozenset({"overtaken", "postponed"})
"""Outcomes of a turn that cost and answered nothing: another worker's commit was first, or it came back later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the sessions ran with. `settings` are those that a turn reads, `prompts` the texts whose hashes match
    `fingerprints`, by file name. `anonymiser` is None for a file that still names people. `unknown` is kept as it came.
    """

    code: str
    company: str
    fingerprints: Mapping[str, str]
    packages: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    anonymiser: Mapping[str, Any] | None = None
    schema: str = SCHEMA
    unknown: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A TURN with what belongs to it. `arrived` came since the turn before, answered or not; `summary_calls` were made
    after the commit. `overtaken_by` is the turn that was committed in the place of one that was written off.
    """

    number: int
    record: TurnRecord
    arrived: tuple[InboundRecord, ...] = ()
    parts: tuple[OutboundPart, ...] = ()
    effects: tuple[Effect, ...] = ()
    summary_calls: tuple[ModelCall, ...] = ()
    overtaken_by: str | None = None

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every request to a model, in order."""
        return (*self.record.calls, *self.summary_calls)

    @property
    def calls_of_the_answer(self) -> tuple[ModelCall, ...]:
        """Those that the committed run read: its own, and words of voice notes that an earlier run had heard."""
        last, heard = self.record.reruns, CallPurpose.TRANSCRIPTION
        own = tuple(call for call in self.record.calls if call.rerun == last or call.purpose is heard)
        return (*own, *self.summary_calls)

    @property
    def is_played(self) -> bool:
        """Whether there is an answer to compare with."""
        return self.record.outcome not in WRITTEN_OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSession:
    """One session of one conversation. `before` is what an agent could still read of earlier ones."""

    id: str
    conversation: str
    start_ms: int
    turns: tuple[RecordedTurn, ...]
    before: tuple[LogEntry, ...] = ()
    incomplete: tuple[str, ...] = ()

    def played_turns(self) -> Iterator[RecordedTurn]:
        """The turns that have an answer."""
        return (turn for turn in self.turns if turn.is_played)

    def log_before(self, turn: RecordedTurn) -> Sequence[LogEntry]:
        """What had come and been said when the turn began; parts stand as they do on the file."""
        log: list[LogEntry] = list(self.before)
        for each in self.turns:
            if each.number > turn.number:
                break
            log.extend(each.arrived)
            if each.number < turn.number:
                log.extend(each.parts)
        return log
