"""A message that fails again and again: set aside, and answered once what was wrong is mended."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from conversation.customer import Customer
from local_stack.processes import wait_until
from local_stack.stack import Stack
from operator_tools.command import main as operate

pytestmark = pytest.mark.e2e

SECONDS = 60.0
RECEIVES = 2  # the template's ten take ten minutes


@pytest.fixture
def impatient(stack: Stack) -> Iterator[Stack]:
    """The queue gives up after two receives, and what a function leaves alone comes again at once."""
    sqs, queue = stack.client("sqs"), stack.state.queue
    names = ["RedrivePolicy", "VisibilityTimeout"]
    of_template = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=names)["Attributes"]
    policy = json.loads(of_template["RedrivePolicy"]) | {"maxReceiveCount": RECEIVES}
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"RedrivePolicy": json.dumps(policy), "VisibilityTimeout": "1"})
    yield stack
    sqs.set_queue_attributes(QueueUrl=queue, Attributes=of_template)


@pytest.fixture
def table_closed(stack: Stack) -> Iterator[None]:
    """The process function may not use the table, until the test ends it with `open_table`."""
    iam = stack.client("iam")
    statement = {"Effect": "Deny", "Action": "dynamodb:*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.put_role_policy(RoleName=process_role(stack), PolicyName="closed", PolicyDocument=policy)
    yield
    open_table(stack)


def open_table(stack: Stack) -> None:
    iam = stack.client("iam")
    if "closed" in iam.list_role_policies(RoleName=process_role(stack))["PolicyNames"]:
        iam.delete_role_policy(RoleName=process_role(stack), PolicyName="closed")


def process_role(stack: Stack) -> str:
    function = stack.client("lambda").get_function_configuration(FunctionName=stack.state.process_function)
    return str(function["Role"]).rpartition("/")[2]


@pytest.mark.usefixtures("table_closed")
def test_a_message_that_cannot_be_answered_is_kept_and_answered_later(impatient: Stack, customer: Customer) -> None:
    assert impatient.post_webhook(customer.bodies.text("Vocês analisam água de poço?")).status == 200

    assert wait_until(lambda: impatient.queue_depth(dead=True) == 1, seconds=SECONDS)
    assert impatient.queue_depth() == 0
    assert impatient.outbox() == []

    open_table(impatient)
    assert operate(["redrive", "--local", impatient.state.name]) == 0
    assert wait_until(lambda: bool(impatient.outbox()) and impatient.queue_depth() == 0, seconds=SECONDS)
    assert len(impatient.outbox()) == 1
    assert impatient.queue_depth(dead=True) == 0


def test_what_is_no_message_is_set_aside_and_nobody_waits_for_it(impatient: Stack, customer: Customer) -> None:
    impatient.client("sqs").send_message(
        QueueUrl=impatient.state.queue,
        MessageBody="not a pointer",
        MessageGroupId=customer.pk.removeprefix("C#"),
        MessageDeduplicationId="poison",
    )

    assert len(customer.says("Oi! Vocês calibram balanças?").answers) == 1
    assert wait_until(lambda: impatient.queue_depth(dead=True) == 1, seconds=SECONDS)
    assert impatient.queue_depth() == 0
    impatient.client("sqs").purge_queue(QueueUrl=impatient.state.dead_letter_queue)
