"""From a table to a session file: chosen, anonymised, proved, and only then written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.errors import UnreadableItemError
from replay.anonymising.residue import Residue
from replay.anonymising.sessions import Anonymiser, NotProvedError
from replay.comparing.differences import Verdict, compare
from replay.exporting.conversation_items import read_items, sessions_of
from replay.session_file.records import RecordedSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which sessions are wanted; empty: whatever. `sample` is a share, the same sessions for the same `seed`."""

    since_ms: int | None = None
    until_ms: int | None = None
    reasons: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    sample: float = 1.0
    seed: str = ""

    def takes(self, session: RecordedSession) -> bool:
        """Whether a session is one of them. Times are of its last turn."""
        last_ms = session.turns[-1].record.decided_at_ms
        return (
            (self.since_ms is None or last_ms >= self.since_ms)
            and (self.until_ms is None or last_ms < self.until_ms)
            and (not self.reasons or any(turn.record.handoff_reason in self.reasons for turn in session.turns))
            and (not self.outcomes or any(turn.record.outcome in self.outcomes for turn in session.turns))
            and self._is_drawn(session)
        )

    def _is_drawn(self, session: RecordedSession) -> bool:
        drawn = int.from_bytes(hashlib.sha256(f"{self.seed}|{session.id}".encode()).digest()[:6], "big")
        return drawn < self.sample * 2**48


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A session that must not be written as it is, and why."""

    session: str
    why: str


@dataclass(slots=True)
class Tally:
    """What an export met. `differs` sessions replay otherwise than they were recorded, before a name was changed."""

    seen: int = 0
    taken: int = 0
    incomplete: int = 0
    differs: int = 0
    unreadable: int = 0
    blocked: list[Blocked] = field(default_factory=list)
    whys: Counter[str] = field(default_factory=Counter)


def chosen_sessions(
    conversations: Iterable[tuple[str, Sequence[Any]]], choice: Choice, tally: Tally
) -> Iterator[RecordedSession]:
    """The sessions wanted, one after another."""
    for conversation, items in conversations:
        try:
            found = list(sessions_of(read_items(conversation, items)))
        except UnreadableItemError:
            tally.unreadable += 1
            continue
        for session in found:
            tally.seen += 1
            if choice.takes(session):
                yield session


def exported(sessions: Iterable[RecordedSession], anonymiser: Anonymiser, tally: Tally) -> Iterator[RecordedSession]:
    """Those that are proved and hold nothing of anybody's; the others are told in the tally."""
    for session in sessions:
        try:
            changed, residue = anonymiser.anonymised(session)
        except NotProvedError as error:
            tally.blocked.append(Blocked(session=session.id, why=str(error)))
            continue
        if residue:
            tally.blocked.append(Blocked(session=session.id, why=_told(residue)))
            continue
        tally.taken += 1
        tally.incomplete += bool(session.incomplete)
        played = anonymiser.player.play(changed)
        tally.differs += compare(changed, played).verdict not in (Verdict.SAME, Verdict.TEXT, Verdict.INCOMPLETE)
        yield changed


def _told(residue: Sequence[Residue]) -> str:
    """Kinds and places, never the values."""
    shown = [f"{each.what} {each.hint} in turn {each.turn}" for each in residue[:3]]
    more = f" and {len(residue) - 3} more" if len(residue) > 3 else ""
    return "still looks personal: " + "; ".join(shown) + more
