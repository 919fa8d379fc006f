"""What `sam build` makes, under AWS's own runtime: real events, wrong settings, an end in the middle, a model that hangs."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from conversation.customer import Customer
from core.domain.conversation import Mode
from core.domain.delivery import PartState
from core.domain.record_keys import HEAD
from core.integrations.dynamodb import codec
from local_stack.processes import wait_until
from local_stack.stack import Stack
from tests.e2e.lambda_events import SCHEDULE_EVENT, http_event, signed_event, sqs_event
from tests.e2e.lambda_runtime import RESOURCES, RunningFunction, running_function, unpack_bundle

pytestmark = pytest.mark.e2e

SECONDS = 30.0
TIMEOUT_SECONDS = 25
THROTTLED = 131056

Starts = Callable[..., AbstractContextManager[RunningFunction]]


@pytest.fixture(scope="module")
def bundles(deployed: Stack, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """By function."""
    home = tmp_path_factory.mktemp("bundles")
    return {function: unpack_bundle(deployed, function, home / function) for function in RESOURCES}


@pytest.fixture
def starts(stack: Stack, bundles: Mapping[str, Path], tmp_path: Path, queue: Queue) -> Starts:
    """Starts a function on the stack's table, WhatsApp and model; on a queue that no mapping empties."""
    numbers = iter(range(100))

    def start(function: str, *, bundle: Path | None = None, **options: Any) -> AbstractContextManager[RunningFunction]:
        variables = {"QUEUE_URL": queue.url} | options.pop("variables", {})
        log = tmp_path / f"{function}-{next(numbers)}.log"
        return running_function(stack, function, bundle or bundles[function], log, variables=variables, **options)

    return start


class Queue:
    """A FIFO queue of one test."""

    def __init__(self, stack: Stack) -> None:
        self._sqs = stack.client("sqs")
        self.url = str(
            self._sqs.create_queue(
                QueueName=f"bundle-{time.monotonic_ns()}.fifo",
                Attributes={"FifoQueue": "true", "VisibilityTimeout": "0"},
            )["QueueUrl"]
        )

    def event(self) -> dict[str, Any]:
        """All that waits, as a mapping hands it on; it goes on waiting until `taken`."""
        arn = self._sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        found = self._sqs.receive_message(QueueUrl=self.url, AttributeNames=["All"], MaxNumberOfMessages=10)
        return sqs_event(found.get("Messages", []), arn)

    def taken(self, event: Mapping[str, Any]) -> None:
        for record in event["Records"]:
            self._sqs.delete_message(QueueUrl=self.url, ReceiptHandle=record["receiptHandle"])

    def delete(self) -> None:
        self._sqs.delete_queue(QueueUrl=self.url)


@pytest.fixture
def queue(stack: Stack) -> Iterator[Queue]:
    own = Queue(stack)
    yield own
    own.delete()


def writes(starts: Starts, customer: Customer, queue: Queue, text: str) -> dict[str, Any]:
    """A customer's message through the webhook; the batch that its pointer is in."""
    with starts("webhook") as webhook:
        answer = webhook.invoke(signed_event(customer.bodies.text(text), customer.stack.state.app_secret))
    assert answer["statusCode"] == 200
    event = queue.event()
    assert len(event["Records"]) == 1
    return event


def part_states(customer: Customer) -> list[PartState]:
    items = [item for item in customer.stack.table_items(customer.pk) if "#o" in item["sk"]]
    return [codec.item_to_part(item).state for item in items]


def is_clean(function: RunningFunction) -> bool:
    """A cold start and nothing to complain of since."""
    starts = [event for event in function.events() if event.get("message") == "environment_started"]
    faults = [event for event in function.events() if event["level"] in {"WARNING", "ERROR", "CRITICAL"}]
    return [event["cold_start"] for event in starts] == [True] and not faults and "Traceback" not in function.said()


