"""What both stores promise of reading, recording and committing (docs/turn.md); the outbox is in test_outbox_contract."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.actions import Agent
from core.domain.conversation import (
    PENDING_OVERDUE_MS,
    ConversationState,
    Head,
    IdentityLink,
    InboundRecord,
    Mode,
    Snapshot,
)
from core.domain.delivery import PartState
from core.domain.errors import (
    IntegrationError,
    NewcomerError,
    OvertakenError,
    PartMovedError,
    StoreConflictError,
    TakeoverError,
)
from core.domain.messages import MessageKind
from core.domain.spending import Spend
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, commit_of, effect, inbound, part, sending, turn
from tests.integration.store_subjects import RETENTION_DAYS, Subject

ELSEWHERE = "77aa"


def recorded(subject: Subject, *inbounds: InboundRecord) -> Snapshot:
    """Record these messages and read the conversation."""
    for each in inbounds or (inbound(),):
        subject.store.record(each)
    return subject.store.read(CONVERSATION)


def become(subject: Subject, **changes: object) -> Head:
    """A mode change by somebody else."""
    seen = subject.head()
    head = replace(seen, **changes)
    assert subject.store.update_head(CONVERSATION, seen=seen, head=head)
    return subject.head()


def due_at(subject: Subject) -> int | None:
    """When the index brings HEAD back: the first time at which it is due, and not a millisecond before."""

    def is_due(now_ms: int) -> bool:
        return any(pointer.sk == "S#HEAD" for pointer in subject.store.due(now_ms=now_ms))

    head = subject.head()
    wanted = [head.due_ms or 0, (head.pending_since_ms or 0) + PENDING_OVERDUE_MS]
    found = [due_ms for due_ms in wanted if is_due(due_ms) and not is_due(due_ms - 1)]
    assert bool(found) == is_due(2 * MONDAY_MS)
    return min(found, default=None)


# Two workers


def test_of_two_workers_with_the_same_commit_one_is_told_that_it_stands(subject: Subject) -> None:
    commit = commit_of(recorded(subject), parts=(sending(),))

    subject.store.commit(commit)

    with pytest.raises(OvertakenError):
        subject.another_worker().commit(commit)


def test_of_two_workers_with_the_same_change_of_mode_one_is_told_that_it_did_it(subject: Subject) -> None:
    seen = recorded(subject).head
    head = replace(seen, mode=Mode.HUMAN)

    done = [
        worker.update_head(CONVERSATION, seen=seen, head=head) for worker in (subject.store, subject.another_worker())
    ]

    assert done == [True, False]


# Without a time


def undated(name: str = "one", *, at_ms: int, **fields: object) -> InboundRecord:
    return inbound(name, at_ms=at_ms, known_as=f"I#{name}", **fields)


@pytest.mark.parametrize("kind", [MessageKind.TEXT, MessageKind.REACTION])
def test_a_message_without_a_time_is_recorded_where_it_first_was_however_often_it_comes(
    subject: Subject, kind: MessageKind
) -> None:
    pointers = [
        subject.store.record(undated(at_ms=MONDAY_MS + wait, kind=kind)) for wait in (0, 70_000, 7 * 86_400_000)
    ]

    assert len(set(pointers)) == 1
    assert subject.inbounds() == [pointers[0].sk]
    assert subject.head().in_rev == (1 if kind is MessageKind.TEXT else 0)


def test_messages_without_a_time_are_never_one_burst(subject: Subject) -> None:
    assert subject.store.record_burst([undated(at_ms=MONDAY_MS), inbound("two")]) == ()


def test_a_message_without_a_time_is_known_after_its_conversation_moved(subject: Subject) -> None:
    first = subject.store.record(undated(at_ms=MONDAY_MS))
    seen = subject.head()
    head = replace(seen, ver=1, aliases={CONVERSATION: 1})
    subject.store.copy_log(CONVERSATION, ELSEWHERE)
    subject.store.link(
        IdentityLink(conversation=ELSEWHERE, seen=Head(), head=head, alias=CONVERSATION, alias_seen=seen)
    )

    again = subject.store.record(undated(at_ms=MONDAY_MS + 70_000))

    assert again.sk == first.sk
    assert len(subject.inbounds(ELSEWHERE)) == 1


def test_what_the_business_said_without_a_time_is_recorded_once(subject: Subject) -> None:
    for wait in (0, 70_000):
        said = undated(at_ms=MONDAY_MS + wait, kind=MessageKind.ECHO)
        seen = subject.head()
        assert subject.store.interject(said, seen=seen, head=replace(seen, mode=Mode.HUMAN), state=subject.state())

    assert len(subject.inbounds()) == 1


# Money


def test_what_a_turn_cost_is_added_to_the_days_sum(subject: Subject) -> None:
    for name in ("one", "two"):
        snapshot = recorded(subject, inbound(name))
        subject.store.commit(commit_of(snapshot, name=name, spent=Spend(day="20261130", micro_usd=700)))

    assert subject.head().spent == {"20261130": 1400}


def test_a_first_turn_of_an_unknown_conversation_can_cost_something(subject: Subject) -> None:
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), spent=Spend(day="20261130", micro_usd=7)))

    assert subject.head().spent == {"20261130": 7}


def test_money_without_a_commit_is_added_though_the_head_was_written_meanwhile(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.add_spent(CONVERSATION, Spend(day="20261130", micro_usd=5))
    subject.store.commit(commit_of(snapshot, spent=Spend(day="20261130", micro_usd=2)))
    become(subject, mode=Mode.HUMAN)
    subject.store.add_spent(CONVERSATION, Spend(day="20261130", micro_usd=1))

    assert subject.head().spent == {"20261130": 8}


def test_a_new_day_takes_the_place_of_the_one_before(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject), spent=Spend(day="20261130", micro_usd=5)))
    subject.store.commit(commit_of(recorded(subject, inbound("two")), spent=Spend(day="20261201", micro_usd=3)))

    assert subject.head().spent == {"20261201": 3}


def test_money_for_an_unknown_conversation_makes_none(subject: Subject) -> None:
    subject.store.add_spent(CONVERSATION, Spend(day="20261130", micro_usd=5))

    assert subject.head() == Head()


# Read


def test_an_unknown_conversation_is_an_empty_snapshot(subject: Subject) -> None:
    snapshot = subject.store.read(CONVERSATION)

    assert snapshot == Snapshot(conversation=CONVERSATION, head=Head(), state=ConversationState())


def test_a_read_is_one_request(subject: Subject) -> None:
    subject.store.record(inbound())
    before = subject.requests()

    subject.store.read(CONVERSATION, ensure=inbound().sk)

    assert subject.requests() - before == 1


def test_a_read_brings_back_the_message_as_it_was_recorded(subject: Subject) -> None:
    said = inbound(text="Água 💧", details={"profile": ""}, quoted_id="wamid.q")

    assert recorded(subject, said).log == (said,)


def test_messages_come_oldest_first_and_answers_after_their_questions(subject: Subject) -> None:
    first, second = inbound("b", at_ms=MONDAY_MS), inbound("a", at_ms=MONDAY_MS + 1000)
    snapshot = recorded(subject, second, first)
    answer = sending(at_ms=MONDAY_MS + 1999)
    subject.store.commit(commit_of(snapshot, parts=(answer,)))

    log = subject.store.read(CONVERSATION).log

    assert [entry.sk for entry in log] == [first.sk, second.sk, answer.sk]


def test_a_read_brings_the_newest_thirty_messages(subject: Subject) -> None:
    snapshot = recorded(subject, *(inbound(f"n{n}", at_ms=MONDAY_MS + n) for n in range(35)))
    subject.store.commit(commit_of(snapshot))

    log = subject.store.read(CONVERSATION).log

    assert [entry.sk for entry in log] == [inbound(f"n{n}", at_ms=MONDAY_MS + n).sk for n in range(5, 35)]


def test_pending_messages_beyond_the_page_are_fetched_by_one_more_request(subject: Subject) -> None:
    waiting = [inbound(f"n{n}", at_ms=MONDAY_MS + n) for n in range(40)]
    recorded(subject, *waiting)
    before = subject.requests()

    snapshot = subject.store.read(CONVERSATION)

    assert [entry.sk for entry in snapshot.log] == [each.sk for each in waiting]
    assert subject.requests() - before == 2


def test_an_ensured_message_beyond_the_page_is_fetched(subject: Subject) -> None:
    old = inbound("old", at_ms=MONDAY_MS - 60_000)
    snapshot = recorded(subject, old, *(inbound(f"n{n}", at_ms=MONDAY_MS + n) for n in range(33)))
    subject.store.commit(commit_of(snapshot))

    assert subject.store.read(CONVERSATION).inbound(old.sk) is None
    assert subject.store.read(CONVERSATION, ensure=old.sk).inbound(old.sk) == old


def test_an_ensured_message_that_does_not_exist_is_no_error(subject: Subject) -> None:
    assert subject.store.read(CONVERSATION, ensure=inbound("never").sk).log == ()


def test_conversations_do_not_see_each_other(subject: Subject) -> None:
    subject.store.record(inbound(conversation=ELSEWHERE))

    assert subject.store.read(CONVERSATION).log == ()


def test_what_is_past_its_retention_is_gone(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.commit(commit_of(snapshot, state=ConversationState(service="agua")))
    subject.clock.advance(days=RETENTION_DAYS)

    assert subject.store.read(CONVERSATION) == Snapshot(
        conversation=CONVERSATION, head=Head(), state=ConversationState()
    )


# Record


def test_a_message_is_recorded_and_made_pending_by_one_request(subject: Subject) -> None:
    pointer = subject.store.record(inbound())

    assert (pointer.conversation, pointer.sk) == (CONVERSATION, inbound().sk)
    assert subject.inbounds() == [inbound().sk]
    assert subject.requests() == 1
    assert subject.head() == Head(
        in_rev=1,
        pending=frozenset({inbound().sk}),
        pending_since_ms=MONDAY_MS,
        session_start_ms=MONDAY_MS,
        name="Ana",
        last_inbound_ms=MONDAY_MS,
    )
    assert due_at(subject) == MONDAY_MS + PENDING_OVERDUE_MS


def test_a_known_message_changes_nothing(subject: Subject) -> None:
    recorded(subject)
    before = subject.head()

    pointer = subject.store.record(replace(inbound(), received_at_ms=MONDAY_MS + 9000, stale=True))

    assert pointer.sk == inbound().sk
    assert subject.head() == before
    assert subject.store.read(CONVERSATION).log == (inbound(),)


def test_a_known_message_that_was_answered_does_not_become_pending_again(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))

    subject.store.record(inbound())

    assert subject.head().pending == frozenset()


def test_a_second_message_keeps_the_time_since_when_the_first_waits(subject: Subject) -> None:
    recorded(subject, inbound("one"), inbound("two", at_ms=MONDAY_MS + 4000))

    head = subject.head()

    assert (head.in_rev, len(head.pending)) == (2, 2)
    assert (head.pending_since_ms, due_at(subject)) == (MONDAY_MS, MONDAY_MS + PENDING_OVERDUE_MS)


def test_a_conversation_seen_first_begins_its_session_with_the_message(subject: Subject) -> None:
    recorded(subject, inbound(at_ms=MONDAY_MS - 3000, received_at_ms=MONDAY_MS))

    assert subject.head().session_start_ms == MONDAY_MS - 3000


def test_a_session_that_began_is_not_begun_again(subject: Subject) -> None:
    recorded(subject, inbound("one"), inbound("two", at_ms=MONDAY_MS + 4000))

    assert subject.head().session_start_ms == MONDAY_MS


@pytest.mark.parametrize("kind", [MessageKind.REACTION, MessageKind.EDIT, MessageKind.ECHO, MessageKind.UNKNOWN])
def test_a_kind_that_opens_no_turn_is_put_and_nothing_more(subject: Subject, kind: MessageKind) -> None:
    subject.store.record(inbound())
    before = subject.head()

    pointer = subject.store.record(inbound("like", kind=kind, at_ms=MONDAY_MS + 1000))

    assert pointer.sk in subject.inbounds()
    assert subject.head() == before
    assert subject.requests() == 2


def test_a_group_message_is_put_and_nothing_more(subject: Subject) -> None:
    subject.store.record(inbound(group_id="g1"))

    assert (subject.inbounds(), subject.head()) == ([inbound().sk], Head())


def test_a_message_waits_in_human_mode_too_and_is_due_before_a_far_handoff(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.HUMAN, due_ms=MONDAY_MS + 86_400_000)

    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    assert (subject.head().mode, subject.head().due_ms) == (Mode.HUMAN, MONDAY_MS + 86_400_000)
    assert due_at(subject) == MONDAY_MS + PENDING_OVERDUE_MS


def test_a_message_does_not_put_off_what_is_due_sooner(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))
    become(subject, mode=Mode.HUMAN, due_ms=MONDAY_MS + 5000)

    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    assert due_at(subject) == MONDAY_MS + 5000


def test_a_message_brings_a_later_due_time_forward(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))
    become(subject, mode=Mode.HUMAN, due_ms=MONDAY_MS + 86_400_000)

    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    assert (subject.head().in_rev, subject.head().due_ms) == (2, MONDAY_MS + 86_400_000)
    assert due_at(subject) == MONDAY_MS + 1000 + PENDING_OVERDUE_MS
    assert inbound("two", at_ms=MONDAY_MS + 1000).sk in subject.inbounds()


def test_a_message_follows_a_conversation_that_moved(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))

    pointer = subject.store.record(inbound())

    assert (pointer.conversation, pointer.sk) == (ELSEWHERE, inbound().sk)
    assert subject.inbounds() == []
    assert subject.inbounds(ELSEWHERE) == [inbound().sk]
    assert subject.head(ELSEWHERE).pending == {inbound().sk}
    assert subject.store.read(ELSEWHERE).log == (inbound(conversation=ELSEWHERE),)


def test_a_kind_that_opens_no_turn_follows_too(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))

    pointer = subject.store.record(inbound(kind=MessageKind.REACTION))

    assert pointer.conversation == ELSEWHERE
    assert subject.inbounds(ELSEWHERE) == [inbound().sk]


def test_a_message_recorded_before_the_move_is_still_known_where_it_is(subject: Subject) -> None:
    recorded(subject)
    become(subject, moved_to=ELSEWHERE)

    assert subject.store.record(inbound()).conversation == CONVERSATION
    assert subject.inbounds(ELSEWHERE) == []


def test_a_message_recorded_after_the_move_is_known_there(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))
    subject.store.record(inbound())

    assert subject.store.record(inbound()).conversation == ELSEWHERE
    assert subject.head(ELSEWHERE).in_rev == 1


def test_an_alias_that_is_followed_outlives_its_first_retention(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))
    for days in (100, 200):
        subject.clock.advance(days=100)
        said = inbound(f"day{days}", at_ms=subject.clock.now_ms())
        assert subject.store.record(said).conversation == ELSEWHERE


def test_a_conversation_that_moves_in_circles_is_an_error_and_not_a_loop(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))
    subject.store.update_head(ELSEWHERE, seen=Head(), head=Head(moved_to=CONVERSATION))

    with pytest.raises(IntegrationError):
        subject.store.record(inbound())


def test_an_expired_conversation_begins_anew(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.HUMAN, handoff_reason="completed")
    subject.clock.advance(days=RETENTION_DAYS)
    now = subject.clock.now_ms()

    snapshot = recorded(subject, inbound("back", at_ms=now))

    assert snapshot.head == Head(
        in_rev=1,
        pending=frozenset({inbound("back", at_ms=now).sk}),
        pending_since_ms=now,
        session_start_ms=now,
        name="Ana",
        last_inbound_ms=now,
    )
    assert due_at(subject) == now + PENDING_OVERDUE_MS
    subject.store.commit(commit_of(snapshot))
    assert subject.head().ver == 1


# Commit


def test_a_commit_writes_everything_by_one_request(subject: Subject) -> None:
    snapshot = recorded(subject)
    state = replace(snapshot.state, stage=Agent.COLETA, service="agua")
    before = subject.requests()

    subject.store.commit(commit_of(snapshot, state=state, parts=(sending(1), part(2)), effects=(effect(),)))

    assert subject.requests() - before == 1
    head = subject.head()
    assert (head.ver, head.last_turn, head.in_rev) == (1, "t1", 1)
    assert (head.pending, head.pending_since_ms, due_at(subject)) == (frozenset(), None, None)
    assert subject.state() == state
    assert [each.turn for each in subject.turns()] == ["t1"]
    assert subject.parts() == (sending(1), part(2))
    assert subject.effects() == (effect(),)


def test_a_second_commit_stands_on_the_first(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))

    subject.store.commit(commit_of(recorded(subject, inbound("two", at_ms=MONDAY_MS + 9000)), name="t2"))

    assert (subject.head().ver, subject.head().last_turn) == (2, "t2")
    assert len(subject.turns()) == 2


def test_the_next_message_after_a_commit_waits_since_it_came(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))

    recorded(subject, inbound("two", at_ms=MONDAY_MS + 9000))

    assert subject.head().pending_since_ms == MONDAY_MS + 9000
    assert due_at(subject) == MONDAY_MS + 9000 + PENDING_OVERDUE_MS


def test_a_commit_on_a_conversation_never_seen_makes_it(subject: Subject) -> None:
    subject.store.commit(commit_of(subject.store.read(CONVERSATION)))

    assert subject.head().ver == 1


def test_a_newcomer_since_the_read_refuses_the_commit(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    with pytest.raises(NewcomerError):
        subject.store.commit(commit_of(snapshot))

    assert (subject.head().ver, len(subject.head().pending)) == (0, 2)
    assert (subject.turns(), subject.parts()) == ((), ())


def test_a_silent_message_since_the_read_does_not(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.record(inbound("like", kind=MessageKind.REACTION, at_ms=MONDAY_MS + 1000))

    subject.store.commit(commit_of(snapshot))

    assert subject.head().ver == 1


def test_an_unguarded_commit_leaves_the_newcomer_pending_and_due(subject: Subject) -> None:
    snapshot = recorded(subject)
    newcomer = inbound("two", at_ms=MONDAY_MS + 1000)
    subject.store.record(newcomer)
    subject.clock.advance(seconds=5)

    subject.store.commit(commit_of(snapshot, guard_in_rev=False))

    head = subject.head()
    assert (head.ver, head.in_rev, head.pending) == (1, 2, {newcomer.sk})
    assert head.pending_since_ms == MONDAY_MS + 1000
    assert due_at(subject) == MONDAY_MS + 1000 + PENDING_OVERDUE_MS


def test_a_handoff_with_a_message_left_is_due_for_whichever_comes_first(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))
    wanted = replace(
        snapshot.head, mode=Mode.HUMAN, handoff_reason="loop", due_ms=MONDAY_MS + 900_000, pending_since_ms=None
    )

    subject.store.commit(commit_of(snapshot, head=wanted, guard_in_rev=False))

    head = subject.head()
    assert (head.mode, head.handoff_reason, head.due_ms) == (Mode.HUMAN, "loop", MONDAY_MS + 900_000)
    assert due_at(subject) == MONDAY_MS + PENDING_OVERDUE_MS


def test_what_a_commit_leaves_out_stays_pending_and_due(subject: Subject) -> None:
    one, two = inbound("one"), inbound("two", at_ms=MONDAY_MS + 1000)
    snapshot = recorded(subject, one, two)
    subject.clock.advance(seconds=5)

    subject.store.commit(commit_of(snapshot, answered=frozenset({one.sk})))

    head = subject.head()
    assert head.pending == {two.sk}
    assert head.pending_since_ms == two.received_at_ms
    assert due_at(subject) == two.received_at_ms + PENDING_OVERDUE_MS


def test_a_message_from_a_clock_ahead_does_not_put_off_the_sweep(subject: Subject) -> None:
    one, two = inbound("one"), inbound("two", at_ms=MONDAY_MS + 99_000_000, received_at_ms=MONDAY_MS)
    snapshot = recorded(subject, one, two)

    subject.store.commit(commit_of(snapshot, answered=frozenset({one.sk})))

    assert due_at(subject) == MONDAY_MS + PENDING_OVERDUE_MS


def test_a_takeover_since_the_read_refuses_the_commit(subject: Subject) -> None:
    snapshot = recorded(subject)
    become(subject, mode=Mode.HUMAN)

    with pytest.raises(TakeoverError):
        subject.store.commit(commit_of(snapshot))

    assert subject.turns() == ()


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "unguarded"])
def test_another_commit_since_the_read_refuses_the_commit(subject: Subject, guarded: bool) -> None:
    snapshot = recorded(subject)
    subject.store.commit(commit_of(snapshot))

    with pytest.raises(OvertakenError):
        subject.store.commit(commit_of(snapshot, name="t2", guard_in_rev=guarded))

    assert [each.turn for each in subject.turns()] == ["t1"]


def test_a_takeover_is_named_before_a_newcomer(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))
    become(subject, mode=Mode.HUMAN)

    with pytest.raises(TakeoverError):
        subject.store.commit(commit_of(snapshot))


def test_another_commit_is_named_before_a_newcomer(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.commit(commit_of(snapshot))
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    with pytest.raises(OvertakenError):
        subject.store.commit(commit_of(snapshot, name="t2"))


def test_a_commit_in_human_mode_answers_without_changing_the_mode(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.HUMAN, handoff_reason="loop", handoff_since_ms=MONDAY_MS)
    snapshot = recorded(subject, inbound("two", at_ms=MONDAY_MS + 1000))

    subject.store.commit(commit_of(snapshot, guard_in_rev=False))

    head = subject.head()
    assert (head.mode, head.handoff_reason, head.pending) == (Mode.HUMAN, "loop", frozenset())


def test_a_hand_back_since_the_read_is_read_again_and_is_no_takeover(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.HUMAN)
    snapshot = subject.store.read(CONVERSATION)
    become(subject, mode=Mode.BOT)

    with pytest.raises(OvertakenError) as raised:
        subject.store.commit(commit_of(snapshot))

    assert not isinstance(raised.value, TakeoverError)


def test_a_closed_conversation_is_committed_as_seen(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.CLOSED)
    snapshot = subject.store.read(CONVERSATION)

    subject.store.commit(
        commit_of(snapshot, head=replace(snapshot.head, mode=Mode.BOT, session_start_ms=MONDAY_MS + 1, due_ms=None))
    )

    assert (subject.head().mode, subject.head().session_start_ms) == (Mode.BOT, MONDAY_MS + 1)


def test_a_commit_clears_what_its_head_no_longer_says(subject: Subject) -> None:
    recorded(subject)
    become(subject, mode=Mode.HUMAN, handoff_reason="loop", handoff_since_ms=MONDAY_MS, handoff_acknowledged=True)
    snapshot = subject.store.read(CONVERSATION)
    wanted = Head(mode=Mode.BOT, session_start_ms=MONDAY_MS)

    subject.store.commit(commit_of(snapshot, head=wanted))

    assert subject.head() == Head(
        mode=Mode.BOT,
        ver=2,
        in_rev=1,
        last_turn="t1",
        session_start_ms=MONDAY_MS,
        name="Ana",
        last_inbound_ms=MONDAY_MS,
    )


def test_a_commit_cancels_older_pending_parts(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject), parts=(sending(1), part(2, due_ms=MONDAY_MS + 60_000))))
    snapshot = recorded(subject, inbound("two", at_ms=MONDAY_MS + 9000))

    subject.store.commit(commit_of(snapshot, name="t2", cancelled_parts=(part(2).sk,)))

    assert subject.parts()[1] == replace(part(2), state=PartState.CANCELLED)


@pytest.mark.parametrize("sk", [sending(1).sk, part(9).sk], ids=["being sent", "not there"])
def test_a_part_that_cannot_be_cancelled_refuses_the_commit(subject: Subject, sk: str) -> None:
    subject.store.commit(commit_of(recorded(subject), parts=(sending(1),)))
    snapshot = recorded(subject, inbound("two", at_ms=MONDAY_MS + 9000))

    with pytest.raises(PartMovedError):
        subject.store.commit(commit_of(snapshot, name="t2", cancelled_parts=(sk,)))

    assert [each.turn for each in subject.turns()] == ["t1"]
    assert subject.parts() == (sending(1),)


def test_a_takeover_is_named_before_a_part_that_moved(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject), parts=(sending(1),)))
    snapshot = recorded(subject, inbound("two", at_ms=MONDAY_MS + 9000))
    become(subject, mode=Mode.HUMAN)

    with pytest.raises(TakeoverError):
        subject.store.commit(commit_of(snapshot, name="t2", cancelled_parts=(sending(1).sk,)))


def test_every_conflict_is_a_store_conflict() -> None:
    assert all(issubclass(error, StoreConflictError) for error in (NewcomerError, TakeoverError, PartMovedError))


def test_a_turn_without_a_commit_can_be_kept_in_the_ledger(subject: Subject) -> None:
    snapshot = recorded(subject)

    subject.store.append_turn(CONVERSATION, turn("lost", outcome="overtaken"))

    assert [each.turn for each in subject.turns()] == ["lost"]
    assert subject.store.read(CONVERSATION) == snapshot


def test_a_turn_that_the_ledger_has_is_not_written_over(subject: Subject) -> None:
    subject.store.append_turn(CONVERSATION, turn("lost", outcome="overtaken"))

    subject.store.append_turn(CONVERSATION, turn("lost", outcome="answered"))

    assert [each.outcome for each in subject.turns()] == ["overtaken"]


# Mode changes that are no turn


def test_a_mode_change_counts_as_a_version(subject: Subject) -> None:
    recorded(subject)

    head = become(subject, mode=Mode.HUMAN, handoff_acknowledged=True)

    assert (head.ver, head.mode, head.handoff_acknowledged) == (1, Mode.HUMAN, True)


def test_a_mode_change_on_an_older_version_is_refused(subject: Subject) -> None:
    recorded(subject)
    seen = subject.head()
    become(subject, mode=Mode.HUMAN)

    assert not subject.store.update_head(CONVERSATION, seen=seen, head=replace(seen, mode=Mode.CLOSED))
    assert subject.head().mode is Mode.HUMAN


def test_a_mode_change_keeps_messages_that_came_meanwhile_pending_and_due(subject: Subject) -> None:
    subject.store.commit(commit_of(recorded(subject)))
    seen = subject.head()
    newcomer = inbound("two", at_ms=MONDAY_MS + 1000)
    subject.store.record(newcomer)
    subject.clock.advance(seconds=5)

    assert subject.store.update_head(CONVERSATION, seen=seen, head=replace(seen, mode=Mode.BOT, due_ms=None))

    head = subject.head()
    assert (head.ver, head.in_rev, head.pending) == (2, 2, {newcomer.sk})
    assert due_at(subject) == MONDAY_MS + 1000 + PENDING_OVERDUE_MS


def test_a_conversation_never_seen_can_be_given_a_head(subject: Subject) -> None:
    assert subject.store.update_head(CONVERSATION, seen=Head(), head=Head(mode=Mode.HUMAN))

    subject.store.record(inbound())

    head = subject.head()
    assert (head.mode, head.ver, head.in_rev, head.session_start_ms) == (Mode.HUMAN, 1, 1, MONDAY_MS)


# Turns that fail


def test_turns_that_fail_are_counted_with_the_last_ones_kind_until_a_commit(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.note_failure(CONVERSATION, kind="internal_error")
    subject.store.note_failure(CONVERSATION, kind="rate_limited")
    head = subject.head()
    assert (head.failures, head.failure_kind, head.ver, head.in_rev) == (2, "rate_limited", 0, snapshot.head.in_rev)

    subject.store.commit(commit_of(snapshot))
    assert (subject.head().failures, subject.head().failure_kind) == (0, None)


def test_a_failure_undoes_no_commit_and_no_commit_is_undone_by_one(subject: Subject) -> None:
    snapshot = recorded(subject)
    subject.store.commit(commit_of(snapshot))
    subject.store.note_failure(CONVERSATION, kind="internal_error")
    assert subject.head().failures == 0


def test_a_failure_of_a_conversation_that_nobody_knows_leaves_no_trace(subject: Subject) -> None:
    subject.store.note_failure("nobody", kind="internal_error")
    assert not subject.store.read("nobody").head.exists


def test_failures_outlast_a_newcomer(subject: Subject) -> None:
    recorded(subject)
    subject.store.note_failure(CONVERSATION, kind="internal_error")
    recorded(subject, inbound(2))
    assert subject.head().failures == 1
