"""Statuses at the door, from a body to the part and, when it failed, to people."""

from __future__ import annotations

import pytest

from core.domain.conversation import Mode
from core.domain.delivery import DeliveryRank, OutboundPart, PartState
from core.domain.errors import IntegrationError
from tests.desk import Desk
from tests.door import Door, status_body, text_body

HELLO = '{"s":1}Olá! Como posso ajudar?'


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(monkeypatch, Desk(*[HELLO] * 4))


def answered(door: Door) -> str:
    """A customer was answered; the callback of that answer."""
    door.post(text_body("oi"))
    door.process_all()
    return door.desk.sender.arrived[-1].callback


def the_part(door: Door) -> OutboundPart:
    (part,) = [each for each in door.desk.store.parts(door.desk.conversation) if each.number == 1][:1]
    return part


def says(door: Door, status: str, callback: str | None, code: int | None = None) -> list[str]:
    assert door.post(status_body(status, callback=callback, code=code)) == 200
    return door.process_all()


@pytest.mark.parametrize(
    ("told", "rank"),
    [
        (["sent", "delivered", "read"], DeliveryRank.READ),
        (["read", "delivered", "sent"], DeliveryRank.READ),
        (["played", "read"], DeliveryRank.PLAYED),
        (["delivered", "delivered"], DeliveryRank.DELIVERED),
    ],
    ids=["in order", "backwards", "played first", "twice"],
)
def test_what_became_of_an_answer_only_rises_and_never_waits_in_a_queue(
    door: Door, told: list[str], rank: DeliveryRank
) -> None:
    callback = answered(door)

    assert [says(door, status, callback) for status in told] == [[]] * len(told)
    assert (the_part(door).state, the_part(door).rank) == (PartState.SENT, rank)


def test_a_status_that_comes_before_the_sends_own_answer_is_kept(door: Door) -> None:
    door.post(text_body("oi"))
    door.desk.store.on_next(
        "record_outcome",
        lambda: door.post(status_body("delivered", callback=door.desk.sender.arrived[-1].callback)),
    )
    door.process_all()

    assert the_part(door).rank is DeliveryRank.DELIVERED


@pytest.mark.parametrize("code", [131026, 131047, 131049, 131050, 131021, 131030, 100, 131008, 999_999])
def test_an_answer_that_will_never_arrive_reaches_people_and_the_customer_is_told_nothing(
    door: Door, code: int
) -> None:
    callback = answered(door)

    assert says(door, "failed", callback, code) == ["handoff"]

    turn = door.desk.last_turn
    assert (turn.handoff_reason, turn.handoff_detail) == ("outside_window", str(code))
    assert (door.desk.head.mode, the_part(door).error_code) == (Mode.HUMAN, code)
    assert len(door.desk.replies) == 1


@pytest.mark.parametrize("code", [131000, 130429, 131056, 131053, 368, 190])
def test_an_answer_lost_to_a_passing_fault_reaches_people_and_the_customer_is_told(door: Door, code: int) -> None:
    callback = answered(door)

    assert says(door, "failed", callback, code) == ["handoff"]

    turn = door.desk.last_turn
    assert (turn.handoff_reason, turn.handoff_detail) == ("internal_error", f"undelivered_{code}")
    assert len(door.desk.replies) == 2


def test_agents_do_not_believe_that_an_undelivered_answer_was_read(door: Door) -> None:
    callback = answered(door)
    says(door, "failed", callback, 131026)
    seen = door.desk.store.read(door.desk.conversation)

    assert the_part(door).state is PartState.FAILED
    assert [entry.state for entry in seen.log if isinstance(entry, OutboundPart)] == [PartState.FAILED]


def test_a_failure_told_again_hands_over_once(door: Door) -> None:
    callback = answered(door)
    says(door, "failed", callback, 131026)

    assert says(door, "failed", callback, 131026) == ["already_answered"]
    assert len(door.desk.turns) == 2


def test_a_failure_told_again_after_people_gave_the_conversation_back_is_old(door: Door) -> None:
    callback = answered(door)
    says(door, "failed", callback, 131026)
    seen = door.desk.head
    door.desk.store.update_head(door.desk.conversation, seen=seen, head=_with_bot(seen))

    assert says(door, "failed", callback, 131026) == ["already_answered"]
    assert door.desk.head.mode is Mode.BOT


def test_a_failure_is_not_lost_when_the_queue_refused_its_pointer(door: Door) -> None:
    callback = answered(door)
    door.queue.refuse = lambda _pointer: True
    assert door.post(status_body("failed", callback=callback, code=131026)) == 500
    door.queue.refuse = lambda _pointer: False

    assert says(door, "failed", callback, 131026) == ["handoff"]


def test_a_failure_of_what_the_conversation_has_gone_on_from_troubles_nobody(door: Door) -> None:
    callback = answered(door)
    door.post(text_body("mais uma pergunta"))
    door.process_all()

    assert says(door, "failed", callback, 131026) == ["already_answered"]


def test_a_late_success_does_not_revive_a_failure(door: Door) -> None:
    callback = answered(door)
    says(door, "failed", callback, 131026)
    says(door, "delivered", callback)

    assert the_part(door).state is PartState.FAILED


@pytest.mark.parametrize(
    "callback",
    [None, "", "de outro sistema", "1.abc", "2.0f3c.M#1795953600000#o1.1.2", "1.0f3c.M#1795953600000#o1.1.2"],
    ids=str,
)
@pytest.mark.parametrize("status", ["delivered", "failed"])
def test_a_status_of_nothing_of_ours_is_passed_over(door: Door, callback: str | None, status: str) -> None:
    assert set(says(door, status, callback, 131026 if status == "failed" else None)) <= {"already_answered"}
    assert door.heads() == {}


def test_a_status_that_could_not_be_written_is_asked_for_again(door: Door) -> None:
    callback = answered(door)
    door.desk.store.fail_next("apply_status", IntegrationError("lost"))

    assert door.post(status_body("delivered", callback=callback)) == 500
    says(door, "delivered", callback)
    assert the_part(door).rank is DeliveryRank.DELIVERED


def _with_bot(head):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(head, mode=Mode.BOT, handoff_reason=None, handoff_since_ms=None)
