"""The SQS door: what cannot be read harms nobody else, nothing is lost, and no customer's words reach the log."""

from __future__ import annotations

import json
import logging
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from core.domain.errors import BadInputError, IntegrationError
from core.domain.messages import InboundPointer
from core.domain.pointer import pointer_body
from handlers import process_message
from tests.desk import Desk
from tests.door import Door, text_body

HELLO = '{"s":1}Olá! Como posso ajudar?'


class Retries:
    """What was asked to come back, and when."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def retry_in(self, receipt_handle: str, *, seconds: int) -> None:
        self.asked.append((receipt_handle, seconds))


class ProcessDoor:
    """The real handler over a desk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *replies: str) -> None:
        self.desk = Desk(*replies)
        self.door = Door(monkeypatch, self.desk)
        self.retries = Retries()

        @contextmanager
        def sender() -> Any:
            yield self.desk.sender

        dependencies = SimpleNamespace(
            clock=self.desk.clock,
            sender=sender,
            use_case=lambda _sender: self.desk.use_case(),
            batches=self.door.batches,
            retries=self.retries,
        )
        monkeypatch.setattr(process_message, "dependencies", lambda: dependencies)

    def handle(self, *records: dict[str, Any]) -> list[str]:
        """The ids that must come again."""
        context = SimpleNamespace(get_remaining_time_in_millis=lambda: 60_000)
        answer = process_message.handler({"Records": list(records)}, context)
        return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]

    def record(self, name: str, body: str, *, group: str | None = None, receive_count: int = 1) -> dict[str, Any]:
        return {
            "messageId": name,
            "receiptHandle": f"handle-{name}",
            "body": body,
            "attributes": {"MessageGroupId": group or name, "ApproximateReceiveCount": str(receive_count)},
        }

    def question(self, name: str, text: str = "oi", **changes: Any) -> dict[str, Any]:
        """A recorded message of a customer of its own, as the webhook would have queued it."""
        pointer = self.desk.record(self.desk.message(text, sender=self.desk.another_customer()))
        return self.record(name, pointer_body(pointer), group=pointer.conversation, **changes)


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> ProcessDoor:
    return ProcessDoor(monkeypatch, *[HELLO] * 12)


@pytest.fixture(autouse=True)
def _heard(caplog: pytest.LogCaptureFixture) -> Any:
    """The door's own loggers write to powertools' handler; here they are heard too."""
    loggers = [logging.getLogger(name) for name in ("core", "handlers")]
    for logger in loggers:
        logger.addHandler(caplog.handler)
    caplog.set_level(logging.INFO)
    yield
    for logger in loggers:
        logger.removeHandler(caplog.handler)


