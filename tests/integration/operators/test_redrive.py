"""`redrive`: nothing is lost, nothing is answered twice, and what is there is shown first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.domain.messages import InboundPointer
from core.domain.pointer import pointer_body
from operator_tools.deployment import Deployment
from operator_tools.queues import Queue
from operator_tools.redriving import Redriven, redrive
from tests.desk import Desk


class Killed(BaseException):
    """The process ends here."""


class Dying:
    """A client of which one operation kills the process."""

    def __init__(self, client: Any, operation: str) -> None:
        self._client, self._operation = client, operation

    def __getattr__(self, name: str) -> Any:
        if name == self._operation:
            raise Killed
        return getattr(self._client, name)


@pytest.fixture
def dead(sqs: Any, deployment: Deployment) -> Queue:
    return Queue(sqs, deployment.outputs["DeadLetterQueueUrl"])


@pytest.fixture
def inbound(sqs: Any, deployment: Deployment) -> Queue:
    return Queue(sqs, deployment.outputs["QueueUrl"])


def give_up_on(sqs: Any, deployment: Deployment, *bodies: str, group: str = "g") -> None:
    for number, body in enumerate(bodies):
        sqs.send_message(
            QueueUrl=deployment.outputs["DeadLetterQueueUrl"],
            MessageBody=body,
            MessageGroupId=group,
            MessageDeduplicationId=f"{group}-{number}",
        )


def bodies_in(queue: Queue) -> Sequence[str]:
    return [message.body for message in queue.receive()]


def quiet(_line: str) -> None:
    """Nobody listens."""


def test_messages_go_back_in_their_order_and_group(
    sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    give_up_on(sqs, deployment, "1", "2", "3")
    assert redrive(dead, inbound, deployment.pages, say=quiet) == Redriven(there=3, shown=3, moved=3)
    moved = inbound.receive()
    assert [(each.body, each.group) for each in moved] == [("1", "g"), ("2", "g"), ("3", "g")]
    assert dead.depth() == 0


def test_a_dry_run_shows_everything_and_leaves_it_to_be_had(
    sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    give_up_on(sqs, deployment, "1", "2")
    lines: list[str] = []
    assert redrive(dead, inbound, deployment.pages, say=lines.append, dry_run=True).moved == 0
    assert len(lines) == 2
    assert inbound.depth() == 0
    assert bodies_in(dead) == ["1", "2"]


def test_no_more_than_asked_is_moved_and_the_rest_can_be_had(
    sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    give_up_on(sqs, deployment, "1", "2", "3")
    assert redrive(dead, inbound, deployment.pages, say=quiet, at_most=2).moved == 2
    assert bodies_in(dead) == ["3"]


def test_whoever_dies_between_sending_and_deleting_has_sent_it_once(
    sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    give_up_on(sqs, deployment, "1")
    dying = Queue(Dying(sqs, "delete_message"), deployment.outputs["DeadLetterQueueUrl"])
    with pytest.raises(Killed):
        redrive(dying, inbound, deployment.pages, say=quiet)
    assert dead.depth() == 1

    redrive(dead, inbound, deployment.pages, say=quiet)

    assert dead.depth() == 0
    assert bodies_in(inbound) == ["1"]


def test_what_cannot_be_sent_stays_where_it_is(sqs: Any, deployment: Deployment, dead: Queue) -> None:
    give_up_on(sqs, deployment, "1", "2")
    closed = Queue(Dying(sqs, "send_message"), deployment.outputs["QueueUrl"])
    with pytest.raises(Killed):
        redrive(dead, closed, deployment.pages, say=quiet)
    assert bodies_in(dead) == ["1", "2"]


def test_a_message_that_was_sent_a_moment_ago_is_taken_again(
    sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    """Under its first name SQS would drop it for five minutes, and say that it was taken."""
    sqs.send_message(
        QueueUrl=deployment.outputs["QueueUrl"], MessageBody="1", MessageGroupId="g", MessageDeduplicationId="g-0"
    )
    (first,) = inbound.receive()
    inbound.delete(first)
    give_up_on(sqs, deployment, "1")

    redrive(dead, inbound, deployment.pages, say=quiet)

    assert bodies_in(inbound) == ["1"]


def test_each_message_is_told_with_why_as_far_as_it_is_known(
    desk: Desk, sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    desk.says("quero um atendente")
    answered = desk.last_pointer
    other = desk.record(desk.message("oi", sender=desk.another_customer()))
    desk.store.note_failure(other.conversation, kind="IntegrationError")
    for number, body in enumerate([pointer_body(answered), pointer_body(other), "lixo"]):
        give_up_on(sqs, deployment, body, group=f"g{number}")
    lines: list[str] = []

    redrive(dead, inbound, deployment.pages, say=lines.append, dry_run=True)

    text = "\n".join(lines)
    assert "people have it (human_requested); nothing waits any more" in text
    assert "1 failures, the last one IntegrationError; still waits for an answer" in text
    assert "no message of this version (pointer_not_json)" in text


def test_what_was_redriven_is_answered_once(
    desk: Desk, sqs: Any, deployment: Deployment, dead: Queue, inbound: Queue
) -> None:
    desk.says("bom dia")
    give_up_on(sqs, deployment, pointer_body(desk.last_pointer))
    redrive(dead, inbound, deployment.pages, say=quiet)
    (again,) = inbound.receive()
    assert again.body == pointer_body(InboundPointer(conversation=desk.conversation, sk=desk.last_pointer.sk))

    desk.process(desk.last_pointer)

    assert len(desk.replies) == 1
