"""Holds a played case against what it expects: kinds, codes, states and the desk's checks, never the wording."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.domain.actions import ActionCode
from core.domain.handoff import TECHNICAL_REASONS
from core.domain.reply import ReplyKind
from core.domain.values.field_value import FieldStatus
from evaluation.forbidden import find_forbidden
from evaluation.playing import PlayedCase, PlayedTurn
from replay.playing.company import Company

NOT_KNOWN = "not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One expectation. A failed must fails the evaluation; anything else is counted."""

    name: str
    is_must: bool
    passed: bool
    wanted: str
    got: str


def score(played: PlayedCase, company: Company) -> tuple[Score, ...]:
    """Everything that the case expects, in its order; nothing for a case that was not played to its end."""
    if played.incomplete:
        return ()
    return (*_musts(played, company), *_rest(played))


def _musts(played: PlayedCase, company: Company) -> Iterator[Score]:
    expected, turn = played.case.expected, played.last
    kind = _kind(turn)
    if expected.refuses is not None:
        reason = turn.served.reason if turn.served is not None and turn.served.code is ActionCode.REFUSE else ""
        passed = kind == ReplyKind.REFUSAL and (not expected.refuses or reason in expected.refuses)
        wanted = f"refusal {' or '.join(expected.refuses)}".strip()
        yield _must("must_refuse", passed, wanted, f"{kind} {reason}".strip())
    if expected.escalates is not None:
        reason = turn.record.handoff_reason or ""
        listed = reason in expected.escalates if expected.escalates else reason not in TECHNICAL_REASONS
        wanted = f"escalation {' or '.join(expected.escalates)}".strip()
        yield _must("must_escalate", kind == ReplyKind.ESCALATION and listed, wanted, f"{kind} {reason}".strip())
    if expected.answers:
        yield _must("must_answer", kind == ReplyKind.ANSWER, "answer", kind)
    for forbidden in expected.never:
        found = [each for played_turn in played.turns for each in find_forbidden(forbidden, played_turn, company)]
        yield _must(f"must_not {forbidden}", not found, "nothing", "; ".join(found) or "nothing")


def _rest(played: PlayedCase) -> Iterator[Score]:
    expected, turn = played.case.expected, played.last
    if expected.codes:
        got = turn.record.codes[-1] if turn.record.codes else None
        yield _plain("code", got in expected.codes, " or ".join(str(int(each)) for each in expected.codes), str(got))
    for name in ("service", "segment"):
        if (wanted := getattr(expected, name)) is not None:
            got_id = getattr(turn.state, name)
            yield _plain(name, got_id == wanted, wanted, str(got_id))
    if expected.stage is not None:
        yield _plain("stage", turn.state.stage is expected.stage, expected.stage, turn.state.stage)
    for name, value in expected.fields.items():
        held = turn.state.fields.get(name)
        known = held.value if held is not None and held.status is FieldStatus.KNOWN else None
        yield _plain(f"field {name}", known == value, _shown(value), _shown(known))
    for name in expected.declined:
        held = turn.state.fields.get(name)
        is_declined = held is not None and held.status is FieldStatus.DECLINED
        yield _plain(f"declined {name}", is_declined, "declined", "declined" if is_declined else "not declined")
    if expected.packages is not None:
        asked = sorted(turn.record.packages)
        wanted_packages = sorted(expected.packages)
        yield _plain("packages", asked == wanted_packages, _names(wanted_packages), _names(asked))


def _kind(turn: PlayedTurn) -> str:
    return turn.record.reply.kind.value if turn.record.reply is not None else "nothing"


def _shown(value: object) -> str:
    return NOT_KNOWN if value is None else str(value)


def _names(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _must(name: str, passed: bool, wanted: str, got: str) -> Score:
    return Score(name=name, is_must=True, passed=passed, wanted=wanted, got=got)


def _plain(name: str, passed: bool, wanted: str, got: str) -> Score:
    return Score(name=name, is_must=False, passed=passed, wanted=wanted, got=got)
