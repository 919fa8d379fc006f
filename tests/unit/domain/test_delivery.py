"""A part's state machine: which arrows it may take from where, and what stands behind them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.domain import delivery
from core.domain.delivery import (
    DeliveryRank,
    DeliveryStatus,
    OutboundPart,
    PartChange,
    PartOutcome,
    PartState,
    Recipient,
    SendFailure,
)

PART = OutboundPart(
    sk="M#1#ot1.1",
    turn="t1",
    number=1,
    text="Olá",
    recipient=Recipient(phone_number_id="1", phone="2"),
    state=PartState.SENDING,
    created_at_ms=1,
    attempt=2,
    lease_until_ms=50,
    due_ms=50,
)


def from_states(change: PartChange, **fields: Any) -> set[PartState]:
    """From where the arrow may be taken."""
    return {state for state in PartState if change.allows(replace(PART, state=state, **fields))}


def status(name: str, **fields: Any) -> DeliveryStatus:
    return DeliveryStatus(provider_id="wamid.1", status=name, at_ms=9, phone_number_id="1", **fields)


def told(name: str, *, attempt: int = 2, **fields: Any) -> PartChange:
    change = delivery.told(status(name, **fields), attempt=attempt)
    assert change is not None
    return change


def test_only_what_waits_or_is_doubted_is_sent_and_by_one_process() -> None:
    change = delivery.claimed(seen_attempt=2, lease_until_ms=99, repeated=False)

    assert from_states(change) == {PartState.PENDING, PartState.UNKNOWN}
    assert from_states(change, attempt=3) == from_states(change, attempt=1) == set()
    assert change.applied(PART) == replace(PART, attempt=3, lease_until_ms=99, due_ms=99)
    assert delivery.being_sent(PART, lease_until_ms=99) == change.applied(PART)


def test_a_part_remembers_that_it_was_sent_again_for_doubt_and_not_after_a_refusal() -> None:
    doubted = delivery.being_sent(replace(PART, state=PartState.UNKNOWN), lease_until_ms=99)
    refused = delivery.being_sent(replace(PART, state=PartState.PENDING), lease_until_ms=99)

    assert (doubted.repeated, refused.repeated) == (True, False)
    assert delivery.being_sent(replace(doubted, state=PartState.PENDING), lease_until_ms=200).repeated


def test_a_send_is_reported_once_and_of_its_own_attempt() -> None:
    sent = delivery.reported(PartOutcome(sk=PART.sk, attempt=2, state=PartState.SENT, provider_id="wamid.1"))

    assert from_states(sent) == {PartState.SENDING, PartState.UNKNOWN}
    assert from_states(sent, attempt=3) == set()
    assert sent.applied(PART) == replace(
        PART, state=PartState.SENT, rank=DeliveryRank.SENT, provider_id="wamid.1", lease_until_ms=None, due_ms=None
    )


def test_a_refusal_says_why_and_an_unsure_send_when_it_is_looked_at_again() -> None:
    outcome = PartOutcome(
        sk=PART.sk,
        attempt=2,
        state=PartState.UNKNOWN,
        failure=SendFailure.TRANSIENT,
        error_code=5,
        error="timeout",
        due_ms=77,
    )

    assert delivery.reported(outcome).applied(replace(PART, provider_id="kept")) == replace(
        PART,
        state=PartState.UNKNOWN,
        failure=SendFailure.TRANSIENT,
        error_code=5,
        error="timeout",
        lease_until_ms=None,
        due_ms=77,
        provider_id="kept",
    )


def test_only_what_nobody_began_to_send_is_cancelled() -> None:
    assert from_states(delivery.cancelled()) == {PartState.PENDING}
    assert delivery.cancelled().applied(PART) == replace(
        PART, state=PartState.CANCELLED, lease_until_ms=None, due_ms=None
    )


def test_only_what_is_doubted_is_forgotten() -> None:
    assert from_states(delivery.forgotten(attempt=2)) == {PartState.UNKNOWN}
    assert from_states(delivery.forgotten(attempt=1)) == set()
    assert delivery.forgotten(attempt=2).applied(PART) == replace(PART, due_ms=None)


@pytest.mark.parametrize(
    ("name", "rank"),
    [
        ("sent", DeliveryRank.SENT),
        ("delivered", DeliveryRank.DELIVERED),
        ("read", DeliveryRank.READ),
        ("played", DeliveryRank.PLAYED),
    ],
)
def test_that_a_message_arrived_settles_every_doubt_and_only_ever_says_more(name: str, rank: DeliveryRank) -> None:
    change = told(name, attempt=1)

    assert from_states(change) == set(PartState) - {PartState.FAILED}
    assert from_states(change, rank=rank) == from_states(change, rank=DeliveryRank.PLAYED) == set()
    assert from_states(change, rank=DeliveryRank(rank - 1)) != set()
    assert change.applied(PART) == replace(
        PART, state=PartState.SENT, rank=rank, provider_id="wamid.1", lease_until_ms=None
    )
    assert change.applied(replace(PART, provider_id="first")).provider_id == "first"


def test_that_a_message_failed_speaks_of_its_attempt_and_is_the_end() -> None:
    change = told("failed", failure=SendFailure.RECIPIENT, error_code=131026, error_title="Undeliverable")

    assert from_states(change) == {PartState.SENDING, PartState.UNKNOWN, PartState.SENT}
    assert from_states(change, attempt=1) == set()
    assert from_states(change, rank=DeliveryRank.PLAYED) == from_states(change)
    assert change.applied(PART) == replace(
        PART,
        state=PartState.FAILED,
        failure=SendFailure.RECIPIENT,
        error_code=131026,
        error="Undeliverable",
        lease_until_ms=None,
    )


def test_a_part_behind_one_that_is_settled_is_due_once_it_was_never_begun() -> None:
    change = delivery.released(due_ms=80)

    assert from_states(change, attempt=0) == {PartState.PENDING}
    assert from_states(change, attempt=1) == set()
    assert change.applied(replace(PART, due_ms=None)).due_ms == 80


def test_what_a_status_settled_is_looked_at_until_nothing_waits_behind_it() -> None:
    change = delivery.rested(attempt=2)

    assert from_states(change) == {PartState.SENT, PartState.FAILED, PartState.CANCELLED}
    assert from_states(change, attempt=1) == set()
    assert change.applied(PART).due_ms is None


def test_a_status_that_nobody_knows_changes_nothing() -> None:
    assert delivery.told(status("deleted"), attempt=2) is None
    assert (status("failed").failed, status("read").failed) == (True, False)


def test_what_statuses_say_is_ordered() -> None:
    assert list(DeliveryRank) == sorted(DeliveryRank)
    assert [rank.value for rank in DeliveryRank] == [0, 1, 2, 3, 4]
