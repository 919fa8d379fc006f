"""Two conversations of thousands of messages become one: in a time that fits the function, or in several of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from core.application.intake.identity_links import IdentityLinks
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.attributes import marshalled
from tests.fakes.clock import MONDAY_MS
from tests.integration.conversation_builders import CONVERSATION, inbound
from tests.integration.store_subjects import DynamoSubject

OTHER = "b" * 32
EACH = 110  # the table in memory copies itself for each transaction: more would take minutes
# Transactions of a hundred, to copy and to delete; and what reads heads and logs.
REQUESTS_MAX = 2 * (EACH // 99 + 1) + 12
COPIED_BEFORE = 1


pytestmark = pytest.mark.thorough


class _OutOfTimeError(Exception):
    """The function's time is over."""


@pytest.fixture
def two_conversations(dynamodb: Any, table_name: str) -> DynamoSubject:
    """One by the phone, one by the BSUID, whose customer is seen to be one."""
    subject = DynamoSubject(dynamodb, table_name)
    for conversation in (OTHER, CONVERSATION):
        first = inbound("first", conversation=conversation)
        subject.store.record(first)
        items = (
            codec.inbound_to_item(inbound(f"{conversation}{n}", conversation=conversation, at_ms=MONDAY_MS - n))
            for n in range(1, EACH)
        )
        puts = [{"PutRequest": {"Item": marshalled(item)}} for item in items]
        for start in range(0, len(puts), 25):
            dynamodb.batch_write_item(RequestItems={table_name: puts[start : start + 25]})
    subject.client.calls.clear()
    return subject


def introduce(subject: DynamoSubject) -> None:
    links = IdentityLinks(store=subject.store, clock=subject.clock, retention_days=180, session_ttl_hours=24)
    links.introduce(CONVERSATION, OTHER)


def dies_after(subject: DynamoSubject, transactions: int) -> Callable[[], None]:
    """The client's transactions fail from then on, until what is returned is called."""
    passed_on, left = subject.client._client.transact_write_items, [transactions]

    class Dying:
        def __getattr__(self, operation: str) -> Any:
            return getattr(real, operation)

        def transact_write_items(self, **request: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise _OutOfTimeError
            return passed_on(**request)

    real, subject.client._client = subject.client._client, Dying()

    def lives() -> None:
        subject.client._client = real

    return lives


def test_a_merge_costs_two_requests_for_each_hundred_messages(two_conversations: DynamoSubject) -> None:
    introduce(two_conversations)

    assert two_conversations.requests() <= REQUESTS_MAX
    assert len(two_conversations.store.read(OTHER).head.pending) == 1
    assert len(two_conversations.inbounds(OTHER)) == 2 * EACH - 1  # the first has one name in both
    assert two_conversations.head(CONVERSATION).moved_to == OTHER


def test_a_merge_that_ran_out_of_time_goes_on_where_it_ended_and_loses_nothing(
    two_conversations: DynamoSubject,
) -> None:
    subject = two_conversations
    lives = dies_after(subject, COPIED_BEFORE)
    with pytest.raises(_OutOfTimeError):
        introduce(subject)
    lives()
    assert subject.head(CONVERSATION).moved_to is None
    late = inbound("late", at_ms=MONDAY_MS + 5000)
    subject.store.record(late)
    subject.client.calls.clear()

    introduce(subject)

    most = 2 * (EACH // 99 + 1) + 3 - COPIED_BEFORE
    assert subject.client.operations.count("transact_write_items") <= most
    assert late.sk in subject.store.read(OTHER).head.pending
    assert subject.store.read(OTHER, ensure=late.sk).inbound(late.sk) is not None
