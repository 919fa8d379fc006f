"""What the door tells of a body: what was taken, queued, and must come again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from core.application.intake.inbound_batch import WebhookBatch
from core.application.intake.take_batch import BatchIntake
from core.application.receive_webhook_use_case import ReceiveWebhookUseCase, WebhookReceipt
from core.domain.errors import IntegrationError
from core.domain.messages import InboundPointer, MessageKind
from tests.desk import Desk

EXECUTOR = ThreadPoolExecutor(max_workers=1)


class Queue:
    """Refuses as many pointers as it is told to; remembers what it was offered."""

    def __init__(self, refuses: int = 0) -> None:
        self.refuses = refuses
        self.offered: list[tuple[InboundPointer, ...]] = []

    def enqueue(self, pointers: tuple[InboundPointer, ...]) -> tuple[InboundPointer, ...]:
        self.offered.append(pointers)
        return pointers[: self.refuses]


def receive(desk: Desk, queue: Queue, *texts: str, kind: MessageKind = MessageKind.TEXT) -> WebhookReceipt:
    messages = tuple(desk.message(text, sender=desk.another_customer(), kind=kind) for text in texts)
    batches = BatchIntake(intake=desk.intake, store=desk.store, executor=EXECUTOR)
    return ReceiveWebhookUseCase(batches=batches, queue=queue).execute(WebhookBatch(messages=messages))


def test_a_body_of_nothing_counts_nothing_and_asks_the_queue_for_nothing() -> None:
    queue = Queue()

    assert receive(Desk(), queue) == WebhookReceipt(recorded=0, enqueued=0, statuses=0, failed=0)
    assert queue.offered == []


def test_what_asks_for_no_answer_is_not_queued() -> None:
    queue = Queue()

    assert receive(Desk(), queue, "👍", kind=MessageKind.REACTION) == WebhookReceipt(
        recorded=1, enqueued=0, statuses=0, failed=0
    )
    assert queue.offered == []


def test_what_the_queue_did_not_take_must_come_again() -> None:
    receipt = receive(Desk(), Queue(refuses=1), "um", "dois", "três")

    assert receipt == WebhookReceipt(recorded=3, enqueued=2, statuses=0, failed=1)


def test_what_the_table_did_not_take_must_come_again_too() -> None:
    desk = Desk()
    desk.store.fail_next("record", IntegrationError("record"))

    assert receive(desk, Queue(refuses=1), "um", "dois") == WebhookReceipt(recorded=1, enqueued=0, statuses=0, failed=2)
