"""What a played session changed against what it is compared with: the first divergence, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from replay.comparing.wording import change_in_words
from replay.playing.facts import ASPECTS, Facts, facts_of, text_of
from replay.playing.played import PlayedSession, PlayedTurn, cost_of
from replay.session_file.records import RecordedSession, RecordedTurn


class Verdict(StrEnum):
    """What a session came to, best first."""

    SAME = "same"
    TEXT = "text"
    ACCEPTED = "accepted"
    CHANGED = "changed"
    INCOMPLETE = "incomplete"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One aspect of one turn. `words` name the change without a customer's data: equal ones are one group."""

    aspect: str
    words: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A turn as one side has it."""

    facts: Facts
    text: str
    cost_usd: Decimal | None = None
    latency_ms: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnComparison:
    """`customer` is what was written; `drift` the requests that read otherwise."""

    number: int
    customer: str
    before: Seen
    after: Seen
    differences: tuple[Difference, ...] = ()
    drift: tuple[str, ...] = ()

    @property
    def text_changed(self) -> bool:
        """Whether the customer reads something else."""
        return not self.after.error and self.before.text != self.after.text


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionComparison:
    """Every turn that both sides have. `stopped_at`: a carried session was not played on."""

    id: str
    turns: tuple[TurnComparison, ...]
    incomplete: tuple[str, ...] = ()
    stopped_at: int | None = None

    @property
    def first(self) -> TurnComparison | None:
        """The first turn that differs in more than its text; what comes after it may only follow from it."""
        return next((turn for turn in self.turns if turn.differences), None)

    @property
    def verdict(self) -> Verdict:
        """Errors and gaps before anything else: they never count as passes."""
        if any(turn.after.error for turn in self.turns):
            return Verdict.ERROR
        if self.incomplete:
            return Verdict.INCOMPLETE
        if self.first is not None:
            return Verdict.CHANGED
        return Verdict.TEXT if any(turn.text_changed for turn in self.turns) else Verdict.SAME


def recorded_seen(turn: RecordedTurn) -> Seen:
    """A turn as it was."""
    return Seen(
        facts=facts_of(turn.record, turn.effects),
        text=text_of(turn.parts),
        cost_usd=cost_of(turn.calls),
        latency_ms=sum(call.latency_ms for call in turn.calls),
    )


def played_seen(turn: PlayedTurn) -> Seen:
    """A turn as it was played."""
    return Seen(facts=turn.facts, text=turn.text, cost_usd=turn.cost_usd, latency_ms=turn.latency_ms, error=turn.error)


def compare(
    session: RecordedSession, played: PlayedSession, *, against: PlayedSession | None = None
) -> SessionComparison:
    """The played session against the recording, or against another lane that played it."""
    others = {turn.number: played_seen(turn) for turn in against.turns} if against else None
    recorded = {turn.number: turn for turn in session.played_turns()}
    turns = []
    for turn in played.turns:
        before = recorded_seen(recorded[turn.number]) if others is None else others.get(turn.number)
        if before is not None:
            turns.append(_compared(recorded[turn.number], before, turn))
    return SessionComparison(
        id=session.id, turns=tuple(turns), incomplete=session.incomplete, stopped_at=played.stopped_at
    )


def differences_between(before: Facts, after: Facts) -> Iterable[Difference]:
    """In the order in which they are told."""
    for aspect in ASPECTS:
        one, other = before.get(aspect), after.get(aspect)
        if one != other:
            yield Difference(aspect=aspect, words=change_in_words(aspect, one, other), before=one, after=other)


def _compared(recorded: RecordedTurn, before: Seen, turn: PlayedTurn) -> TurnComparison:
    after = played_seen(turn)
    found = () if after.error or before.error else tuple(differences_between(before.facts, after.facts))
    return TurnComparison(
        number=turn.number,
        customer=customer_text(recorded),
        before=before,
        after=after,
        differences=found,
        drift=tuple(str(each.place) for each in turn.drift),
    )


def customer_text(turn: RecordedTurn) -> str:
    """What the customer wrote, or what else it was."""
    answered = (each for each in turn.arrived if each.sk in turn.record.inbound)
    words = (each.message.text or f"[{each.message.kind.value}]" for each in answered)
    return "\n".join(words) or _asked_by_nobody(turn)


def _asked_by_nobody(turn: RecordedTurn) -> str:
    return "[nobody wrote]" if not turn.record.inbound else "[written before]"


def comparison_to_plain(comparison: SessionComparison) -> Mapping[str, Any]:
    """As progress files and reports hold it: turns that changed whole, of the others only their figures."""
    return {
        "id": comparison.id,
        "verdict": comparison.verdict.value,
        "incomplete": list(comparison.incomplete),
        "stopped_at": comparison.stopped_at,
        "first": comparison.first.number if comparison.first else None,
        "turns": [_turn_to_plain(turn) for turn in comparison.turns],
    }


def _turn_to_plain(turn: TurnComparison) -> Mapping[str, Any]:
    figures = {
        "number": turn.number,
        "cost_usd": [_money(turn.before.cost_usd), _money(turn.after.cost_usd)],
        "latency_ms": [turn.before.latency_ms, turn.after.latency_ms],
        "drift": list(turn.drift),
    }
    changed = bool(turn.differences or turn.text_changed or turn.after.error)
    if not changed:
        return figures
    return {
        **figures,
        "customer": turn.customer,
        "text": [turn.before.text, turn.after.text],
        "error": turn.after.error,
        "differences": [
            {"aspect": each.aspect, "words": each.words, "before": each.before, "after": each.after}
            for each in turn.differences
        ],
    }


def _money(cost: Decimal | None) -> str | None:
    return None if cost is None else str(cost)


def aspects_of(differences: Sequence[Difference]) -> tuple[str, ...]:
    """The aspects that differ, in order."""
    return tuple(each.aspect for each in differences)
