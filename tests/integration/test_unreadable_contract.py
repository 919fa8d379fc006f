"""What both stores promise of items that this code cannot read (docs/turn.md, "When things fail")."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.conversation import Head, Mode, Seizure
from core.domain.errors import UnreadableItemError
from core.domain.record_keys import HEAD, STATE
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, commit_of, effect, inbound, sending
from tests.integration.store_subjects import Subject


def answered(subject: Subject) -> None:
    """A turn, and a message after it."""
    subject.store.record(inbound("one"))
    subject.store.commit(commit_of(subject.store.read(CONVERSATION)))
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 9000))


def what_is_unreadable(subject: Subject) -> str:
    with pytest.raises(UnreadableItemError) as caught:
        subject.store.read(CONVERSATION)
    return caught.value.what


def test_each_item_that_a_turn_needs_is_named_when_it_cannot_be_read(subject: Subject) -> None:
    answered(subject)
    subject.set_by_hand(inbound("two", at_ms=MONDAY_MS + 9000).sk, received_at_ms="cedo")
    assert what_is_unreadable(subject) == "message"
    subject.set_by_hand(STATE, stage="pos_venda")
    assert what_is_unreadable(subject) == "state"
    subject.set_by_hand(HEAD, mode="vip")
    assert what_is_unreadable(subject) == "head"


def test_a_message_that_no_turn_needs_is_left_out_where_it_cannot_be_read(subject: Subject) -> None:
    answered(subject)
    subject.set_by_hand(inbound("one").sk, received_at_ms="cedo")

    assert [each.message.provider_id for each in subject.store.read(CONVERSATION).inbounds] == [
        inbound("two").message.provider_id
    ]


def test_of_a_conversation_that_cannot_be_read_the_sender_of_the_newest_message_can(subject: Subject) -> None:
    answered(subject)
    newest = inbound("two", at_ms=MONDAY_MS + 9000)
    subject.set_by_hand(newest.sk, received_at_ms="cedo")
    subject.set_by_hand(STATE, stage="pos_venda")
    subject.store.note_failure(CONVERSATION, kind="internal_error")
    before = subject.requests()

    left = subject.store.salvage(CONVERSATION)

    assert subject.requests() - before == 1
    assert left.last is not None
    assert (left.last.recipient, left.last.sent_at_ms) == (newest.recipient, MONDAY_MS + 9000)
    assert left.head is not None
    assert (left.failures, left.head.pending) == (1, {newest.sk})


def test_failures_are_counted_where_head_cannot_be_read(subject: Subject) -> None:
    answered(subject)
    subject.set_by_hand(HEAD, mode="vip")

    subject.store.note_failure(CONVERSATION, kind="internal_error")

    left = subject.store.salvage(CONVERSATION)
    assert (left.head, left.failures) == (None, 1)


def test_a_commit_without_a_state_leaves_it_as_it_is(subject: Subject) -> None:
    answered(subject)
    before = subject.state()
    snapshot = subject.store.read(CONVERSATION)

    subject.store.commit(replace(commit_of(snapshot, name="t2"), state=None))

    assert subject.state() == before
    assert subject.head().pending == frozenset()


def test_people_get_a_conversation_whose_head_cannot_be_read_once_for_each_turn(subject: Subject) -> None:
    answered(subject)
    turn = commit_of(subject.store.read(CONVERSATION), name="t2").turn
    subject.set_by_hand(HEAD, mode="vip")
    seizure = Seizure(
        conversation=CONVERSATION,
        reason="internal_error",
        since_ms=MONDAY_MS,
        due_ms=MONDAY_MS + 5,
        turn=turn,
        parts=(sending(turn="t2"),),
        effects=(effect(),),
    )

    assert subject.store.seize(seizure)
    assert not subject.store.seize(seizure)

    head: Head = subject.head()
    assert (head.mode, head.handoff_reason, head.due_ms, head.in_rev) == (
        Mode.HUMAN,
        "internal_error",
        MONDAY_MS + 5,
        2,
    )
    assert subject.store.due(now_ms=MONDAY_MS + 5)[0].sk == HEAD
    assert [part.turn for part in subject.parts()].count("t2") == 1
    assert len(subject.effects()) == 1
