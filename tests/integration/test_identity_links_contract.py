"""What both stores promise of a customer's several ids, and of the business that speaks in between."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.application.ports import BURST_MAX
from core.domain.conversation import (
    PENDING_OVERDUE_MS,
    ConversationState,
    Head,
    IdentityLink,
    InboundRecord,
    Mode,
)
from core.domain.delivery import PartState
from core.domain.errors import NewcomerError, OvertakenError, SplitIdentityError, TakeoverError
from core.domain.head_transitions import known_by, merged
from core.domain.messages import InboundPointer, MessageKind
from core.domain.spending import Spend
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, commit_of, inbound, part, sending
from tests.integration.store_subjects import RETENTION_DAYS, DynamoSubject, Subject

PHONE, ELSEWHERE = "88bb", "77aa"


def record(subject: Subject, name: str = "one", *, also: str | None = PHONE, **fields: object) -> InboundPointer:
    return subject.store.record(inbound(name, at_ms=subject.clock.now_ms(), **fields), also=also)


def requests_of(subject: Subject, name: str, **fields: object) -> int:
    before = subject.requests()
    record(subject, name, **fields)
    return subject.requests() - before


# Two ids in one message


def test_the_first_message_that_names_both_ids_leaves_an_alias_in_its_one_request(subject: Subject) -> None:
    assert requests_of(subject, "one") == 1

    assert subject.head(PHONE).moved_to == CONVERSATION
    assert subject.head().aliases.keys() == {PHONE}
    assert subject.head().bsuid == CONVERSATION
    assert subject.head().pending == {inbound("one", at_ms=MONDAY_MS).sk}


def test_every_later_message_that_names_both_costs_one_request(subject: Subject) -> None:
    record(subject)
    snapshot = subject.store.read(CONVERSATION)
    subject.store.commit(commit_of(snapshot))

    assert requests_of(subject, "two") == 1
    assert requests_of(subject, "three", kind=MessageKind.REACTION) == 1


def test_what_names_the_phone_alone_then_follows_the_alias(subject: Subject) -> None:
    record(subject)

    assert record(subject, "two", also=None, conversation=PHONE).conversation == CONVERSATION
    assert subject.head().in_rev == 2


def test_what_names_the_bsuid_alone_costs_one_request(subject: Subject) -> None:
    record(subject)

    assert requests_of(subject, "two", also=None) == 1


def test_a_silent_message_introduces_the_ids_too(subject: Subject) -> None:
    record(subject, kind=MessageKind.REACTION)

    assert subject.head(PHONE).moved_to == CONVERSATION
    assert (subject.head().aliases.keys(), subject.head().pending) == ({PHONE}, frozenset())


def test_a_turn_can_be_committed_on_a_head_that_only_knows_its_ids(subject: Subject) -> None:
    record(subject, kind=MessageKind.REACTION)
    snapshot = subject.store.read(CONVERSATION)

    subject.store.commit(commit_of(snapshot))

    assert (subject.head().ver, subject.head().aliases.keys()) == (1, {PHONE})


def test_a_commit_never_forgets_an_id_that_it_did_not_know(subject: Subject) -> None:
    record(subject, also=None)
    snapshot = subject.store.read(CONVERSATION)
    record(subject, "like", kind=MessageKind.REACTION)

    subject.store.commit(commit_of(snapshot))

    assert (subject.head().aliases.keys(), subject.head().bsuid) == ({PHONE}, CONVERSATION)


def test_the_same_message_again_changes_nothing(subject: Subject) -> None:
    record(subject)
    before = subject.head()

    record(subject)

    assert subject.head() == before


def test_an_alias_is_renewed_before_it_ends_by_one_request_in_half_its_life(subject: Subject) -> None:
    record(subject)
    costs = []
    for days in range(RETENTION_DAYS // 30 * 2):
        subject.clock.advance(days=30)
        costs.append(requests_of(subject, f"day{days}"))

    assert record(subject, "phone", also=None, conversation=PHONE).conversation == CONVERSATION
    assert costs == [1, 1, 2] * 4


def test_a_phone_that_has_a_conversation_of_its_own_refuses_and_nothing_is_recorded(subject: Subject) -> None:
    record(subject, "before", also=None, conversation=PHONE)

    with pytest.raises(SplitIdentityError):
        record(subject, "one")

    assert (subject.inbounds(), subject.head()) == ([], Head())


def test_a_phone_that_leads_elsewhere_refuses(subject: Subject) -> None:
    subject.store.update_head(PHONE, seen=Head(), head=Head(moved_to=ELSEWHERE))

    with pytest.raises(SplitIdentityError):
        record(subject)


def test_an_alias_of_the_bsuid_is_followed_to_the_phones_conversation(subject: Subject) -> None:
    record(subject, "before", also=None, conversation=PHONE)
    link(subject, conversation=PHONE, alias=CONVERSATION)

    pointer = record(subject, "one")

    assert pointer.conversation == PHONE
    assert len(subject.inbounds(PHONE)) == 2


# Links


def link(subject: Subject, *, conversation: str = ELSEWHERE, alias: str = CONVERSATION, **changes: object) -> None:
    """Joins the alias to the conversation, with what it has pending."""
    seen, alias_seen = subject.store.read(conversation).head, subject.store.read(alias).head
    head = replace(
        seen,
        ver=seen.ver + 1,
        in_rev=seen.in_rev + len(alias_seen.pending),
        pending=seen.pending | alias_seen.pending,
        pending_since_ms=seen.pending_since_ms or alias_seen.pending_since_ms,
        aliases={**seen.aliases, alias: MONDAY_MS + 1},
        bsuid=alias,
    )
    subject.store.link(
        IdentityLink(
            conversation=conversation, seen=seen, head=replace(head, **changes), alias=alias, alias_seen=alias_seen
        )
    )


def test_a_new_id_leads_to_a_known_conversation_by_one_request(subject: Subject) -> None:
    record(subject, also=None, conversation=ELSEWHERE)
    seen = subject.head(ELSEWHERE)
    before = subject.requests()

    head = replace(seen, ver=1, aliases={CONVERSATION: MONDAY_MS + 1}, bsuid=CONVERSATION)
    subject.store.link(IdentityLink(conversation=ELSEWHERE, seen=seen, head=head, alias=CONVERSATION))

    assert subject.requests() - before == 1
    assert subject.head().moved_to == ELSEWHERE
    assert subject.head(ELSEWHERE) == head


def test_an_id_can_be_linked_to_a_conversation_that_nobody_has_begun(subject: Subject) -> None:
    link(subject)

    assert (subject.head().moved_to, subject.head(ELSEWHERE).ver) == (ELSEWHERE, 1)
    assert record(subject, also=None).conversation == ELSEWHERE


def test_messages_that_wait_go_along(subject: Subject) -> None:
    record(subject, "there", also=None, conversation=ELSEWHERE)
    record(subject, "here", also=None)
    subject.store.copy_log(CONVERSATION, ELSEWHERE)
    link(subject)

    snapshot = subject.store.read(ELSEWHERE)

    assert snapshot.head.pending == {inbound(name, at_ms=MONDAY_MS).sk for name in ("there", "here")}
    assert (snapshot.head.in_rev, len(snapshot.log)) == (2, 2)
    assert (subject.head().pending, due(subject, PENDING_OVERDUE_MS)) == (frozenset(), [(ELSEWHERE, "S#HEAD")])


def due(subject: Subject, after_ms: int) -> list[tuple[str, str]]:
    return [(p.conversation, p.sk) for p in subject.store.due(now_ms=MONDAY_MS + after_ms)]


def test_a_state_goes_along_where_it_is_given(subject: Subject) -> None:
    seen = subject.store.read(ELSEWHERE).head
    state = ConversationState(service="agua")
    subject.store.link(
        IdentityLink(conversation=ELSEWHERE, seen=seen, head=Head(ver=1), state=state, alias=CONVERSATION)
    )

    assert subject.state(ELSEWHERE) == state


def test_what_both_conversations_cost_is_one_sum(subject: Subject) -> None:
    record(subject, also=None)
    subject.store.record(inbound("two", conversation=PHONE))
    subject.store.add_spent(CONVERSATION, Spend(day="20261130", micro_usd=5))
    subject.store.add_spent(PHONE, Spend(day="20261130", micro_usd=7))
    kept, other = subject.head(), subject.head(PHONE)
    head = merged(kept, other, mode=kept.mode, people=None, session_start_ms=1, aliases={PHONE: 1}, bsuid=None)

    subject.store.link(IdentityLink(conversation=CONVERSATION, seen=kept, head=head, alias=PHONE, alias_seen=other))

    assert subject.head().spent == {"20261130": 12}


def test_a_message_between_the_read_and_the_link_refuses_it(subject: Subject) -> None:
    record(subject, also=None)
    seen, alias_seen = subject.head(ELSEWHERE), subject.head()
    record(subject, "two", also=None)

    with pytest.raises(OvertakenError):
        subject.store.link(
            IdentityLink(conversation=ELSEWHERE, seen=seen, head=Head(ver=1), alias=CONVERSATION, alias_seen=alias_seen)
        )

    assert subject.head().moved_to is None


def test_a_turn_between_the_read_and_the_link_refuses_it(subject: Subject) -> None:
    record(subject, also=None, conversation=CONVERSATION)
    seen = subject.head()
    subject.store.commit(commit_of(subject.store.read(CONVERSATION)))

    with pytest.raises(OvertakenError):
        subject.store.link(
            IdentityLink(conversation=CONVERSATION, seen=seen, head=replace(seen, ver=1), alias=ELSEWHERE)
        )

    assert subject.head(ELSEWHERE) == Head()


def test_a_link_between_the_read_and_the_commit_refuses_the_commit(subject: Subject) -> None:
    record(subject, also=None)
    snapshot = subject.store.read(CONVERSATION)
    link(subject)

    with pytest.raises(OvertakenError):
        subject.store.commit(commit_of(snapshot))


def test_an_id_that_somebody_took_meanwhile_refuses_the_link(subject: Subject) -> None:
    record(subject, also=None)

    with pytest.raises(OvertakenError):
        subject.store.link(IdentityLink(conversation=ELSEWHERE, seen=Head(), head=Head(ver=1), alias=CONVERSATION))


def test_an_alias_can_be_led_elsewhere_if_it_still_leads_where_it_was_seen_to(subject: Subject) -> None:
    link(subject)
    seen = subject.head()
    subject.store.link(
        IdentityLink(conversation="99cc", seen=Head(), head=Head(ver=1), alias=CONVERSATION, alias_seen=seen)
    )

    assert subject.head().moved_to == "99cc"
    with pytest.raises(OvertakenError):
        subject.store.link(
            IdentityLink(conversation="aadd", seen=Head(), head=Head(ver=1), alias=CONVERSATION, alias_seen=seen)
        )


def test_an_id_of_somebody_else_is_noted_and_left_where_it_is(subject: Subject) -> None:
    record(subject, also=None, conversation=PHONE)
    before = subject.head(PHONE)
    head = Head(ver=1, aliases={PHONE: MONDAY_MS + 86_400_000}, bsuid=CONVERSATION)
    subject.store.link(IdentityLink(conversation=CONVERSATION, seen=Head(), head=head))

    record(subject, "one")

    assert subject.head(PHONE) == before
    assert requests_of(subject, "two") == 1


def test_noting_an_alias_again_keeps_what_its_outbox_asks_for(subject: Subject) -> None:
    record(subject, also=None, conversation=PHONE)
    snapshot = subject.store.read(PHONE)
    subject.store.commit(commit_of(snapshot, parts=(sending(1), part(2))))
    link(subject, conversation=CONVERSATION, alias=PHONE)
    record(subject, "two")

    assert subject.store.claim_part(PHONE, sending(2), seen_attempt=0)


def test_another_process_notes_known_ids_again_without_a_request_more(on_table: DynamoSubject) -> None:
    record(on_table)
    another = DynamoConversationStore(
        on_table.client, table_name=on_table._table_name, retention_days=RETENTION_DAYS, clock=on_table.clock
    )
    before = on_table.requests()
    another.record(inbound("two", at_ms=on_table.clock.now_ms()), also=PHONE)

    assert on_table.requests() - before == 1


def test_a_conversation_that_moved_away_takes_no_alias(subject: Subject) -> None:
    link(subject)
    moved = subject.head()

    with pytest.raises(OvertakenError):
        subject.store.link(IdentityLink(conversation=CONVERSATION, seen=moved, head=replace(moved, ver=9), alias=PHONE))


# The log of a conversation that moves


def test_a_log_is_copied_whole_and_as_often_as_one_likes(subject: Subject) -> None:
    for number in range(45):
        record(subject, f"n{number}", also=None)
    for _ in range(2):
        subject.store.copy_log(CONVERSATION, ELSEWHERE)

    assert subject.inbounds(ELSEWHERE) == subject.inbounds()
    assert len(subject.inbounds()) == 45


def test_a_copied_message_says_where_it_is(subject: Subject) -> None:
    record(subject, also=None)
    subject.store.copy_log(CONVERSATION, ELSEWHERE)

    (copy,) = subject.store.read(ELSEWHERE).log
    assert isinstance(copy, InboundRecord)
    assert copy.conversation == ELSEWHERE


def test_answers_go_along_as_history_and_only_the_source_sends_them(subject: Subject) -> None:
    record(subject, also=None)
    commit = commit_of(subject.store.read(CONVERSATION), parts=(sending(1), part(2)))
    subject.store.commit(commit)
    subject.store.copy_log(CONVERSATION, ELSEWHERE)

    assert [(each.number, each.state, each.due_ms) for each in subject.parts(ELSEWHERE)] == [
        (1, PartState.SENDING, None)
    ]
    assert all(conversation == CONVERSATION for conversation, _ in due(subject, 86_400_000))


def test_what_moved_leaves_nothing_of_the_customers_behind_but_what_its_outbox_needs(subject: Subject) -> None:
    for number in range(120):
        record(subject, f"n{number}", also=None)
    commit = commit_of(subject.store.read(CONVERSATION), parts=(sending(1),), state=ConversationState(service="alfa"))
    subject.store.commit(commit)
    subject.store.copy_log(CONVERSATION, ELSEWHERE)
    link(subject)

    for _ in range(2):
        subject.store.forget_moved(CONVERSATION)

    assert (subject.inbounds(), subject.state()) == ([], ConversationState())
    assert [each.state for each in subject.parts()] == [PartState.SENDING]
    assert len(subject.inbounds(ELSEWHERE)) == 120
    assert subject.head().moved_to == ELSEWHERE


def test_a_conversation_that_did_not_move_forgets_nothing(subject: Subject) -> None:
    record(subject, also=None)

    subject.store.forget_moved(CONVERSATION)

    assert len(subject.inbounds()) == 1


def test_a_part_of_a_conversation_that_moved_can_still_be_sent(subject: Subject) -> None:
    record(subject, also=None)
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), parts=(sending(1), part(2))))
    link(subject)

    assert subject.store.claim_part(CONVERSATION, sending(2), seen_attempt=0)


# Several messages at once


def burst(subject: Subject, *names: str, also: str | None = PHONE, **fields: object) -> list[str]:
    inbounds = [inbound(name, at_ms=MONDAY_MS + n, **fields) for n, name in enumerate(names)]
    return [pointer.sk for pointer in subject.store.record_burst(inbounds, also=also)]


def test_a_burst_is_recorded_and_made_pending_by_one_request(subject: Subject) -> None:
    sks = burst(subject, "a", "b", "c")

    assert subject.requests() == 1
    assert (subject.inbounds(), subject.head().pending, subject.head().in_rev) == (sks, frozenset(sks), 3)
    assert (subject.head().session_start_ms, subject.head(PHONE).moved_to) == (MONDAY_MS, CONVERSATION)


def test_a_burst_costs_the_next_message_nothing(subject: Subject) -> None:
    burst(subject, "a", "b")

    assert requests_of(subject, "c") == 1
    assert subject.head().in_rev == 3


def test_of_a_burst_that_comes_again_only_what_is_new_is_recorded(subject: Subject) -> None:
    burst(subject, "a", "b")
    before = subject.requests()

    sks = burst(subject, "a", "b", "c")

    assert list(subject.inbounds()) == sorted(sks)
    assert (subject.head().in_rev, subject.head().pending) == (3, frozenset(sks))
    assert burst(subject, "a", "b", "c") == sks
    assert subject.requests() - before <= 3


def test_a_burst_follows_a_conversation_that_moved(subject: Subject) -> None:
    subject.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to=ELSEWHERE))

    pointers = subject.store.record_burst([inbound("a"), inbound("b", at_ms=MONDAY_MS + 1)])

    assert {pointer.conversation for pointer in pointers} == {ELSEWHERE}
    assert subject.head(ELSEWHERE).pending == {pointer.sk for pointer in pointers}
    assert not subject.inbounds()


def test_a_burst_of_a_customer_whose_ids_lead_apart_records_nothing(subject: Subject) -> None:
    record(subject, "x", also=None, conversation=PHONE)

    with pytest.raises(SplitIdentityError):
        burst(subject, "a", "b")
    assert not subject.inbounds()


def test_a_burst_that_holds_a_message_twice_is_not_plain(subject: Subject) -> None:
    one = inbound("a")

    assert subject.store.record_burst([one, one]) == ()


def test_a_running_turn_sees_a_burst_as_newcomers(subject: Subject) -> None:
    record(subject)
    snapshot = subject.store.read(CONVERSATION)
    burst(subject, "a", "b")

    with pytest.raises(NewcomerError):
        subject.store.commit(commit_of(snapshot))


def test_a_burst_that_fills_a_transaction_is_one_request(on_table: DynamoSubject) -> None:
    sks = burst(on_table, *(f"n{n}" for n in range(BURST_MAX)))

    assert (on_table.requests(), len(sks)) == (1, BURST_MAX)
    assert burst(on_table, *(f"n{n}" for n in range(BURST_MAX))) == sks
    assert on_table.requests() == 2


@pytest.mark.parametrize("messages", [BURST_MAX + 1, 120])
def test_a_burst_over_the_tables_limits_records_nothing(on_table: DynamoSubject, messages: int) -> None:
    assert burst(on_table, *(f"n{n}" for n in range(messages))) == []
    assert on_table.requests() == 0


def test_a_burst_of_texts_that_are_too_long_together_records_nothing(on_table: DynamoSubject) -> None:
    assert burst(on_table, *(f"n{n}" for n in range(20)), text="a" * 240_000) == []
    assert on_table.requests() == 0


# The business speaks


def interject(subject: Subject, *, seen: Head | None = None, name: str = "echo") -> bool:
    snapshot = subject.store.read(CONVERSATION)
    echo = inbound(name, at_ms=MONDAY_MS + 500, kind=MessageKind.ECHO)
    head = replace(snapshot.head, mode=Mode.HUMAN, handoff_acknowledged=True, due_ms=MONDAY_MS + 86_400_000)
    state = replace(snapshot.state, human_since_ms=MONDAY_MS)
    return subject.store.interject(echo, seen=seen or snapshot.head, head=head, state=state)


def test_the_business_takes_the_word_by_one_request(subject: Subject) -> None:
    record(subject, also=None)
    seen = subject.head()
    before = subject.requests()

    assert interject(subject, seen=seen)

    assert subject.requests() - before == 2
    assert (subject.head().mode, subject.head().ver, len(subject.head().pending)) == (Mode.HUMAN, 1, 1)
    assert subject.state().human_since_ms == MONDAY_MS
    assert len(subject.inbounds()) == 2


def test_the_business_can_speak_first(subject: Subject) -> None:
    assert interject(subject)
    assert subject.head().mode is Mode.HUMAN


def test_an_echo_delivered_again_does_not_take_the_word_again(subject: Subject) -> None:
    interject(subject)
    seen = subject.head()
    subject.store.update_head(CONVERSATION, seen=seen, head=replace(seen, mode=Mode.BOT))

    assert interject(subject)
    assert subject.head().mode is Mode.BOT


def test_the_business_speaks_on_what_it_saw_or_not_at_all(subject: Subject) -> None:
    record(subject, also=None)
    seen = subject.head()
    record(subject, "two", also=None)

    assert not interject(subject, seen=seen)
    assert (subject.head().mode, len(subject.inbounds())) == (Mode.BOT, 2)


def test_a_running_turn_loses_the_word_to_the_business(subject: Subject) -> None:
    record(subject, also=None)
    snapshot = subject.store.read(CONVERSATION)
    interject(subject)

    with pytest.raises(TakeoverError):
        subject.store.commit(commit_of(snapshot))


def test_an_id_that_became_another_persons_tells_whose_it_was(subject: Subject) -> None:
    subject.store.record(inbound())
    subject.store.record(inbound("theirs", conversation="b22b"))
    for home in (CONVERSATION, "b22b"):
        seen, alias_seen = subject.head(home), subject.head("a11a")
        head = known_by(seen, "a11a", until_ms=MONDAY_MS + 86_400_000, bsuid=None)
        subject.store.link(IdentityLink(conversation=home, seen=seen, head=head, alias="a11a", alias_seen=alias_seen))

    alias = subject.head("a11a")
    assert (alias.moved_to, alias.formerly) == ("b22b", CONVERSATION)
