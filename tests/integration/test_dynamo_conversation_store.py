"""What only the table has: its requests and expressions, its TTL, answers that were lost, conflicts of transactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from core.domain.conversation import ConversationState, Head, Mode
from core.domain.delivery import PartOutcome, PartState
from core.domain.errors import NewcomerError, TakeoverError
from core.domain.messages import MessageKind
from core.integrations.dynamodb.conversation_store import DynamoConversationStore
from core.integrations.dynamodb.table import table_definition
from tests.fakes.clock import MONDAY_MS, FakeClock
from tests.fakes.token_honouring_table import TokenHonouringTable
from tests.integration.conversation_builders import (
    CONVERSATION,
    commit_of,
    effect,
    inbound,
    part,
    sending,
    status,
)
from tests.integration.recording_client import check
from tests.integration.store_subjects import RETENTION_DAYS, DynamoSubject


def operations_of(subject: DynamoSubject, act: Callable[[], object]) -> list[str]:
    before = len(subject.client.calls)
    act()
    return subject.client.operations[before:]


def committed(subject: DynamoSubject, **fields: Any) -> None:
    subject.store.record(inbound())
    subject.store.commit(commit_of(subject.store.read(CONVERSATION), **fields))


def test_a_normal_turn_is_a_query_a_commit_and_an_outcome(on_table: DynamoSubject) -> None:
    store = on_table.store
    outcome = PartOutcome(sk=sending().sk, attempt=1, state=PartState.SENT, provider_id="wamid.ours")

    assert operations_of(on_table, lambda: store.record(inbound())) == ["transact_write_items"]
    assert operations_of(on_table, lambda: store.read(CONVERSATION)) == ["query"]
    snapshot = store.read(CONVERSATION)
    commit = commit_of(snapshot, parts=(sending(1), part(2)), effects=(effect(),))
    assert operations_of(on_table, lambda: store.commit(commit)) == ["transact_write_items"]
    assert operations_of(on_table, lambda: store.record_outcome(CONVERSATION, outcome, start_next=sending(2))) == [
        "transact_write_items"
    ]


def test_a_read_asks_consistently_for_thirty_two_items_in_reverse(on_table: DynamoSubject) -> None:
    on_table.store.read(CONVERSATION)

    ((_, request),) = on_table.client.calls
    assert (request["ConsistentRead"], request["ScanIndexForward"], request["Limit"]) == (True, False, 32)
    assert {":from": {"S": "M#"}, ":to": {"S": "S#~"}}.items() <= request["ExpressionAttributeValues"].items()


def test_a_status_that_says_nothing_makes_no_request(on_table: DynamoSubject) -> None:
    assert (
        operations_of(
            on_table,
            lambda: on_table.store.apply_status(status("warning"), conversation=CONVERSATION, sk=part().sk, attempt=1),
        )
        == []
    )


def test_a_silent_message_writes_nothing_but_itself(on_table: DynamoSubject) -> None:
    on_table.store.record(inbound(kind=MessageKind.REACTION))

    ((_, request),) = on_table.client.calls
    assert [next(iter(action)) for action in request["TransactItems"]] == ["Put", "ConditionCheck"]
    assert on_table.items(CONVERSATION, "S#") == []


@pytest.mark.parametrize("prefix", ["M#", "S#HEAD", "S#STATE", "T#", "E#"])
def test_every_item_lives_for_the_retention(on_table: DynamoSubject, prefix: str) -> None:
    committed(on_table, parts=(sending(),), effects=(effect(),))

    items = on_table.items(CONVERSATION, prefix)

    assert items
    assert {item["ttl"] for item in items} == {MONDAY_MS // 1000 + RETENTION_DAYS * 86_400}


def test_a_message_renews_the_life_of_its_conversation(on_table: DynamoSubject) -> None:
    committed(on_table)
    on_table.clock.advance(days=100)
    now = on_table.clock.now_ms()

    on_table.store.record(inbound("two", at_ms=now))

    (head,) = on_table.items(CONVERSATION, "S#HEAD")
    assert head["ttl"] == now // 1000 + RETENTION_DAYS * 86_400


def test_only_what_is_due_carries_the_indexs_attributes(on_table: DynamoSubject) -> None:
    committed(on_table, parts=(sending(1), part(2)), effects=(effect(), effect("quote", due_ms=None)))
    on_table.store.record_outcome(
        CONVERSATION, PartOutcome(sk=sending().sk, attempt=1, state=PartState.SENT, provider_id="wamid.ours")
    )

    items = [item for prefix in ("M#", "S#", "T#", "E#") for item in on_table.items(CONVERSATION, prefix)]

    assert [item["sk"] for item in items if item.keys() & {"due_shard", "due_at"}] == [effect().sk]


def test_an_emptied_set_of_pending_messages_is_a_missing_attribute(on_table: DynamoSubject) -> None:
    committed(on_table)

    (head,) = on_table.items(CONVERSATION, "S#HEAD")
    assert "pending" not in head
    assert "pending_since_ms" not in head


def test_expired_items_that_the_table_still_holds_are_not_read(on_table: DynamoSubject) -> None:
    committed(on_table, state=ConversationState(service="agua"))
    on_table.clock.advance(days=RETENTION_DAYS)

    assert on_table.items(CONVERSATION, "S#HEAD")
    assert on_table.store.read(CONVERSATION, ensure=inbound().sk).log == ()


def test_an_expired_head_that_the_table_still_holds_is_replaced_whole(on_table: DynamoSubject) -> None:
    committed(on_table, head=Head(mode=Mode.HUMAN, handoff_reason="loop", session_start_ms=MONDAY_MS))
    on_table.clock.advance(days=RETENTION_DAYS)
    now = on_table.clock.now_ms()

    operations = operations_of(on_table, lambda: on_table.store.record(inbound("two", at_ms=now)))

    assert len(operations) == 2
    (head,) = on_table.items(CONVERSATION, "S#HEAD")
    assert (head["mode"], head["ver"], head["in_rev"], head["session_start_ms"]) == ("bot", 0, 1, now)
    assert "handoff_reason" not in head


def test_an_expired_head_does_not_stop_a_mode_change(on_table: DynamoSubject) -> None:
    committed(on_table)
    on_table.clock.advance(days=RETENTION_DAYS)

    assert on_table.store.update_head(CONVERSATION, seen=Head(), head=Head(mode=Mode.HUMAN))

    assert on_table.store.read(CONVERSATION).head == Head(mode=Mode.HUMAN, ver=1)


def test_an_alias_that_expired_no_longer_leads_away(on_table: DynamoSubject) -> None:
    on_table.store.update_head(CONVERSATION, seen=Head(), head=Head(moved_to="77aa"))
    on_table.clock.advance(days=RETENTION_DAYS)

    assert on_table.store.record(inbound(at_ms=on_table.clock.now_ms())).conversation == CONVERSATION


def test_a_commit_over_the_tables_limits_is_refused_before_it_is_sent(on_table: DynamoSubject) -> None:
    on_table.store.record(inbound())
    snapshot = on_table.store.read(CONVERSATION)
    huge = replace(snapshot.state, previous_session="a" * 500_000)

    with pytest.raises(Exception, match="item_too_large"):
        on_table.store.commit(commit_of(snapshot, state=huge))

    assert on_table.client.operations[-1] == "query"


def test_model_replies_longer_than_the_limit_do_not_stop_a_commit(on_table: DynamoSubject) -> None:
    on_table.store.record(inbound())
    snapshot = on_table.store.read(CONVERSATION)
    commit = commit_of(snapshot)

    on_table.store.commit(replace(commit, turn=replace(commit.turn, dropped_prefix="half an emoji: \ud83d")))

    assert on_table.turns()[0].dropped_prefix == "half an emoji: \ufffd"


# Answers that were lost, and conflicts of transactions: moto has neither.


class FlakyClient:
    """The real client, but for the transactions that `faults` names: raised before, or after it was written.

    As DynamoDB does, it answers a token that was executed with success and executes it once.
    """

    def __init__(self, client: Any) -> None:
        self.tokens: list[str] = []
        self.faults: list[tuple[str, Exception]] = []
        self._executed: set[str] = set()
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **request: Any) -> Any:
        check(request)
        token = request["ClientRequestToken"]
        self.tokens.append(token)
        when, error = self.faults.pop(0) if self.faults else ("never", None)
        if error and when == "before":
            raise error
        if token not in self._executed:
            self._client.transact_write_items(**request)
            self._executed.add(token)
        if error:
            raise error
        return {}


CONFLICT = ClientError(
    {
        "Error": {"Code": "TransactionCanceledException", "Message": ""},
        "CancellationReasons": [{"Code": "TransactionConflict"}, {"Code": "None"}],
    },
    "TransactWriteItems",
)
IN_PROGRESS = ClientError({"Error": {"Code": "TransactionInProgressException", "Message": ""}}, "TransactWriteItems")


@pytest.fixture
def flaky(dynamodb: Any, table_name: str) -> tuple[DynamoConversationStore, FlakyClient]:
    client = FlakyClient(dynamodb)
    store = DynamoConversationStore(
        client,
        table_name=table_name,
        retention_days=RETENTION_DAYS,
        clock=FakeClock(),
        sleep=lambda _seconds: None,
    )
    return store, client


Flaky = tuple[DynamoConversationStore, FlakyClient]


def test_a_commit_in_conflict_is_sent_again_and_done_once(flaky: Flaky) -> None:
    store, client = flaky
    store.record(inbound())
    commit = commit_of(store.read(CONVERSATION))
    client.faults = [("before", CONFLICT), ("before", CONFLICT)]

    store.commit(commit)

    assert store.read(CONVERSATION).head.ver == 1
    assert len(set(client.tokens[1:])) == 1
    assert len(client.tokens[1:]) == 3


def test_a_commit_whose_answer_was_lost_is_no_conflict_with_itself(flaky: Flaky) -> None:
    store, client = flaky
    store.record(inbound())
    commit = commit_of(store.read(CONVERSATION))
    client.faults = [("after", IN_PROGRESS)]

    store.commit(commit)

    assert store.read(CONVERSATION).head.ver == 1


def test_a_message_in_conflict_is_recorded_once(flaky: Flaky) -> None:
    store, client = flaky
    client.faults = [("before", CONFLICT), ("after", IN_PROGRESS)]

    store.record(inbound())

    assert store.read(CONVERSATION).head.in_rev == 1


def test_a_newcomer_found_after_a_conflict_is_still_named(flaky: Flaky) -> None:
    store, client = flaky
    store.record(inbound())
    snapshot = store.read(CONVERSATION)
    store.record(inbound("two", at_ms=MONDAY_MS + 1000))
    client.faults = [("before", CONFLICT)]

    with pytest.raises(NewcomerError):
        store.commit(commit_of(snapshot))


def test_a_takeover_between_the_two_tries_of_an_unguarded_commit_is_still_seen(flaky: Flaky) -> None:
    store, client = flaky
    store.record(inbound())
    snapshot = store.read(CONVERSATION)
    store.record(inbound("two", at_ms=MONDAY_MS + 1000))
    passed_on = client.transact_write_items
    tries: list[int] = []

    def taken_over_before_the_second(**request: Any) -> Any:
        tries.append(1)
        if len(tries) == 2:
            head = store.read(CONVERSATION).head
            assert store.update_head(CONVERSATION, seen=head, head=replace(head, mode=Mode.HUMAN))
        return passed_on(**request)

    client.__dict__["transact_write_items"] = taken_over_before_the_second

    with pytest.raises(TakeoverError):
        store.commit(commit_of(snapshot, guard_in_rev=False))


def test_a_mode_that_changed_without_a_version_is_a_takeover_too(on_table: DynamoSubject) -> None:
    on_table.store.record(inbound())
    snapshot = on_table.store.read(CONVERSATION)
    on_table.set_by_hand("S#HEAD", mode="human")

    with pytest.raises(TakeoverError):
        on_table.store.commit(commit_of(snapshot))


# The table itself


def test_the_tables_definition_is_what_the_table_has(dynamodb: Any, table_name: str) -> None:
    table = dynamodb.describe_table(TableName=table_name)["Table"]
    wanted = table_definition(table_name)

    assert table["KeySchema"] == wanted["KeySchema"]
    assert table["GlobalSecondaryIndexes"][0]["Projection"] == {"ProjectionType": "KEYS_ONLY"}
    ttl = dynamodb.describe_time_to_live(TableName=table_name)["TimeToLiveDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "ttl")


def test_a_table_that_knows_tokens_answers_a_repeated_request_and_refuses_another_under_its_token(
    dynamodb: Any, table_name: str
) -> None:
    clock = FakeClock()
    table = TokenHonouringTable(dynamodb, clock)

    def put(text: str) -> Any:
        item = {"pk": {"S": "C#a"}, "sk": {"S": "S#STATE"}, "text": {"S": text}}
        new = {"TableName": table_name, "Item": item, "ConditionExpression": "attribute_not_exists(sk)"}
        return table.transact_write_items(TransactItems=[{"Put": new}], ClientRequestToken="one")

    put("a")
    assert put("a") == {}
    with pytest.raises(ClientError, match="IdempotentParameterMismatch"):
        put("b")
    clock.advance(600_000)
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        put("a")
