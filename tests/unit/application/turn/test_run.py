"""How long an answer may be undone by another message."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.application.journal import TurnJournal
from core.application.turn.run import TurnRun
from core.domain.deadline import Deadline

T0 = 1_796_040_000_000


@pytest.mark.parametrize(
    ("reruns", "after_ms", "yields"),
    [(0, 0, True), (1, 20_000, True), (2, 0, False), (0, 20_000, True), (0, 20_001, False)],
)
def test_newcomers_undo_an_answer_twice_and_for_twenty_seconds(reruns: int, after_ms: int, yields: bool) -> None:
    run = TurnRun(
        conversation="c",
        sk=None,
        deadline=Deadline(now_ms=lambda: T0, ends_at_ms=T0 + 60_000),
        forced=None,
        journal=TurnJournal(lambda _model: None),
        started_at_ms=T0,
    )
    turn: Any = SimpleNamespace(opened_at_ms=T0 + after_ms)
    for _ in range(reruns):
        run.starts_again(turn)

    assert run.yields_to_newcomers(turn) is yields
    assert run.overtaken is (turn if reruns else None)
