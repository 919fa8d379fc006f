"""What SQS's queue and the one in memory promise, and how SQS is asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from core.domain.messages import InboundPointer
from core.domain.pointer import parse_pointer
from core.integrations.sqs.inbound_queue import SqsInboundQueue, deduplication_id
from tests.fakes.inbound_queue import FakeInboundQueue


def pointer(conversation: str = "aa", number: int = 1) -> InboundPointer:
    return InboundPointer(conversation=conversation, sk=f"M#{number:013d}#ix")


class StubSqs:
    """Answers as SQS does; `fails` names the pointers that a batch reports as failed, `raises` the calls that break."""

    def __init__(self) -> None:
        self.batches: list[list[dict[str, str]]] = []
        self.fails: Callable[[InboundPointer], bool] = lambda _pointer: False
        self.raises: dict[int, Exception] = {}

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, str]]) -> dict[str, Any]:  # noqa: N803
        self.batches.append(Entries)
        if error := self.raises.get(len(self.batches)):
            raise error
        failed = [e["Id"] for e in Entries if self.fails(parse_pointer(e["MessageBody"]))]
        return {
            "Successful": [{"Id": e["Id"]} for e in Entries if e["Id"] not in failed],
            "Failed": [{"Id": each, "SenderFault": False, "Code": "InternalError"} for each in failed],
        }

    def sent(self) -> list[InboundPointer]:
        return [parse_pointer(entry["MessageBody"]) for batch in self.batches for entry in batch]


def fifo(client: Any) -> SqsInboundQueue:
    return SqsInboundQueue(client, "https://sqs.example/1/inbound.fifo")


def test_pointers_arrive_in_order_in_the_group_of_their_conversation(sqs: Any) -> None:
    url = sqs.create_queue(QueueName="inbound.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    given = [pointer("aa", number) for number in range(1, 4)]

    assert SqsInboundQueue(sqs, url).enqueue(given) == ()

    messages = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, AttributeNames=["All"])["Messages"]
    assert [parse_pointer(message["Body"]) for message in messages] == given
    assert {message["Attributes"]["MessageGroupId"] for message in messages} == {"aa"}


def test_a_pointer_enqueued_twice_at_once_is_on_a_fifo_queue_once(sqs: Any) -> None:
    url = sqs.create_queue(QueueName="twice.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
    queue = SqsInboundQueue(sqs, url)

    assert [queue.enqueue([pointer()]), queue.enqueue([pointer()])] == [(), ()]

    assert len(sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]) == 1


def test_a_standard_queue_is_asked_for_no_groups(sqs: Any) -> None:
    url = sqs.create_queue(QueueName="plain")["QueueUrl"]

    assert SqsInboundQueue(sqs, url).enqueue([pointer(number=n) for n in range(12)]) == ()

    received = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
    assert len(received) == 10
    assert set(json.loads(received[0]["Body"])) == {"v", "conv", "sk"}


def test_more_than_ten_pointers_go_in_batches_of_ten() -> None:
    client = StubSqs()

    assert fifo(client).enqueue([pointer(f"c{n}") for n in range(23)]) == ()

    assert [len(batch) for batch in client.batches] == [10, 10, 3]


def test_five_hundred_messages_of_one_customer_cost_fifty_requests_in_their_order() -> None:
    client, given = StubSqs(), [pointer("aa", n) for n in range(500)]

    assert fifo(client).enqueue(given) == ()

    assert client.sent() == given
    assert len(client.batches) == 50


def test_of_a_conversation_nothing_is_sent_after_what_a_200_reports_as_failed() -> None:
    client = StubSqs()
    client.fails = lambda each: each == pointer("aa", 8)

    left = fifo(client).enqueue([*(pointer("aa", n) for n in range(12)), pointer("bb", 1)])

    assert left == (pointer("aa", 8), pointer("aa", 10), pointer("aa", 11))
    assert client.sent() == [*(pointer("aa", n) for n in range(10)), pointer("bb", 1)]


def test_the_fake_hands_back_the_same() -> None:
    queue = FakeInboundQueue()
    queue.refuse = lambda each: each == pointer("aa", 1)

    left = queue.enqueue([pointer("aa", 1), pointer("aa", 2), pointer("bb", 1)])

    assert left == (pointer("aa", 1), pointer("aa", 2))
    assert queue.taken == [pointer("bb", 1)]


def test_a_refused_call_took_none_of_its_batch() -> None:
    client = StubSqs()
    client.raises[1] = ClientError({"Error": {"Code": "RequestThrottled"}}, "SendMessageBatch")

    left = fifo(client).enqueue([pointer(f"c{n}") for n in range(12)])

    assert left == tuple(pointer(f"c{n}") for n in range(10))
    assert len(client.batches) == 2


def test_a_queue_that_cannot_be_reached_is_not_tried_again() -> None:
    client = StubSqs()
    client.raises[1] = EndpointConnectionError(endpoint_url="https://sqs.example")
    given = [pointer(f"c{n}") for n in range(12)]

    assert fifo(client).enqueue(given) == tuple(given)
    assert len(client.batches) == 1


def test_nothing_to_enqueue_is_no_request() -> None:
    client = StubSqs()

    assert fifo(client).enqueue([]) == ()
    assert client.batches == []


@pytest.mark.parametrize("other", [pointer("ab", 1), pointer("aa", 2)], ids=["conversation", "message"])
def test_deduplication_ids_are_stable_short_and_apart(other: InboundPointer) -> None:
    assert deduplication_id(pointer()) == deduplication_id(pointer())
    assert deduplication_id(pointer()) != deduplication_id(other)
    assert len(deduplication_id(pointer())) <= 128