UNREADABLE = {
    "no JSON": "isto não é JSON",
    "empty": "",
    "a list": "[1, 2]",
    "another service's event": '{"detail-type": "x"}',
    "a pointer of tomorrow": '{"v":2,"conv":"c0ffee","sk":"M#1"}',
    "a pointer with half a character": '{"v":1,"conv":"\\ud800","sk":"M#1796040000000#i0"}',
    "a pointer to something that is no message": '{"v":1,"conv":"c0ffee","sk":"S#STATE"}',
    "nested without end": "[" * 100_000,
    "a number without end": '{"v":' + "9" * 5_000 + "}",
}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_record_comes_again_alone_and_its_reason_is_logged(
    door: ProcessDoor, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    failed = door.handle(door.question("a"), door.record("bad", body), door.question("b"))
    assert failed == ["bad"]
    assert len(door.desk.replies) == 2
    reasons = [record.reason for record in caplog.records if record.message == "record_unreadable"]
    assert len(reasons) == 1
    assert reasons[0]


def test_an_unreadable_record_holds_nobody_of_its_own_group_back(door: ProcessDoor) -> None:
    bad, good = door.record("bad", "x", group="g"), {**door.question("good"), "attributes": {"MessageGroupId": "g"}}
    assert door.handle(bad, good) == ["bad"]
    assert len(door.desk.replies) == 1


def test_conversations_of_one_batch_are_all_answered(door: ProcessDoor) -> None:
    assert door.handle(*(door.question(str(number)) for number in range(8))) == []
    assert len(door.desk.replies) == 8


def test_after_a_failure_the_rest_of_the_conversation_comes_again_soon_and_others_go_on(door: ProcessDoor) -> None:
    first, second = door.desk.message("oi"), door.desk.message("oi de novo")
    pointers = [door.desk.record(message) for message in (first, second)]
    records = [door.record(f"m{n}", pointer_body(p), group=p.conversation) for n, p in enumerate(pointers)]
    door.desk.store.fail_next("read", IntegrationError("query"))
    assert door.handle(*records) == ["m0", "m1"]
    assert door.retries.asked == [("handle-m0", 2), ("handle-m1", 2)]
    assert door.handle(*records) == []
    assert len(door.desk.replies) == 1


def test_a_turn_that_meets_an_unreadable_item_keeps_its_conversation_in_order(door: ProcessDoor) -> None:
    pointers = [door.desk.record(door.desk.message(text)) for text in ("oi", "oi de novo")]
    records = [door.record(f"m{n}", pointer_body(p), group=p.conversation) for n, p in enumerate(pointers)]
    door.desk.store.fail_next("read", BadInputError("unknown_value"))
    assert door.handle(*records) == ["m0", "m1"]
    assert door.retries.asked == [("handle-m0", 2), ("handle-m1", 2)]


@pytest.mark.parametrize(("count", "seconds"), [(1, 2), (2, 10), (3, 30), (4, 60), (9, 60)])
def test_a_failed_record_waits_longer_each_time(door: ProcessDoor, count: int, seconds: int) -> None:
    door.desk.store.fail_next("read", IntegrationError("query"))
    door.handle(door.question("a", receive_count=count))
    assert door.retries.asked == [("handle-a", seconds)]


def test_a_start_up_that_fails_brings_every_record_again_soon(
    door: ProcessDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [door.question("a"), door.question("b", receive_count=4)]

    def fails() -> Any:
        raise IntegrationError("SSM GetParameters: ThrottlingException")

    monkeypatch.setattr(process_message, "dependencies", fails)
    monkeypatch.setattr(process_message, "record_retries", lambda: door.retries)
    assert door.handle(*records) == ["a", "b"]
    assert door.retries.asked == [("handle-a", 2), ("handle-b", 60)]


def test_a_turn_that_fails_is_counted_on_its_conversation(door: ProcessDoor) -> None:
    question = door.question("a")
    door.desk.store.fail_next("commit", IntegrationError("commit"))
    assert door.handle(question) == ["a"]
    assert door.desk.store.head(question["attributes"]["MessageGroupId"]).failures == 1
    assert door.handle(question) == []
    assert door.desk.store.head(question["attributes"]["MessageGroupId"]).failures == 0


def test_a_failure_that_cannot_be_counted_comes_again_all_the_same(door: ProcessDoor) -> None:
    door.desk.store.fail_next("read", IntegrationError("query"))
    door.desk.store.fail_next("note_failure", IntegrationError("update"))
    assert door.handle(door.question("a")) == ["a"]
    assert door.retries.asked == [("handle-a", 2)]


def test_a_pointer_to_a_message_that_was_never_recorded_is_told(
    door: ProcessDoor, caplog: pytest.LogCaptureFixture
) -> None:
    known = door.desk.record(door.desk.message("oi"))
    lost = InboundPointer(conversation=known.conversation, sk="M#1796040000000#iffff")
    assert door.handle(door.record("lost", pointer_body(lost))) == []
    assert "pointer_without_message" in [record.message for record in caplog.records]


def test_a_very_long_text_is_answered_and_reaches_the_agent_cut(door: ProcessDoor) -> None:
    assert door.handle(door.record("raw", json.dumps(text_body("palavra " * 13_000)))) == []
    assert len(door.desk.replies) == 1
    assert len(door.desk.agent.requests[0].pending_text) < 9_000


SECRETS = ("Zulmira", "quixabeira", "5511980007777", "zulmira@exemplo.example", "529.982.247-25")


@pytest.mark.parametrize(
    "reply",
    [
        HELLO,
        '{"s":6,"reason":"zulmira_quixabeira_pediu"}Vou chamar alguém.',
        '{"s":1,"Zulmira":"x","declined":["Zulmira"]}Certo.',
        '{"s":99,"context_needed":"Zulmira"}',
        '{"s":2,"service":"Zulmira"}Vamos lá.',
        '{"s":1,"nome":"Zulmira Quixabeira","email":"zulmira@exemplo.example"}Certo, Zulmira.',
        "Zulmira, {nada disso é JSON",
    ],
)
def test_neither_customer_nor_model_words_reach_the_log(
    monkeypatch: pytest.MonkeyPatch, reply: str, caplog: pytest.LogCaptureFixture
) -> None:
    door = ProcessDoor(monkeypatch, reply, reply, reply, reply)
    said = "sou Zulmira Quixabeira, 5511980007777, zulmira@exemplo.example, CPF 529.982.247-25"
    door.handle(door.question("a", said))
    logged = " ".join(str(vars(record)) for record in caplog.records)
    assert "turn_done" in logged
    for secret in SECRETS:
        assert secret.casefold() not in logged.casefold()
