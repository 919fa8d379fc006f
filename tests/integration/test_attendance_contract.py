"""What both stores promise those who attend (docs/attendants.md): the queue, their writes, the pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.domain import head_transitions as transitions
from core.domain.conversation import (
    AuditEntry,
    ConversationState,
    Effect,
    EffectKind,
    EffectState,
    Erasure,
    Head,
    IdentityLink,
    Mode,
    PeopleWrite,
)
from core.domain.delivery import PartOutcome, PartState
from core.domain.errors import OvertakenError, PartMovedError, TakeoverError
from core.domain.messages import Media, MessageKind
from core.domain.record_keys import audit_sk, reply_sk
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, commit_of, inbound, part, sending, status, turn
from tests.integration.store_subjects import Subject

HOUR_MS = 3_600_000


def audit(action: str = "take", *, name: str = "aa") -> AuditEntry:
    return AuditEntry(sk=audit_sk(MONDAY_MS, name), at_ms=MONDAY_MS, actor="bia", actor_name="Bia Lima", action=action)


def write_of(seen: Head, head: Head, **fields: Any) -> PeopleWrite:
    return PeopleWrite(conversation=CONVERSATION, seen=seen, head=head, **{"audit": audit(), **fields})


def taken(head: Head, owner: str = "bia") -> Head:
    return transitions.taken(
        head, owner=owner, owner_name=owner.title(), now_ms=MONDAY_MS + 1, due_ms=MONDAY_MS + HOUR_MS
    )


def waits(subject: Subject, conversation: str, since_ms: int) -> None:
    """A conversation that asks for a person since then."""
    subject.store.record(inbound(conversation=conversation))
    seen = subject.head(conversation)
    asked = transitions.handed_over(seen, reason="human_requested", now_ms=since_ms, due_ms=since_ms + HOUR_MS)
    assert subject.store.update_head(conversation, seen=seen, head=asked)


def queue(subject: Subject, **page: Any) -> list[str]:
    return [each.conversation for each in subject.store.people_queue(**{"limit": 10, **page})]


def test_who_waits_longest_is_first_and_each_page_is_one_request(subject: Subject) -> None:
    for conversation, since_ms in (("c2", MONDAY_MS + 2), ("c1", MONDAY_MS + 1), ("c3", MONDAY_MS + 2)):
        waits(subject, conversation, since_ms)
    before = subject.requests()

    assert queue(subject, limit=2) == ["c1", "c2"]
    assert queue(subject, limit=2, after=(MONDAY_MS + 2, "c2")) == ["c3"]

    assert subject.requests() - before == 2


def test_the_queue_shows_who_writes_why_and_since_when(subject: Subject) -> None:
    waits(subject, CONVERSATION, MONDAY_MS + 5)

    (entry,) = subject.store.people_queue(limit=5)

    assert (entry.head.name, entry.head.handoff_reason) == ("Ana", "human_requested")
    assert (entry.head.people_since_ms, entry.head.last_inbound_ms) == (MONDAY_MS + 5, MONDAY_MS)


def test_who_was_handed_back_or_moved_leaves_the_queue(subject: Subject) -> None:
    waits(subject, CONVERSATION, MONDAY_MS)
    seen = subject.head()

    subject.store.update_head(CONVERSATION, seen=seen, head=transitions.handed_back(seen, closed=False))

    assert queue(subject) == []


def test_what_an_attendant_does_is_one_request_and_stands_whole(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    before = subject.requests()

    assert subject.store.attend(write_of(seen, taken(seen), parts=(part(exempt=True),)))

    assert subject.requests() - before == 1
    assert (subject.head().mode, subject.head().owner, subject.head().ver) == (Mode.HUMAN, "bia", seen.ver + 1)
    assert subject.head().pending == seen.pending
    assert [each.action for each in subject.store.audit_page(CONVERSATION, limit=5)] == ["take"]
    assert len(subject.parts()) == 1


@pytest.mark.parametrize("caption", ["Segue.", ""])
def test_a_file_of_an_attendants_stands_with_its_part(subject: Subject, caption: str) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    media = Media(media_id="4490709327384033", mime_type="application/pdf", filename="Orçamento.pdf")
    file = replace(part(exempt=True, author="Bia Lima", media=media), text=caption)

    assert subject.store.attend(write_of(seen, taken(seen), parts=(file,), once=reply_sk("file-0001")))
    assert not subject.store.attend(write_of(subject.head(), taken(seen), parts=(file,), once=reply_sk("file-0001")))

    assert [(each.media, each.text) for each in subject.parts()] == [(media, caption)]
    assert [each for each in subject.store.log_page(CONVERSATION, limit=5) if each.sk == file.sk] == [file]


def test_a_message_that_comes_meanwhile_does_not_lock_the_attendant_out(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 1000))

    assert subject.store.attend(write_of(seen, taken(seen), answered=seen.pending))

    assert subject.head().pending == {inbound("two", at_ms=MONDAY_MS + 1000).sk}


def test_of_two_attendants_one_has_it(subject: Subject) -> None:
    waits(subject, CONVERSATION, MONDAY_MS)
    seen = subject.head()
    subject.store.attend(write_of(seen, taken(seen, "bia")))

    with pytest.raises(OvertakenError):
        subject.another_worker().attend(write_of(seen, taken(seen, "caio"), audit=audit(name="bb")))

    assert subject.head().owner == "bia"
    assert len(subject.store.audit_page(CONVERSATION, limit=5)) == 1


def test_who_finds_it_taken_from_the_bot_is_told_so(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    subject.store.attend(write_of(seen, taken(seen, "bia")))

    with pytest.raises(TakeoverError):
        subject.store.attend(write_of(seen, taken(seen, "caio")))


def test_a_reply_that_is_sent_again_is_written_once(subject: Subject) -> None:
    waits(subject, CONVERSATION, MONDAY_MS)
    subject.store.attend(write_of(subject.head(), taken(subject.head())))

    def reply() -> bool:
        seen = subject.head()
        head = transitions.replied(seen, now_ms=MONDAY_MS + 2, due_ms=MONDAY_MS + HOUR_MS)
        parts = (part(turn="r1", exempt=True, author="Bia Lima"),)
        return subject.store.attend(
            write_of(seen, head, audit=audit("reply", name="cc"), parts=parts, once=reply_sk("7f"))
        )

    assert reply() is True
    ver = subject.head().ver

    assert reply() is False
    assert subject.head().ver == ver
    assert [each.author for each in subject.parts()] == ["Bia Lima"]


def test_a_part_that_left_meanwhile_is_not_cancelled(subject: Subject) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), parts=(sending(), part(2))))
    seen = subject.head()

    with pytest.raises(PartMovedError):
        subject.store.attend(write_of(seen, taken(seen), cancelled_parts=(sending().sk,)))

    assert subject.head().mode is Mode.BOT
    subject.store.attend(write_of(seen, taken(seen), cancelled_parts=(part(2).sk,)))
    assert [each.state for each in subject.parts()] == [PartState.SENDING, PartState.CANCELLED]


@pytest.mark.parametrize("told_by", ["outcome", "status"])
def test_a_part_that_did_not_arrive_is_told_by_the_head(subject: Subject, told_by: str) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), parts=(sending(),)))
    seen = subject.head()

    if told_by == "outcome":
        subject.store.record_outcome(CONVERSATION, PartOutcome(sk=sending().sk, attempt=1, state=PartState.FAILED))
    else:
        subject.store.apply_status(status("failed"), conversation=CONVERSATION, sk=sending().sk, attempt=1)

    assert [each.state for each in subject.parts()] == [PartState.FAILED]
    assert (subject.head().undelivered, subject.head().ver) == (seen.undelivered + 1, seen.ver)


def test_pages_of_a_long_conversation_are_one_request_each_from_either_side(subject: Subject) -> None:
    for n in range(7):
        subject.store.record(inbound(f"n{n}", at_ms=MONDAY_MS + 1000 * n))
    names = [f"n{n}" for n in range(7)]
    before = subject.requests()

    newest = subject.store.log_page(CONVERSATION, limit=3)
    older = subject.store.log_page(CONVERSATION, before=newest[0].sk, limit=3)
    later = subject.store.log_page(CONVERSATION, after=older[0].sk, limit=3)

    assert subject.requests() - before == 3
    assert [each.sk.rpartition("#i")[2] for each in newest] == names[4:]
    assert [each.sk.rpartition("#i")[2] for each in older] == names[1:4]
    assert [each.sk.rpartition("#i")[2] for each in later] == names[2:5]


def test_turns_come_newest_first(subject: Subject) -> None:
    for n in range(4):
        subject.store.append_turn(CONVERSATION, turn(f"t{n}", at_ms=MONDAY_MS + n))

    first = subject.store.turns_page(CONVERSATION, limit=2)

    assert [each.turn for each in first] == ["t3", "t2"]
    assert [each.turn for each in subject.store.turns_page(CONVERSATION, before=first[-1].sk, limit=2)] == ["t1", "t0"]


def test_what_attendants_did_stays_out_of_a_turns_read(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    subject.store.attend(write_of(seen, taken(seen), once=reply_sk("1"), parts=(replace(part(), exempt=True),)))

    assert [entry.sk for entry in subject.store.read(CONVERSATION).log] == [inbound().sk, part().sk]


# Erasure


def erased(subject: Subject, *, at_ms: int = MONDAY_MS + 500) -> bool:
    seen = subject.head()
    job = Effect(
        sk="E#erase#job",
        turn="erase",
        kind=EffectKind.ERASE,
        state=EffectState.PENDING,
        created_at_ms=at_ms,
        due_ms=at_ms + 1,
    )
    head = transitions.entombed(seen, now_ms=at_ms)
    erasure = Erasure(conversation=CONVERSATION, seen=seen, head=head, job=job, audit=audit("erase"))
    return subject.store.entomb(erasure)


def test_an_erasure_leaves_a_head_of_nothing_and_no_state_and_is_one_request(subject: Subject) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), parts=(sending(),)))
    ver, before = subject.head().ver, subject.requests()

    assert erased(subject)

    assert subject.requests() - before == 1
    assert subject.head() == Head(ver=ver + 1, in_rev=1, erased_at_ms=MONDAY_MS + 500)
    assert subject.state() == ConversationState()
    assert [pointer.sk for pointer in subject.store.due(now_ms=MONDAY_MS + 501)] == ["E#erase#job"]


def test_what_a_read_finds_after_an_erasure_is_newer_than_it(subject: Subject) -> None:
    subject.store.record(inbound())
    erased(subject)
    subject.store.record(inbound("new", at_ms=MONDAY_MS + 9000))

    assert [entry.sk for entry in subject.store.read(CONVERSATION).log] == [inbound("new", at_ms=MONDAY_MS + 9000).sk]


@pytest.mark.parametrize("kind", [MessageKind.TEXT, MessageKind.EDIT])
def test_a_message_of_before_an_erasure_is_told_as_recorded_and_dropped(subject: Subject, kind: MessageKind) -> None:
    subject.store.record(inbound())
    erased(subject)
    subject.store.erase(CONVERSATION, [inbound().sk])

    pointer = subject.store.record(inbound(kind=kind))
    subject.store.record_burst([inbound(), inbound("two", at_ms=MONDAY_MS + 100)])

    assert (pointer.conversation, pointer.sk) == (CONVERSATION, inbound().sk)
    assert subject.inbounds() == []
    assert subject.head().pending == frozenset()


def test_of_a_burst_only_what_was_sent_since_is_taken(subject: Subject) -> None:
    subject.store.record(inbound())
    erased(subject)
    new = inbound("new", at_ms=MONDAY_MS + 9000)

    subject.store.record_burst([inbound("old", at_ms=MONDAY_MS + 10), new])

    assert subject.head().pending == {new.sk}
    assert subject.head().erased_at_ms == MONDAY_MS + 500


def test_a_commit_keeps_the_tombstone(subject: Subject) -> None:
    subject.store.record(inbound())
    erased(subject)
    subject.store.record(inbound("new", at_ms=MONDAY_MS + 9000))

    subject.store.commit(commit_of(subject.store.read(CONVERSATION)))

    assert subject.head().erased_at_ms == MONDAY_MS + 500


def test_an_erasure_of_what_moved_on_is_refused(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 10))
    head = transitions.entombed(seen, now_ms=MONDAY_MS)
    job = Effect(
        sk="E#erase#job", turn="erase", kind=EffectKind.ERASE, state=EffectState.PENDING, created_at_ms=MONDAY_MS
    )

    erasure = Erasure(conversation=CONVERSATION, seen=seen, head=head, job=job, audit=audit("erase"))

    assert subject.store.entomb(erasure) is False
    assert len(subject.inbounds()) == 2


def test_everything_that_is_held_is_given_in_pages_and_can_go(subject: Subject) -> None:
    for n in range(5):
        subject.store.record(inbound(f"n{n}", at_ms=MONDAY_MS + n))
    first = subject.store.holdings(CONVERSATION, limit=4)
    rest = subject.store.holdings(CONVERSATION, after=str(first[-1]["sk"]), limit=4)
    keys = [str(item["sk"]) for item in (*first, *rest)]

    assert keys == sorted([*(inbound(f"n{n}", at_ms=MONDAY_MS + n).sk for n in range(5)), "S#HEAD"])
    subject.store.erase(CONVERSATION, keys)
    assert list(subject.store.holdings(CONVERSATION, limit=4)) == []


def test_an_id_that_leads_elsewhere_keeps_nothing_but_that(subject: Subject) -> None:
    subject.store.record(inbound())
    seen = subject.head()
    link = IdentityLink(conversation="77aa", seen=Head(), head=Head(ver=1), alias=CONVERSATION, alias_seen=seen)
    subject.store.link(link)

    subject.store.bury(CONVERSATION, "elsewhere")
    assert subject.head().name == "Ana"
    subject.store.bury(CONVERSATION, "77aa")

    assert subject.head() == Head(moved_to="77aa")


def test_a_head_that_nobody_can_read_gives_way_to_an_erasure_and_still_tells_the_other_ids(subject: Subject) -> None:
    subject.store.record(inbound(), also="a11a")
    subject.set_by_hand("S#HEAD", mode="pos_venda")
    salvage = subject.store.salvage(CONVERSATION)
    assert (salvage.head, salvage.aliases) == (None, ("a11a",))
    at_ms = MONDAY_MS + 500
    job = Effect(sk="E#erase#job", turn="erase", kind=EffectKind.ERASE, state=EffectState.PENDING, created_at_ms=at_ms)
    head = transitions.entombed(Head(), now_ms=at_ms)

    erasure = Erasure(conversation=CONVERSATION, seen=None, head=head, job=job, audit=audit("erase"))

    assert subject.store.entomb(erasure)
    assert subject.head().erased_at_ms == at_ms