def test_a_message_passes_through_all_three_functions(
    stack: Stack, starts: Starts, queue: Queue, customer: Customer
) -> None:
    with starts("webhook") as webhook:
        body = customer.bodies.text("Oi! Vocês fazem análise de água de poço?")
        assert webhook.invoke(signed_event(body, stack.state.app_secret))["statusCode"] == 200
        assert is_clean(webhook), webhook.said()
        query = {"hub.mode": "subscribe", "hub.verify_token": stack.state.verify_token, "hub.challenge": "42"}
        assert webhook.invoke(http_event("GET", query=query))["body"] == "42"
        assert webhook.invoke(signed_event(body, "another secret"))["statusCode"] == 401
    event = queue.event()
    assert len(event["Records"]) == 1

    stack.control_whatsapp({"fail": {"code": THROTTLED}})
    with starts("process") as process:
        assert process.invoke(event) == {"batchItemFailures": []}
        queue.taken(event)
        starts_of_process = [line for line in process.events() if line.get("message") == "environment_started"]
        assert [line["cold_start"] for line in starts_of_process] == [True]
        assert "Traceback" not in process.said()
    assert part_states(customer) == [PartState.PENDING]
    assert stack.outbox() == []

    with starts("sweep") as sweep:
        counts = sweep.invoke(SCHEDULE_EVENT)
        assert set(counts) == {"due", "done", "postponed", "failed", "left"}
        assert is_clean(sweep), sweep.said()
        # the schedule of the deployment may be there first
        assert wait_until(
            lambda: sweep.invoke(SCHEDULE_EVENT) is not None and bool(stack.outbox()), seconds=SECONDS, every=1.0
        )
    assert len(stack.outbox()) == 1


def test_a_wrong_setting_is_told_once_by_each_function_and_nothing_is_lost(
    starts: Starts, queue: Queue, customer: Customer
) -> None:
    event = writes(starts, customer, queue, "Oi!")
    records = [{"itemIdentifier": record["messageId"]} for record in event["Records"]]
    wrong = {"WHATSAPP_ENABLED": "perhaps", "RETENTION_DAYS": "-1"}

    for function, given in (("webhook", http_event("GET")), ("process", event), ("sweep", SCHEDULE_EVENT)):
        with starts(function, variables=wrong) as running:
            answer = running.invoke(given)
            told = [line for line in running.events() if line.get("message") == "start_up_failed"]
            assert [line["level"] for line in told] == ["CRITICAL"], running.said()
            assert all(name in told[0]["detail"] for name in wrong)
        if function == "webhook":
            assert answer["statusCode"] == 500
        elif function == "process":
            assert answer == {"batchItemFailures": records}
        else:
            assert all(name in answer["errorMessage"] for name in wrong)


def test_a_bundle_that_lacks_a_package_fails_before_any_event(
    starts: Starts, bundles: Mapping[str, Path], tmp_path: Path
) -> None:
    broken = shutil.copytree(bundles["webhook"], tmp_path / "broken")
    shutil.rmtree(broken / "botocore")

    with starts("webhook", bundle=broken) as webhook:
        answer = webhook.invoke(http_event("GET"))
        assert answer["errorType"] == "Runtime.ImportModuleError"
        assert "INIT RTDONE(status: error)" in webhook.said()


def test_a_function_with_nothing_to_do_ends_when_told(starts: Starts) -> None:
    with starts("sweep") as sweep:
        sweep.invoke(SCHEDULE_EVENT)
        assert sweep.ends(within_seconds=2.0)


def test_a_turn_that_is_cut_off_is_taken_up_by_the_next_environment(
    stack: Stack, starts: Starts, queue: Queue, customer: Customer
) -> None:
    event = writes(starts, customer, queue, "Oi! Vocês fazem análise de solo?")
    stack.control_model({"fail": {"delay_seconds": 60}})
    with starts("process") as process:
        threading.Thread(target=invoke_in_vain, args=(process, event), daemon=True).start()
        assert wait_until(lambda: bool(stack.model_calls()), seconds=SECONDS), process.said()
        assert process.ends(within_seconds=2.0)
    assert stack.outbox() == []
    stack.control_model({"reset": True})

    again = queue.event()
    assert len(again["Records"]) == 1
    with starts("process") as process:
        assert process.invoke(again) == {"batchItemFailures": []}
    assert len(stack.outbox()) == 1


def invoke_in_vain(function: RunningFunction, event: Mapping[str, Any]) -> None:
    try:
        function.invoke(event)
    except (OSError, ValueError):
        return


def test_a_model_that_hangs_leaves_the_turn_time_to_call_a_person(
    stack: Stack, starts: Starts, queue: Queue, customer: Customer
) -> None:
    event = writes(starts, customer, queue, "Oi! Vocês fazem análise de solo?")
    stack.control_model({"fail": {"delay_seconds": 120, "times": 9}})
    with starts("process", timeout_seconds=TIMEOUT_SECONDS) as process:
        began = time.monotonic()
        assert process.invoke(event) == {"batchItemFailures": []}
        took = time.monotonic() - began

    assert took < TIMEOUT_SECONDS
    assert stack.model_calls(), "the model was not asked"
    head = next(item for item in stack.table_items(customer.pk) if item["sk"] == HEAD)
    assert codec.item_to_head(head).mode is Mode.HUMAN
    assert len(stack.outbox()) == 1
