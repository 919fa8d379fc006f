"""How the table is asked: limits checked before, conflicts repeated with the same token, errors by code alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from core.domain.errors import BadInputError, IntegrationError
from core.integrations.dynamodb.attributes import marshalled
from core.integrations.dynamodb.expressions import Action, Expression
from core.integrations.dynamodb.requests import TRIES, TableRequests, translate_errors

PHONE = "5511900000000"


class StubClient:
    """Answers in the order given: an exception is raised, anything else returned; the last one for ever."""

    def __init__(self, *answers: Any) -> None:
        self.requests: list[dict[str, Any]] = []
        self._answers = list(answers)

    def _answer(self, **request: Any) -> Any:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    transact_write_items = query = batch_get_item = _answer


def client_error(code: str, **more: Any) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": f"about {PHONE}"}, **more}, "TransactWriteItems")


def cancelled(*codes: str, item: dict[str, Any] | None = None) -> ClientError:
    reasons = [{"Code": code, **({"Item": item} if item and code != "None" else {})} for code in codes]
    return client_error("TransactionCanceledException", CancellationReasons=reasons)


def requests(client: StubClient, sleep: Callable[[float], None] = lambda _seconds: None) -> TableRequests:
    return TableRequests(client, table_name="balcao", sleep=sleep, random=lambda: 1.0)


def put(sk: str = "S#HEAD", **item: Any) -> Action:
    return Expression().put("balcao", {"pk": "C#a", "sk": sk, **item})


def test_a_transaction_is_one_request_with_a_token() -> None:
    client = StubClient({})

    assert requests(client).transact([put()]) == {}

    assert len(client.requests) == 1
    assert 1 <= len(client.requests[0]["ClientRequestToken"]) <= 36


@pytest.mark.parametrize(
    "conflict",
    [
        pytest.param(cancelled("None", "TransactionConflict"), id="another transaction holds an item"),
        pytest.param(cancelled("ThrottlingError", "None"), id="throttled"),
        pytest.param(cancelled("ProvisionedThroughputExceeded"), id="over the table's throughput"),
        pytest.param(client_error("TransactionInProgressException"), id="the same token is under way"),
        pytest.param(client_error("ThrottlingException"), id="the call was throttled"),
    ],
)
def test_what_passes_is_sent_again_with_the_same_request_and_token(conflict: Exception) -> None:
    client = StubClient(conflict, conflict, {})

    assert requests(client).transact([put(), put("S#STATE")]) == {}

    assert len(client.requests) == 3
    assert all(request == client.requests[0] for request in client.requests)


def test_retries_wait_longer_each_time_up_to_a_cap_and_stop() -> None:
    client, pauses = StubClient(cancelled("TransactionConflict")), list[float]()

    with pytest.raises(IntegrationError, match="conflicts without end"):
        requests(client, pauses.append).transact([put()])

    assert len(client.requests) == TRIES
    assert pauses == [0.025, 0.05, 0.1, 0.2, 0.4, 0.4, 0.4]


def test_a_condition_that_failed_is_an_answer_with_the_item_as_it_was() -> None:
    client = StubClient(cancelled("None", "ConditionalCheckFailed", item=marshalled({"ver": 3})))

    assert requests(client).transact([put(), put("S#STATE")]) == {1: {"ver": 3}}

    assert len(client.requests) == 1


def test_a_condition_on_an_item_that_is_not_there_answers_with_an_empty_one() -> None:
    assert requests(StubClient(cancelled("ConditionalCheckFailed"))).transact([put()]) == {0: {}}


def test_a_condition_that_failed_decides_though_another_item_is_in_conflict() -> None:
    client = StubClient(cancelled("ConditionalCheckFailed", "TransactionConflict"))

    assert requests(client).transact([put(), put("S#STATE")]) == {0: {}}


def test_any_other_reason_is_an_error_that_names_it() -> None:
    with pytest.raises(IntegrationError, match="None, ValidationError"):
        requests(StubClient(cancelled("None", "ValidationError"))).transact([put(), put("S#STATE")])


def test_each_request_has_a_token_of_its_own_whatever_it_holds() -> None:
    client = StubClient({})

    for _ in range(2):
        requests(client).transact([put()])

    one, another = (request.pop("ClientRequestToken") for request in client.requests)
    assert one != another
    assert client.requests[0] == client.requests[1]


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        pytest.param([], "too_many_actions", id="no action"),
        pytest.param([put(f"M#{n}") for n in range(101)], "too_many_actions", id="101 actions"),
        pytest.param([put(text="a" * 400 * 1024)], "item_too_large", id="an item over 400 KB"),
        pytest.param([put(text="ã" * 210 * 1024)], "item_too_large", id="bytes count, not characters"),
        pytest.param([put(f"M#{n}", text="a" * 390_000) for n in range(11)], "transaction_too_large", id="over 4 MB"),
    ],
)
def test_what_is_over_the_tables_limits_is_refused_before_it_is_sent(actions: list[Action], reason: str) -> None:
    client = StubClient({})

    with pytest.raises(BadInputError, match=reason):
        requests(client).transact(actions)

    assert client.requests == []


def test_a_hundred_actions_are_sent() -> None:
    assert requests(StubClient({})).transact([put(f"M#{n}") for n in range(100)]) == {}


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(BadInputError, match="unusable_key"):
        Expression().put("balcao", {"pk": "C#a", "sk": ""})
    with pytest.raises(BadInputError, match="unusable_key"):
        Expression().update("balcao", "", "S#HEAD")


def test_a_query_follows_a_page_that_ended_early_because_of_its_size() -> None:
    key = marshalled({"pk": "C#a", "sk": "2"})
    client = StubClient(
        {"Items": [marshalled({"sk": "2"})], "LastEvaluatedKey": key}, {"Items": [marshalled({"sk": "1"})]}
    )

    assert requests(client).query(Limit=32) == [{"sk": "2"}, {"sk": "1"}]

    assert [(request["Limit"], request.get("ExclusiveStartKey")) for request in client.requests] == [
        (32, None),
        (31, key),
    ]


def test_a_query_stops_at_its_limit() -> None:
    full = {"Items": [marshalled({"sk": "2"}), marshalled({"sk": "1"})], "LastEvaluatedKey": marshalled({"sk": "1"})}
    client = StubClient(full)

    assert len(requests(client).query(Limit=2)) == 2
    assert len(client.requests) == 1


def test_a_batch_get_asks_again_for_the_keys_left_unprocessed() -> None:
    one, two = marshalled({"sk": "1"}), marshalled({"sk": "2"})
    left = {"balcao": {"Keys": [two], "ConsistentRead": True}}
    client = StubClient(
        {"Responses": {"balcao": [one]}, "UnprocessedKeys": left},
        {"Responses": {"balcao": [two]}, "UnprocessedKeys": {}},
    )

    assert requests(client).batch_get([one, two]) == [{"sk": "1"}, {"sk": "2"}]

    assert client.requests[1]["RequestItems"] == left


def test_a_batch_get_that_never_ends_is_an_error() -> None:
    left = {"balcao": {"Keys": [marshalled({"sk": "1"})]}}
    client = StubClient({"Responses": {}, "UnprocessedKeys": left})

    with pytest.raises(IntegrationError, match="unprocessed"):
        requests(client).batch_get([marshalled({"sk": "1"})])

    assert len(client.requests) == TRIES


def test_a_batch_get_asks_for_a_hundred_keys_at_a_time() -> None:
    client = StubClient({"Responses": {}})

    requests(client).batch_get([marshalled({"sk": str(n)}) for n in range(230)])

    assert [len(request["RequestItems"]["balcao"]["Keys"]) for request in client.requests] == [100, 100, 30]
    assert all(request["RequestItems"]["balcao"]["ConsistentRead"] for request in client.requests)


def sdk_errors() -> list[type[BotoCoreError]]:
    found, waiting = [], [BotoCoreError]
    while waiting:
        error = waiting.pop()
        found.append(error)
        waiting += error.__subclasses__()
    return found


def test_every_error_of_the_sdk_becomes_ours_by_its_name() -> None:
    for error in sdk_errors():
        with pytest.raises(IntegrationError) as ours, translate_errors("Query"):
            raise error.__new__(error)

        assert str(ours.value) == f"DynamoDB Query: {error.__name__}"


def test_an_error_of_the_service_becomes_ours_without_its_message() -> None:
    with pytest.raises(IntegrationError) as ours, translate_errors("Query"):
        raise client_error("ValidationException")

    assert str(ours.value) == "DynamoDB Query: ValidationException"
    assert PHONE not in str(ours.value)
    assert ours.value.__suppress_context__
