"""What becomes of HEAD, arrow by arrow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain import head_transitions as transitions
from core.domain.conversation import PENDING_OVERDUE_MS, Head, InboundRecord, Mode
from core.domain.errors import NewcomerError, OvertakenError, StoreConflictError, TakeoverError
from core.domain.messages import InboundMessage, MessageKind, Sender

T0 = 1_796_040_000_000
ONE, TWO, THREE = (f"M#{T0 + n}#i{n}" for n in (1, 2, 3))
# A head on which everything is set.
BUSY = Head(
    mode=Mode.HUMAN,
    ver=7,
    in_rev=5,
    pending=frozenset({ONE, TWO}),
    pending_since_ms=T0 + 1,
    last_turn="t6",
    session_start_ms=T0,
    handoff_reason="loop",
    handoff_since_ms=T0 + 10,
    handoff_acknowledged=True,
    due_ms=T0 + 20,
    aliases={"a": 1},
    bsuid="b",
)


def inbound(sk: str, received_at_ms: int) -> InboundRecord:
    message = InboundMessage(
        provider_id=sk,
        kind=MessageKind.TEXT,
        sender=Sender(phone="5511980000101"),
        phone_number_id="1",
        sent_at_ms=T0,
        text="oi",
    )
    return InboundRecord(conversation="c", sk=sk, message=message, received_at_ms=received_at_ms)


def test_the_first_messages_wait_since_the_first_came_and_open_a_session() -> None:
    head = transitions.recorded(Head(), [inbound(ONE, T0 + 50), inbound(TWO, T0 + 51)])

    assert head == Head(
        in_rev=2,
        pending=frozenset({ONE, TWO}),
        pending_since_ms=T0 + 50,
        session_start_ms=T0 + 1,
        last_inbound_ms=T0 + 51,
    )


def test_a_further_message_changes_neither_since_when_nor_which_session() -> None:
    head = transitions.recorded(BUSY, [inbound(THREE, T0 + 99)])

    assert head == replace(BUSY, in_rev=6, pending=frozenset({ONE, TWO, THREE}), last_inbound_ms=T0 + 99)


def test_an_answer_gives_the_bot_the_word_and_takes_only_what_it_answered() -> None:
    head = transitions.answered(BUSY, turn="t7", pending=frozenset({ONE}), session_start_ms=T0 + 5, closed=False)

    assert head == Head(
        ver=8,
        in_rev=5,
        pending=frozenset({TWO}),
        last_turn="t7",
        session_start_ms=T0 + 5,
        aliases={"a": 1},
        bsuid="b",
    )


def test_an_answer_that_closes_leaves_a_closed_conversation() -> None:
    head = transitions.answered(BUSY, turn="t7", pending=frozenset({ONE}), session_start_ms=T0, closed=True)

    assert (head.mode, head.handoff_reason, head.due_ms) == (Mode.CLOSED, None, None)


def test_what_is_forwarded_leaves_the_word_to_people() -> None:
    head = transitions.forwarded(BUSY, turn="t7", pending=frozenset({ONE, TWO}), session_start_ms=T0)

    assert head == replace(BUSY, ver=8, last_turn="t7", pending=frozenset(), pending_since_ms=None)


def test_a_handoff_waits_for_somebody_to_say_that_they_came() -> None:
    head = transitions.handed_over(Head(ver=3, last_turn="t6"), reason="loop", now_ms=T0, due_ms=T0 + 9)

    assert head == Head(
        ver=3,
        last_turn="t6",
        mode=Mode.HUMAN,
        handoff_reason="loop",
        handoff_since_ms=T0,
        due_ms=T0 + 9,
        handoff_turn="t6",
        people_since_ms=T0,
    )
    assert not transitions.handed_over(BUSY, reason="x", now_ms=T0, due_ms=T0).handoff_acknowledged


def test_a_person_who_speaks_has_the_conversation_until_they_were_silent_for_long() -> None:
    head = transitions.paused_by_person(Head(), spoke_ms=T0, idle_ms=100)

    assert head == Head(
        mode=Mode.HUMAN,
        handoff_since_ms=T0,
        handoff_acknowledged=True,
        due_ms=T0 + 100,
        people_since_ms=T0,
        owner="aplicativo",
        owner_name="aplicativo",
        owner_spoke_ms=T0,
    )


@pytest.mark.parametrize(("spoke", "since"), [(30, 30), (5, 10)], ids=["later", "told late"])
def test_people_who_already_have_it_keep_the_reason_and_the_newest_word(spoke: int, since: int) -> None:
    head = transitions.paused_by_person(BUSY, spoke_ms=T0 + spoke, idle_ms=100)

    assert (head.handoff_reason, head.handoff_since_ms, head.due_ms) == ("loop", T0 + since, T0 + since + 100)


def test_a_reason_that_is_over_is_not_kept_when_a_person_speaks_anew() -> None:
    bot = replace(BUSY, mode=Mode.BOT)

    assert transitions.paused_by_person(bot, spoke_ms=T0 + 5, idle_ms=100).handoff_reason is None
    assert transitions.paused_by_person(bot, spoke_ms=T0 + 5, idle_ms=100).handoff_since_ms == T0 + 5


def test_a_reminder_is_a_turn_of_its_own_that_leaves_people_the_word() -> None:
    assert transitions.reminded(BUSY, turn="t7", due_ms=T0 + 99) == replace(BUSY, ver=8, last_turn="t7", due_ms=T0 + 99)
    assert transitions.waiting_for_idle(BUSY, due_ms=T0 + 99) == replace(BUSY, due_ms=T0 + 99)
    assert transitions.not_due(BUSY) == replace(BUSY, due_ms=None)


def test_an_id_that_is_learned_by_a_message_is_no_new_version() -> None:
    assert transitions.known_by(BUSY, "z", until_ms=9, bsuid="other") == replace(BUSY, ver=8, aliases={"a": 1, "z": 9})
    assert transitions.learned(Head(ver=3), "z", until_ms=9, bsuid="b") == Head(ver=3, aliases={"z": 9}, bsuid="b")


def test_an_id_that_is_led_away_keeps_nothing_waiting() -> None:
    assert transitions.led_away(Head(), "there") == Head(moved_to="there")
    assert transitions.led_away(BUSY, "there") == replace(
        BUSY, moved_to="there", ver=8, pending=frozenset(), pending_since_ms=None, due_ms=None
    )


def merged(kept: Head, other: Head, people: Head | None = None) -> Head:
    return transitions.merged(
        kept, other, mode=Mode.BOT, people=people, session_start_ms=T0, aliases={"o": 4}, bsuid="new"
    )


def test_two_heads_as_one_have_what_either_has_waiting() -> None:
    kept = Head(ver=1, in_rev=2, pending=frozenset({ONE, TWO}), pending_since_ms=T0 + 9, last_turn="t1")
    other = Head(ver=5, in_rev=4, pending=frozenset({TWO, THREE}), pending_since_ms=T0 + 3, aliases={"a": 1})

    assert merged(kept, other) == Head(
        ver=2,
        in_rev=3,
        pending=frozenset({ONE, TWO, THREE}),
        pending_since_ms=T0 + 3,
        last_turn="t1",
        session_start_ms=T0,
        aliases={"a": 1, "o": 4},
        bsuid="new",
    )


def test_people_who_have_either_head_have_both() -> None:
    head = merged(Head(), Head(bsuid="theirs"), people=BUSY)

    assert (head.handoff_reason, head.handoff_since_ms, head.handoff_acknowledged, head.due_ms) == (
        "loop",
        T0 + 10,
        True,
        T0 + 20,
    )
    assert head.bsuid == "theirs"
    assert merged(Head(bsuid="ours"), Head(bsuid="theirs")).bsuid == "ours"
    assert merged(BUSY, Head()).handoff_acknowledged is False
    assert merged(Head(), Head()).pending_since_ms is None


def written(base: Head, wanted: Head, *, answered: frozenset[str] = frozenset(), now_ms: int = T0 + 1_000) -> Head:
    return transitions.written(base=base, wanted=wanted, answered=answered, now_ms=now_ms)


def test_a_write_keeps_what_only_the_table_knows() -> None:
    wanted = Head(ver=99, in_rev=99, mode=Mode.CLOSED, last_turn="t7", aliases={"x": 1}, bsuid="x")

    assert written(BUSY, wanted, answered=BUSY.pending) == Head(
        ver=8, in_rev=5, mode=Mode.CLOSED, last_turn="t7", aliases={"a": 1}, bsuid="b"
    )


def test_what_is_left_waits_since_the_oldest_of_it_came() -> None:
    head = written(BUSY, Head(), answered=frozenset({ONE}))

    assert (head.pending, head.pending_since_ms) == (frozenset({TWO}), T0 + 2)


def test_what_waits_has_never_waited_since_a_time_to_come() -> None:
    assert written(replace(BUSY, pending_since_ms=None), Head(), now_ms=T0).pending_since_ms == T0


@pytest.mark.parametrize(
    ("actual", "guarded", "found"),
    [
        (Head(ver=1, in_rev=1), True, None),
        (Head(ver=1, in_rev=1, mode=Mode.HUMAN), True, TakeoverError),
        (Head(ver=2, in_rev=1, mode=Mode.HUMAN), True, TakeoverError),
        (Head(ver=2, in_rev=1), True, OvertakenError),
        (Head(ver=0, in_rev=1), True, OvertakenError),
        (Head(ver=1, in_rev=1, mode=Mode.CLOSED), True, OvertakenError),
        (Head(ver=1, in_rev=2), True, NewcomerError),
        (Head(ver=1, in_rev=2), False, None),
    ],
)
def test_a_write_is_refused_for_what_moved_since_it_was_seen(
    actual: Head, guarded: bool, found: type[StoreConflictError] | None
) -> None:
    conflict = transitions.conflict(seen=Head(ver=1, in_rev=1), actual=actual, guard_in_rev=guarded)

    assert (type(conflict) if conflict else None) is found


def test_people_who_had_the_word_when_it_was_seen_took_nothing_over() -> None:
    seen = Head(ver=1, mode=Mode.HUMAN)

    assert transitions.conflict(seen=seen, actual=seen, guard_in_rev=True) is None
    assert isinstance(
        transitions.conflict(seen=seen, actual=replace(seen, mode=Mode.BOT), guard_in_rev=True), OvertakenError
    )


@pytest.mark.parametrize(
    ("head", "due_ms"),
    [
        (Head(), None),
        (Head(due_ms=5), 5),
        (Head(pending_since_ms=T0), None),
        (Head(pending=frozenset({ONE}), pending_since_ms=T0), T0 + PENDING_OVERDUE_MS),
        (Head(pending=frozenset({ONE}), pending_since_ms=T0, due_ms=T0), T0),
        (Head(pending=frozenset({ONE}), pending_since_ms=T0, due_ms=T0 + 10**9), T0 + PENDING_OVERDUE_MS),
    ],
)
def test_a_head_is_due_for_whichever_comes_first(head: Head, due_ms: int | None) -> None:
    assert transitions.due_ms_of(head) == due_ms


def test_a_message_that_nobody_answered_is_the_sweeps_after_ten_minutes() -> None:
    assert PENDING_OVERDUE_MS == 10 * 60_000


def test_an_alias_lasts_for_half_the_retention() -> None:
    assert transitions.alias_lasts_until_ms(now_ms=T0, retention_days=3) == T0 + 36 * 3_600_000
