"""What both stores promise of parts, statuses, effects and of what is due (docs/turn.md, "Outcome", "Status", step 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.delivery import DeliveryRank, OutboundPart, PartOutcome, PartState, SendFailure, being_sent
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import (
    CONVERSATION,
    commit_of,
    effect,
    inbound,
    part,
    sending,
    status,
)
from tests.integration.store_subjects import Subject

SENT = PartOutcome(sk=sending().sk, attempt=1, state=PartState.SENT, provider_id="wamid.ours")
UNKNOWN = PartOutcome(sk=sending().sk, attempt=1, state=PartState.UNKNOWN, error="timeout", due_ms=MONDAY_MS + 120_000)


def committed(subject: Subject, *parts: OutboundPart, head_changes: dict[str, object] | None = None) -> None:
    """A turn that left these parts."""
    subject.store.record(inbound())
    snapshot = subject.store.read(CONVERSATION)
    head = replace(snapshot.head, pending_since_ms=None, due_ms=None, **(head_changes or {}))
    subject.store.commit(commit_of(snapshot, head=head, parts=parts))


def taken_over(subject: Subject) -> None:
    seen = subject.head()
    assert subject.store.update_head(CONVERSATION, seen=seen, head=replace(seen, mode=Mode.HUMAN))


def another_turn(subject: Subject, **fields: object) -> None:
    subject.store.record(inbound("two", at_ms=MONDAY_MS + 9000))
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), name="t2", **fields))


def report(subject: Subject, outcome: PartOutcome = SENT, start_next: OutboundPart | None = None) -> bool:
    return subject.store.record_outcome(CONVERSATION, outcome, start_next=start_next)


def say(subject: Subject, said: str = "delivered", *, attempt: int = 1, number: int = 1, **fields: object) -> bool:
    return subject.store.apply_status(
        status(said, **fields), conversation=CONVERSATION, sk=part(number).sk, attempt=attempt
    )


# The outcome of a send


def test_an_outcome_is_written_by_one_request(subject: Subject) -> None:
    committed(subject, sending())
    before = subject.requests()

    assert not report(subject)

    assert subject.requests() - before == 1
    (written,) = subject.parts()
    assert written == replace(
        sending(),
        state=PartState.SENT,
        rank=DeliveryRank.SENT,
        provider_id="wamid.ours",
        lease_until_ms=None,
        due_ms=None,
    )


def test_a_part_sent_is_no_longer_due(subject: Subject) -> None:
    committed(subject, sending())
    assert subject.store.due(now_ms=MONDAY_MS + 60_000)

    report(subject)

    assert subject.store.due(now_ms=MONDAY_MS + 60_000) == ()


def test_an_outcome_that_is_unsure_leaves_the_part_due(subject: Subject) -> None:
    committed(subject, sending())

    report(subject, UNKNOWN)

    (written,) = subject.parts()
    assert (written.state, written.error, written.due_ms) == (PartState.UNKNOWN, "timeout", MONDAY_MS + 120_000)
    assert [each.sk for each in subject.store.due(now_ms=MONDAY_MS + 120_000)] == [written.sk]


def test_an_unknown_part_can_still_be_reported(subject: Subject) -> None:
    committed(subject, sending())
    report(subject, UNKNOWN)

    report(subject)

    (written,) = subject.parts()
    assert (written.state, written.error) == (PartState.SENT, None)


def test_an_outcome_of_another_attempt_changes_nothing(subject: Subject) -> None:
    committed(subject, sending(attempt=2))

    assert not report(subject, SENT, sending(2))

    assert subject.parts() == (sending(attempt=2),)


def test_an_outcome_of_a_part_that_is_gone_changes_nothing(subject: Subject) -> None:
    assert not report(subject)

    assert subject.parts() == ()


# The next part


def test_the_outcome_and_the_next_part_are_one_request(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    before = subject.requests()

    assert report(subject, SENT, sending(2))

    assert subject.requests() - before == 1
    first, second = subject.parts()
    assert (first.state, second) == (PartState.SENT, sending(2))


def test_the_next_part_of_a_closing_turn_is_started(subject: Subject) -> None:
    committed(subject, sending(1), part(2), head_changes={"mode": Mode.CLOSED})

    assert report(subject, SENT, sending(2))


def test_after_a_takeover_the_next_part_is_cancelled_and_the_outcome_is_kept(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    taken_over(subject)

    assert not report(subject, SENT, sending(2))

    assert [each.state for each in subject.parts()] == [PartState.SENT, PartState.CANCELLED]


def test_an_exempt_part_is_started_after_the_takeover(subject: Subject) -> None:
    committed(subject, sending(1, exempt=True), part(2, exempt=True))
    taken_over(subject)

    assert report(subject, SENT, sending(2, exempt=True))


def test_after_a_later_turn_the_next_part_is_cancelled(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    another_turn(subject)

    assert not report(subject, SENT, sending(2))

    assert [each.state for each in subject.parts()] == [PartState.SENT, PartState.CANCELLED]


@pytest.mark.parametrize("exempt", [False, True], ids=["ordinary", "exempt"])
def test_a_cancelled_part_is_not_started(subject: Subject, exempt: bool) -> None:
    committed(subject, sending(1), part(2, exempt=exempt))
    another_turn(subject, cancelled_parts=(part(2).sk,))

    assert not report(subject, SENT, sending(2, exempt=exempt))

    assert [each.state for each in subject.parts()] == [PartState.SENT, PartState.CANCELLED]


def test_a_part_that_somebody_else_began_is_not_started(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    assert subject.store.claim_part(CONVERSATION, sending(2), seen_attempt=0)

    assert not report(subject, SENT, sending(2))

    assert subject.parts()[0].state is PartState.SENT


def test_an_outcome_that_comes_after_its_status_still_starts_the_next_part(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    say(subject, "delivered")

    assert report(subject, SENT, sending(2))

    first, second = subject.parts()
    assert (first.rank, second.state) == (DeliveryRank.DELIVERED, PartState.SENDING)


def test_an_outcome_that_comes_after_a_failed_status_starts_nothing(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    say(subject, "failed", error_code=131026)

    assert not report(subject, SENT, sending(2))

    assert [each.state for each in subject.parts()] == [PartState.FAILED, PartState.PENDING]


# Claims of the sweep


@pytest.mark.parametrize("state", [PartState.PENDING, PartState.UNKNOWN])
def test_a_part_that_waits_can_be_claimed_once(subject: Subject, state: PartState) -> None:
    waiting = part(state=state, attempt=1, due_ms=MONDAY_MS)
    committed(subject, waiting)
    lease = MONDAY_MS + 65_000

    claims = [
        subject.store.claim_part(CONVERSATION, replace(waiting, lease_until_ms=lease), seen_attempt=1) for _ in range(2)
    ]

    assert claims == [True, False]
    (claimed,) = subject.parts()
    assert (claimed.state, claimed.attempt, claimed.lease_until_ms) == (PartState.SENDING, 2, lease)
    assert claimed.due_ms == lease


@pytest.mark.parametrize("state", [PartState.PENDING, PartState.UNKNOWN])
def test_of_two_workers_that_ask_for_the_same_at_once_one_has_the_part(subject: Subject, state: PartState) -> None:
    committed(subject, part(state=state, attempt=1, due_ms=MONDAY_MS))
    wanted = sending(attempt=2)

    claims = [
        worker.claim_part(CONVERSATION, wanted, seen_attempt=1) for worker in (subject.store, subject.another_worker())
    ]

    assert claims == [True, False]


@pytest.mark.parametrize("state", [PartState.SENDING, PartState.SENT, PartState.FAILED, PartState.CANCELLED])
def test_a_part_that_does_not_wait_cannot_be_claimed(subject: Subject, state: PartState) -> None:
    committed(subject, part(state=state, attempt=1, lease_until_ms=MONDAY_MS + 60_000, due_ms=MONDAY_MS + 60_000))
    before = subject.parts()

    assert not subject.store.claim_part(CONVERSATION, sending(), seen_attempt=1)

    assert subject.parts() == before


def test_a_claim_after_a_doubt_is_remembered_and_one_after_a_refusal_is_none(subject: Subject) -> None:
    committed(subject, part(1, state=PartState.UNKNOWN, attempt=1), part(2, attempt=1))

    for each in subject.parts():
        claim = being_sent(each, lease_until_ms=MONDAY_MS + 60_000)
        assert subject.store.claim_part(CONVERSATION, claim, seen_attempt=1)

    assert [each.repeated for each in subject.parts()] == [True, False]


def test_a_claim_on_an_older_attempt_is_refused(subject: Subject) -> None:
    committed(subject, part(attempt=2))

    assert not subject.store.claim_part(CONVERSATION, sending(), seen_attempt=1)


def test_a_part_that_a_later_turn_overtook_is_never_claimed(subject: Subject) -> None:
    committed(subject, part(state=PartState.UNKNOWN, attempt=1))
    another_turn(subject)

    assert not subject.store.claim_part(CONVERSATION, sending(), seen_attempt=1)


def test_after_a_takeover_only_exempt_parts_are_claimed(subject: Subject) -> None:
    committed(subject, part(1), part(2, exempt=True))
    taken_over(subject)

    assert not subject.store.claim_part(CONVERSATION, sending(1), seen_attempt=0)
    assert subject.store.claim_part(CONVERSATION, sending(2, exempt=True), seen_attempt=0)


@pytest.mark.parametrize(
    ("state", "after"), [(PartState.PENDING, PartState.CANCELLED), (PartState.UNKNOWN, PartState.UNKNOWN)]
)
@pytest.mark.parametrize("lose", [taken_over, another_turn])
def test_a_part_whose_turn_lost_the_word_is_not_due_for_ever(
    subject: Subject, lose: Callable[[Subject], None], state: PartState, after: PartState
) -> None:
    committed(subject, part(state=state, attempt=1, due_ms=MONDAY_MS))
    lose(subject)

    assert not subject.store.claim_part(CONVERSATION, sending(), seen_attempt=1)

    (retired,) = subject.parts()
    assert (retired.state, retired.attempt, retired.due_ms) == (after, 1, None)
    assert subject.store.due(now_ms=MONDAY_MS) == ()


# Statuses


def test_ranks_only_rise(subject: Subject) -> None:
    committed(subject, sending())
    report(subject)

    assert [say(subject, said) for said in ("delivered", "sent", "read", "delivered", "read")] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert subject.parts()[0].rank is DeliveryRank.READ


@pytest.mark.parametrize("state", [PartState.SENDING, PartState.UNKNOWN])
@pytest.mark.parametrize("said", ["sent", "delivered", "read"])
def test_a_status_with_our_callback_settles_a_part_that_nobody_is_sure_of(
    subject: Subject, state: PartState, said: str
) -> None:
    committed(subject, replace(sending(), state=state))

    assert say(subject, said)

    (settled,) = subject.parts()
    assert (settled.state, settled.provider_id) == (PartState.SENT, "wamid.ours")
    assert (settled.due_ms, settled.lease_until_ms) == (sending().due_ms, None)


def test_a_part_that_a_status_settled_rests_once_it_was_looked_at(subject: Subject) -> None:
    committed(subject, sending())
    subject.store.rest_part(CONVERSATION, sending())
    assert subject.parts()[0].due_ms is not None
    say(subject)

    subject.store.rest_part(CONVERSATION, sending())

    assert (subject.parts()[0].state, subject.parts()[0].due_ms) == (PartState.SENT, None)


def test_a_part_behind_one_that_failed_is_due_from_then_on(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    failed = replace(SENT, state=PartState.FAILED, provider_id=None)

    subject.store.record_outcome(CONVERSATION, failed, release=part(2).sk, release_due_ms=MONDAY_MS + 5)

    assert [(each.state, each.due_ms) for each in subject.parts()] == [
        (PartState.FAILED, None),
        (PartState.PENDING, MONDAY_MS + 5),
    ]


def test_a_part_behind_one_that_nobody_is_sure_of_is_due_to_nobody(subject: Subject) -> None:
    committed(subject, sending(1), part(2))

    subject.store.record_outcome(CONVERSATION, UNKNOWN, release=part(2).sk, release_due_ms=MONDAY_MS + 5)

    assert [each.due_ms for each in subject.parts()] == [UNKNOWN.due_ms, None]


def test_a_part_that_a_status_settled_first_keeps_its_time_for_the_one_behind_it(subject: Subject) -> None:
    committed(subject, sending(1), part(2))
    say(subject, "delivered")

    subject.store.record_outcome(CONVERSATION, UNKNOWN, release=part(2).sk, release_due_ms=MONDAY_MS + 5)

    first, second = subject.parts()
    assert (first.state, first.due_ms, second.due_ms) == (PartState.SENT, sending().due_ms, None)


def test_a_person_took_over_and_the_parts_behind_are_cancelled_with_the_one_that_was_due(subject: Subject) -> None:
    committed(subject, part(1), part(2), part(3))
    taken_over(subject)

    assert not subject.store.claim_part(CONVERSATION, sending(1), seen_attempt=0, behind=[part(2).sk, part(3).sk])

    assert {each.state for each in subject.parts()} == {PartState.CANCELLED}


def test_what_is_due_can_be_made_due_later_and_never_sooner(subject: Subject) -> None:
    committed(subject, part(due_ms=MONDAY_MS))
    (pointer,) = subject.store.due(now_ms=MONDAY_MS)

    subject.store.postpone(pointer, now_ms=MONDAY_MS, due_ms=MONDAY_MS + 60_000)
    assert subject.store.due(now_ms=MONDAY_MS + 59_999) == ()
    subject.store.postpone(pointer, now_ms=MONDAY_MS + 1, due_ms=MONDAY_MS + 2)
    assert subject.parts()[0].due_ms == MONDAY_MS + 60_000

    subject.store.postpone(pointer, now_ms=MONDAY_MS + 60_000, due_ms=None)
    assert (subject.parts()[0].due_ms, subject.store.due(now_ms=MONDAY_MS + 10**9)) == (None, ())


def test_an_outcome_that_comes_after_its_status_changes_nothing(subject: Subject) -> None:
    committed(subject, sending())
    say(subject, "delivered")
    (before,) = subject.parts()

    assert not report(subject, UNKNOWN)

    assert subject.parts() == (replace(before, due_ms=None),)


def test_that_an_older_attempt_arrived_settles_the_part_too(subject: Subject) -> None:
    committed(subject, sending(attempt=2))

    assert say(subject, "delivered", attempt=1)

    assert subject.parts()[0].state is PartState.SENT


def test_a_failed_status_is_kept_with_its_reason(subject: Subject) -> None:
    committed(subject, sending())
    report(subject)

    assert say(subject, "failed", error_code=131026, error_title="Message undeliverable")

    (failed,) = subject.parts()
    assert (failed.state, failed.error_code, failed.error) == (PartState.FAILED, 131026, "Message undeliverable")
    assert (failed.due_ms, failed.provider_id) == (None, "wamid.ours")


@pytest.mark.parametrize("said", ["sent", "delivered", "read", "played", "failed"])
def test_failed_is_terminal(subject: Subject, said: str) -> None:
    committed(subject, sending())
    say(subject, "failed", error_code=131026)
    before = subject.parts()

    assert not say(subject, said)
    assert not report(subject)

    assert subject.parts() == before


def test_that_an_older_attempt_failed_says_nothing_of_this_one(subject: Subject) -> None:
    committed(subject, sending(attempt=2))

    assert not say(subject, "failed", attempt=1, error_code=131026)

    assert subject.parts() == (sending(attempt=2),)


def test_a_status_of_a_part_that_does_not_exist_creates_nothing(subject: Subject) -> None:
    assert [say(subject, said) for said in ("delivered", "failed")] == [False, False]

    assert subject.parts() == ()


def test_a_status_of_another_kind_changes_nothing(subject: Subject) -> None:
    committed(subject, sending())

    assert not say(subject, "warning")


# Effects


def test_an_effect_is_written_by_its_key(subject: Subject) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), effects=(effect(), effect(EffectKind.QUOTE))))
    done = effect(state=EffectState.DONE, payload={"conversation_id": 7}, attempt=1, due_ms=None)

    subject.store.update_effect(CONVERSATION, done)

    assert subject.effects() == (done, effect(EffectKind.QUOTE))


def test_an_effect_that_is_done_stays_done(subject: Subject) -> None:
    subject.store.record(inbound())
    done = effect(state=EffectState.DONE, due_ms=None)
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), effects=(done,)))

    subject.store.update_effect(CONVERSATION, effect(state=EffectState.FAILED, attempt=2))

    assert subject.effects() == (done,)


def test_an_effect_that_was_erased_is_not_brought_back(subject: Subject) -> None:
    subject.store.update_effect(CONVERSATION, effect(state=EffectState.DONE))

    assert subject.effects() == ()


def test_an_effect_is_read_by_its_key(subject: Subject) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), effects=(effect(payload={"reason": "loop"}),)))

    assert subject.store.read_effect(CONVERSATION, effect().sk) == effect(payload={"reason": "loop"})
    assert subject.store.read_effect(CONVERSATION, effect(EffectKind.QUOTE).sk) is None


# What is due


def test_what_is_due_comes_oldest_first_from_every_conversation(subject: Subject) -> None:
    for number, conversation in enumerate(["aa", "bb", "cc", "dd", "ee", "ff"]):
        subject.store.record(inbound(conversation=conversation, received_at_ms=MONDAY_MS - 1000 * number))

    due = subject.store.due(now_ms=MONDAY_MS + 600_000)

    assert [each.conversation for each in due] == ["ff", "ee", "dd", "cc", "bb", "aa"]
    assert {each.sk for each in due} == {"S#HEAD"}


def test_what_is_not_yet_due_is_left_out(subject: Subject) -> None:
    subject.store.record(inbound())

    assert subject.store.due(now_ms=MONDAY_MS + 599_999) == ()


def test_no_more_is_due_than_was_asked_for(subject: Subject) -> None:
    for number in range(6):
        subject.store.record(inbound(conversation=f"c{number}", received_at_ms=MONDAY_MS - number))

    due = subject.store.due(now_ms=MONDAY_MS + 600_000, limit=2)

    assert [each.conversation for each in due] == ["c5", "c4"]


def test_parts_and_effects_are_due_by_their_keys(subject: Subject) -> None:
    subject.store.record(inbound())
    late = part(2, due_ms=MONDAY_MS + 65_000)
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), parts=(sending(), late), effects=(effect(),)))

    due = subject.store.due(now_ms=MONDAY_MS + 65_000)

    assert [each.sk for each in due] == [effect().sk, sending().sk, late.sk]


def test_a_part_being_sent_is_due_at_its_leases_end_though_nobody_said_so(subject: Subject) -> None:
    committed(subject, replace(sending(), due_ms=None))

    assert [each.sk for each in subject.store.due(now_ms=MONDAY_MS + 60_000)] == [sending().sk]


# What waits for a channel that refuses


WAITING = {"unless_taken": True}
PEOPLE_WERE_ASKED: dict[str, object] = {"mode": Mode.HUMAN, "handoff_acknowledged": False}


def may_leave(subject: Subject) -> bool:
    return subject.store.claim_part(CONVERSATION, sending(1, **WAITING), seen_attempt=0)


def test_what_waits_for_the_channel_leaves_while_nobody_has_come(subject: Subject) -> None:
    committed(subject, part(1, **WAITING), head_changes=PEOPLE_WERE_ASKED)
    assert may_leave(subject)


def test_it_leaves_after_the_customer_wrote_again_while_nobody_has_come(subject: Subject) -> None:
    committed(subject, part(1, **WAITING), head_changes=PEOPLE_WERE_ASKED)
    another_turn(subject)
    assert may_leave(subject)


def test_it_is_cancelled_once_a_person_has_come(subject: Subject) -> None:
    committed(subject, part(1, **WAITING), head_changes={**PEOPLE_WERE_ASKED, "handoff_acknowledged": True})
    assert not may_leave(subject)
    assert [each.state for each in subject.parts()] == [PartState.CANCELLED]


def test_it_is_the_last_word_or_none_once_the_bot_has_it_again(subject: Subject) -> None:
    committed(subject, part(1, **WAITING), part(2, **WAITING), head_changes={"mode": Mode.BOT})
    assert may_leave(subject)
    another_turn(subject)
    assert not subject.store.claim_part(CONVERSATION, sending(2, **WAITING), seen_attempt=0)


HANDOFF_TEXT = {"unless_taken": True, "exempt": True}


@pytest.mark.parametrize("people", [{"mode": Mode.BOT}, PEOPLE_WERE_ASKED], ids=["given back", "asked for"])
def test_a_handoffs_text_leaves_though_other_turns_came(subject: Subject, people: dict[str, object]) -> None:
    committed(subject, part(1, **HANDOFF_TEXT), head_changes=people)
    another_turn(subject)
    assert subject.store.claim_part(CONVERSATION, sending(1, **HANDOFF_TEXT), seen_attempt=0)


def test_a_handoffs_text_is_cancelled_once_a_person_has_come(subject: Subject) -> None:
    committed(subject, part(1, **HANDOFF_TEXT), head_changes={**PEOPLE_WERE_ASKED, "handoff_acknowledged": True})
    assert not subject.store.claim_part(CONVERSATION, sending(1, **HANDOFF_TEXT), seen_attempt=0)
    assert [each.state for each in subject.parts()] == [PartState.CANCELLED]


def test_since_when_the_channel_refuses_is_kept_and_read(subject: Subject) -> None:
    committed(subject, sending())
    refused = replace(UNKNOWN, state=PartState.PENDING, failure=SendFailure.AUTH, refused_since_ms=MONDAY_MS)
    report(subject, refused)
    assert [each.refused_since_ms for each in subject.parts()] == [MONDAY_MS]
