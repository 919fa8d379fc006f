"""Plays the labelled replies, texts and customers' lines through the real use case, for the laboratory that they are of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.domain.conversation import ConversationState, Mode
from core.domain.values.field_value import FieldStatus
from tests.desk import Desk
from tests.shipped_companies import PROMPTS_DIR, CompanyFiles, read_company

_CASES = Path(__file__).parents[1] / "cases" / "answers"


def rows(name: str) -> list[dict[str, Any]]:
    """A table of `tests/cases/answers`."""
    return [json.loads(line) for line in (_CASES / f"{name}.jsonl").read_text("utf-8").splitlines()]


@cache
def laboratory() -> CompanyFiles:
    """The company that the rows were written for."""
    return read_company(PROMPTS_DIR, "laboratorio")


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a row's last message: the texts that arrived, the calls that it cost beyond one, the state."""

    sent: str
    extra_calls: int
    handed_over: bool
    reason: str
    guard: Mapping[str, Any]
    findings: Sequence[str]
    state: ConversationState

    def value(self, name: str) -> Any:
        """A known field's value as JSON shows it."""
        entry = self.state.fields.get(name)
        if entry is None or entry.status is not FieldStatus.KNOWN:
            return None
        value = entry.value
        return int(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def is_declined(self, name: str) -> bool:
        """Whether the customer refused it."""
        entry = self.state.fields.get(name)
        return entry is not None and entry.status is FieldStatus.DECLINED


def play(setup: Sequence[Sequence[str]], customer: str, *replies: str, picks: str = "INVALID_FORMAT") -> Played:
    """A conversation up to `customer`, whose turn is answered by `replies` in order; `picks` is the model repair's."""
    desk = Desk(company=laboratory())
    for line, reply in setup:
        desk.agent.script(reply)
        desk.says(line)
    desk.llm.script(picks)
    before, asked, repaired = len(desk.replies), desk.agent.calls, len(desk.llm.calls)
    desk.agent.script(*replies)
    result = desk.says(customer)
    desk.agent.script()  # what was not asked for stays unsaid
    turn = desk.last_turn
    repairs = sum(call.purpose == "repair" for call in desk.llm.calls[repaired:])
    return Played(
        sent="\n".join(desk.replies[before:]),
        extra_calls=desk.agent.calls - asked - 1 + repairs,
        handed_over=desk.head.mode is Mode.HUMAN,
        reason=result.reason,
        guard=turn.guard,
        findings=turn.egress_findings,
        state=desk.state,
    )
