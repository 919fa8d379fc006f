"""What the sweep does with a part that is due: doubted, sent once more, given up, or left to wait for another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.application.delivery.due_parts import OutboxSweep
from core.application.delivery.send_parts import SendReport
from core.domain.conversation import ConversationState, Head, Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart, PartOutcome, PartState, Recipient
from tests.fakes.clock import MONDAY_MS, FakeClock

WAITING = (PartState.PENDING, PartState.UNKNOWN)


class Desk:
    """A store and a sender that remember what was asked of them."""

    def __init__(self, *, claims: bool = True) -> None:
        self.claims = claims
        self.behind: list[str] = []
        self.rested: list[int] = []
        self.told: list[PartOutcome] = []
        self.claimed: list[tuple[OutboundPart, int]] = []
        self.sent: list[list[int]] = []

    def record_outcome(self, _conversation: str, outcome: PartOutcome, **_behind: Any) -> bool:
        self.told.append(outcome)
        return False

    def claim_part(self, _conversation: str, part: OutboundPart, *, seen_attempt: int, behind: list[str]) -> bool:
        self.claimed.append((part, seen_attempt))
        self.behind = behind
        return self.claims

    def rest_part(self, _conversation: str, part: OutboundPart) -> None:
        self.rested.append(part.number)

    def send(self, _conversation: str, parts: list[OutboundPart], _deadline: Deadline) -> SendReport:
        self.sent.append([part.number for part in parts])
        return SendReport(sent=len(parts))


def part(number: int = 1, **changes: Any) -> OutboundPart:
    plain = OutboundPart(
        sk=f"M#{MONDAY_MS}#ot1.{number}",
        turn="t1",
        number=number,
        text="Olá",
        recipient=Recipient(phone_number_id="1", phone="2"),
        state=PartState.PENDING,
        created_at_ms=MONDAY_MS,
        attempt=1,
        due_ms=MONDAY_MS,
    )
    return replace(plain, **changes)


def settle(
    *parts: OutboundPart, number: int = 1, last_turn: str = "t1", claims: bool = True
) -> tuple[SendReport | None, Desk]:
    desk, clock = Desk(claims=claims), FakeClock()
    sweep = OutboxSweep(store=desk, outbound=desk, clock=clock, unknown_seconds=120)  # type: ignore[arg-type]
    snapshot = Snapshot(conversation="c", head=Head(last_turn=last_turn), state=ConversationState(), log=parts)
    deadline = Deadline(now_ms=clock.now_ms, ends_at_ms=MONDAY_MS + 60_000)
    return sweep.settle(snapshot, part(number).sk, deadline), desk


@pytest.mark.parametrize(("lease", "doubted"), [(None, True), (MONDAY_MS, True), (MONDAY_MS + 1, False)])
def test_a_send_is_doubted_once_its_lease_is_over(lease: int | None, doubted: bool) -> None:
    report, desk = settle(part(state=PartState.SENDING, attempt=2, lease_until_ms=lease))

    told = [(each.state, each.attempt, each.due_ms) for each in desk.told]
    assert told == ([(PartState.UNKNOWN, 2, MONDAY_MS + 120_000)] if doubted else [])
    assert (report, desk.claimed) == (None, [])


@pytest.mark.parametrize("state", WAITING)
def test_a_part_that_waits_is_claimed_and_takes_those_behind_it_along(state: PartState) -> None:
    behind = part(2), part(3, state=PartState.SENT), part(4, turn="t2"), part(5)

    report, desk = settle(part(state=state), *behind)

    ((claimed, seen),) = desk.claimed
    assert (claimed.attempt, claimed.state, claimed.lease_until_ms, seen) == (
        2,
        PartState.SENDING,
        MONDAY_MS + 65_000,
        1,
    )
    assert desk.sent == [[1, 2, 5]]
    assert report == SendReport(sent=3)


@pytest.mark.parametrize("state", WAITING)
def test_a_part_that_somebody_else_took_is_not_sent(state: PartState) -> None:
    report, desk = settle(part(state=state), claims=False)

    assert (report, desk.sent) == (None, [])


@pytest.mark.parametrize(("attempt", "repeated", "again"), [(1, False, True), (2, True, False), (9, False, True)])
def test_a_doubted_part_is_sent_once_more_and_then_people_must_look(attempt: int, repeated: bool, again: bool) -> None:
    """However often it was refused before: a refusal leaves no doubt."""
    report, desk = settle(part(state=PartState.UNKNOWN, attempt=attempt, repeated=repeated))

    assert bool(desk.sent) is again
    if not again:
        assert report == SendReport(given_up=True)
        assert [(each.state, each.error) for each in desk.told] == [(PartState.FAILED, "unknown_twice")]


@pytest.mark.parametrize(("exempt", "again"), [(False, False), (True, True)])
def test_a_doubted_part_whose_conversation_went_on_is_given_up_unless_it_must_be_said(
    exempt: bool, again: bool
) -> None:
    report, desk = settle(part(state=PartState.UNKNOWN, exempt=exempt), last_turn="t2")

    assert bool(desk.sent) is again
    if not again:
        assert report is None
        assert [(each.state, each.error) for each in desk.told] == [(PartState.FAILED, "overtaken")]


@pytest.mark.parametrize("state", [PartState.SENT, PartState.FAILED, PartState.CANCELLED])
def test_what_is_settled_is_left_alone(state: PartState) -> None:
    report, desk = settle(part(state=state, due_ms=None))

    assert (report, desk.sent, desk.told) == (None, [], [])


@pytest.mark.parametrize("state", [PartState.SENT, PartState.FAILED])
def test_behind_a_part_that_a_status_settled_the_next_one_leaves(state: PartState) -> None:
    report, desk = settle(part(1, state=state), part(2, due_ms=None), part(3, due_ms=None))

    assert (desk.sent, desk.rested) == ([[2, 3]], [1])
    assert report == SendReport(sent=2)


def test_a_part_that_a_status_settled_with_nothing_behind_it_is_looked_at_once() -> None:
    _, desk = settle(part(1, state=PartState.SENT))

    assert (desk.sent, desk.rested) == ([], [1])


@pytest.mark.parametrize(
    ("first", "waits"),
    [
        (part(1, state=PartState.PENDING), True),
        (part(1, state=PartState.SENDING), True),
        (part(1, state=PartState.UNKNOWN), True),
        (part(1, state=PartState.UNKNOWN, due_ms=None), False),
        (part(1, state=PartState.SENT), True),
        (part(1, state=PartState.SENT, due_ms=None), False),
        (part(1, state=PartState.FAILED, due_ms=None), False),
        (part(1, turn="t0"), False),
    ],
)
def test_a_part_waits_for_an_earlier_one_of_its_answer_that_is_not_settled(first: OutboundPart, waits: bool) -> None:
    _, desk = settle(first, part(2), number=2)

    assert desk.sent == ([] if waits else [[2]])


def test_a_part_waits_for_none_behind_it() -> None:
    assert settle(part(1), part(2, state=PartState.UNKNOWN))[1].sent == [[1]]


def test_a_part_that_is_gone_is_nothing_to_do() -> None:
    assert settle(part(2))[0] is None
