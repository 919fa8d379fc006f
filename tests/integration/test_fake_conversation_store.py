"""What the table in memory adds to the contract: faults on demand, and threads, which moto does not stand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain.delivery import PartState
from core.domain.errors import IntegrationError, NewcomerError, OvertakenError
from tests.fakes.clock import MONDAY_MS, FakeClock
from tests.fakes.conversation_store import FakeConversationStore
from tests.integration.conversation_builders import CONVERSATION, commit_of, inbound, part, sending

WORKERS = 8


@pytest.fixture
def store() -> FakeConversationStore:
    return FakeConversationStore(FakeClock())


def test_a_failure_before_leaves_nothing_written(store: FakeConversationStore) -> None:
    store.fail_next("record", IntegrationError("lost"))

    with pytest.raises(IntegrationError):
        store.record(inbound())

    assert store.inbounds(CONVERSATION) == ()
    store.record(inbound())
    assert len(store.inbounds(CONVERSATION)) == 1


def test_a_failure_after_leaves_everything_written(store: FakeConversationStore) -> None:
    store.fail_next("record", IntegrationError("lost"), when="after")

    with pytest.raises(IntegrationError):
        store.record(inbound())

    assert store.head(CONVERSATION).pending == {inbound().sk}


def test_something_else_can_happen_just_before_a_request(store: FakeConversationStore) -> None:
    store.record(inbound())
    snapshot = store.read(CONVERSATION)
    store.on_next("commit", lambda: store.record(inbound("two", at_ms=MONDAY_MS + 1000)))

    with pytest.raises(NewcomerError):
        store.commit(commit_of(snapshot))

    assert store.requests == ["record", "read", "commit", "record"]


def test_messages_recorded_at_once_are_all_pending(store: FakeConversationStore) -> None:
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(lambda n: store.record(inbound(f"n{n}", at_ms=MONDAY_MS + n)), range(100)))

    assert (store.head(CONVERSATION).in_rev, len(store.head(CONVERSATION).pending)) == (100, 100)


def test_of_commits_on_one_read_one_wins(store: FakeConversationStore) -> None:
    store.record(inbound())
    snapshot = store.read(CONVERSATION)

    def commit(worker: int) -> bool:
        try:
            store.commit(commit_of(snapshot, name=f"t{worker}"))
        except OvertakenError:
            return False
        return True

    with ThreadPoolExecutor(WORKERS) as pool:
        won = list(pool.map(commit, range(WORKERS)))

    assert (sum(won), len(store.turns(CONVERSATION)), store.head(CONVERSATION).ver) == (1, 1, 1)


def test_of_claims_on_one_part_one_wins(store: FakeConversationStore) -> None:
    store.record(inbound())
    store.commit(commit_of(store.read(CONVERSATION), parts=(part(),)))

    with ThreadPoolExecutor(WORKERS) as pool:
        won = list(pool.map(lambda _n: store.claim_part(CONVERSATION, sending(), seen_attempt=0), range(WORKERS)))

    assert (sum(won), store.parts(CONVERSATION)[0].attempt) == (1, 1)
    assert store.parts(CONVERSATION)[0].state is PartState.SENDING
