"""What is told of each item of a body: counted where it was taken, to come again where it failed, answered where asked."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.application.intake.inbound_batch import IdentityChange, WebhookBatch
from core.application.intake.take_batch import BatchIntake, TakenBatch
from core.domain.delivery import DeliveryStatus, SendFailure
from core.domain.errors import IntegrationError
from core.domain.messages import InboundMessage, MessageKind, Sender
from tests.desk import PHONE_NUMBER_ID, Desk

ANA, BIA = Sender(phone="5511980000111"), Sender(phone="5511980000222")
NOBODY = Sender()
EXECUTOR = ThreadPoolExecutor(max_workers=1)


@pytest.fixture
def desk() -> Desk:
    return Desk('{"s":1}Olá!')


def take(desk: Desk, *messages: InboundMessage, **others: Any) -> TakenBatch:
    batches = BatchIntake(intake=desk.intake, store=desk.store, executor=EXECUTOR)
    return batches.take(WebhookBatch(messages=messages, **others))


def outcome(taken: TakenBatch) -> tuple[int, int, int, int]:
    return len(taken.pointers), taken.recorded, taken.statuses, taken.failed


def test_a_message_is_recorded_and_asks_for_an_answer(desk: Desk) -> None:
    taken = take(desk, desk.message("oi", sender=ANA))

    assert outcome(taken) == (1, 1, 0, 0)
    assert desk.store.inbounds(taken.pointers[0].conversation)[0].message.text == "oi"


def test_what_asks_for_no_answer_is_recorded_all_the_same(desk: Desk) -> None:
    assert outcome(take(desk, desk.message(kind=MessageKind.REACTION, sender=ANA))) == (0, 1, 0, 0)


def test_a_message_to_another_number_is_neither_taken_nor_asked_for_again(desk: Desk) -> None:
    assert outcome(take(desk, desk.message("oi", phone_number_id="999", sender=ANA))) == (0, 0, 0, 0)


def test_a_message_of_nobody_is_not_asked_for_again(desk: Desk) -> None:
    assert outcome(take(desk, desk.message("oi", sender=NOBODY))) == (0, 0, 0, 0)


def test_a_message_that_the_table_refuses_must_come_again_and_costs_no_other(desk: Desk) -> None:
    desk.store.fail_next("record", IntegrationError("record"))

    taken = take(desk, desk.message("perdida", sender=ANA), desk.message("oi", sender=BIA))

    assert outcome(taken) == (1, 1, 0, 1)
    assert [each.message.text for each in desk.store.inbounds(taken.pointers[0].conversation)] == ["oi"]


def test_an_error_that_nobody_foresaw_must_come_again_too(desk: Desk) -> None:
    desk.store.fail_next("record", ZeroDivisionError())

    assert outcome(take(desk, desk.message("oi", sender=ANA))) == (0, 0, 0, 1)


def test_messages_of_one_customer_go_together_in_their_order(desk: Desk) -> None:
    taken = take(desk, *(desk.message(text, sender=ANA) for text in ("um", "dois", "três")))

    assert outcome(taken) == (3, 3, 0, 0)
    assert desk.store.requests == ["record_burst"]
    assert [each.message.text for each in desk.store.inbounds(taken.pointers[0].conversation)] == ["um", "dois", "três"]


def test_a_customer_alone_is_recorded_alone(desk: Desk) -> None:
    take(desk, desk.message("oi", sender=ANA), desk.message("olá", sender=BIA))

    assert desk.store.requests == ["record", "record"]


def test_what_cannot_go_together_goes_one_after_another(desk: Desk) -> None:
    messages = [desk.message("um", sender=ANA), desk.message(kind=MessageKind.REACTION, sender=ANA)]

    taken = take(desk, *messages)

    assert outcome(taken) == (1, 2, 0, 0)
    assert desk.store.requests == ["record", "record"]


def test_together_refused_they_are_taken_one_by_one(desk: Desk) -> None:
    desk.store.fail_next("record_burst", IntegrationError("record_burst"))

    assert outcome(take(desk, desk.message("um", sender=ANA), desk.message("dois", sender=ANA))) == (2, 2, 0, 0)
    assert desk.store.requests == ["record_burst", "record", "record"]


def test_pointers_stand_in_the_order_of_the_body_whoever_went_together(desk: Desk) -> None:
    messages = [desk.message(str(n), sender=sender) for n, sender in enumerate([BIA, ANA, ANA])]

    taken = take(desk, *messages)

    texts = [desk.store.read(each.conversation, ensure=each.sk).inbound(each.sk) for each in taken.pointers]
    assert [each.message.text for each in texts if each] == ["0", "1", "2"]


def test_a_changed_identity_counts_as_no_message(desk: Desk) -> None:
    assert outcome(take(desk, identity_changes=(changed(),))) == (0, 0, 0, 0)


def test_a_changed_identity_that_the_table_refuses_must_come_again(desk: Desk) -> None:
    desk.store.fail_next("read", IntegrationError("read"))

    assert outcome(take(desk, identity_changes=(changed(),))) == (0, 0, 0, 1)


def changed() -> IdentityChange:
    return IdentityChange(previous=ANA, current=BIA, phone_number_id=PHONE_NUMBER_ID, at_ms=1)


# Statuses


def status(desk: Desk, name: str, *, callback: str | None = "") -> DeliveryStatus:
    return DeliveryStatus(
        provider_id="wamid.fake-1",
        status=name,
        at_ms=desk.clock.now_ms(),
        phone_number_id=PHONE_NUMBER_ID,
        callback=desk.sender.arrived[-1].callback if callback == "" else callback,
        failure=SendFailure.RECIPIENT if name == "failed" else None,
    )


@pytest.fixture
def answered(desk: Desk) -> Desk:
    desk.says("oi")
    return desk


def test_a_status_that_says_something_new_is_written(answered: Desk) -> None:
    assert outcome(take(answered, statuses=(status(answered, "delivered"),))) == (0, 0, 1, 0)


def test_a_status_told_again_is_ignored(answered: Desk) -> None:
    take(answered, statuses=(status(answered, "read"),))

    assert outcome(take(answered, statuses=(status(answered, "delivered"),))) == (0, 0, 0, 0)


def test_a_status_of_a_message_that_is_not_ours_is_ignored(answered: Desk) -> None:
    answered.store.requests.clear()

    assert outcome(take(answered, statuses=(status(answered, "delivered", callback=None),))) == (0, 0, 0, 0)
    assert answered.store.requests == []


def test_a_failed_part_is_handed_on_however_often_it_is_told(answered: Desk) -> None:
    (part,) = answered.parts
    for _ in range(2):
        taken = take(answered, statuses=(status(answered, "failed"),))

        assert outcome(taken) == (1, 0, 1, 0)
        assert taken.pointers[0].sk == part.sk


def test_a_status_that_the_table_refuses_must_come_again(answered: Desk) -> None:
    answered.store.fail_next("apply_status", IntegrationError("apply_status"))

    assert outcome(take(answered, statuses=(status(answered, "delivered"),))) == (0, 0, 0, 1)


def test_five_hundred_messages_of_one_customer_cost_six_requests_and_lose_none(desk: Desk) -> None:
    messages = [desk.message(str(n), sender=ANA) for n in range(500)]

    taken = take(desk, *messages)

    assert outcome(taken) == (500, 500, 0, 0)
    assert desk.store.requests == ["record_burst"] * 6
    assert len(desk.store.head(taken.pointers[0].conversation).pending) == 500
    desk.store.requests.clear()
    assert outcome(take(desk, *messages)) == (500, 500, 0, 0)
    assert desk.store.requests == ["record_burst"] * 6


def test_of_a_long_body_what_cannot_go_together_goes_one_after_another(desk: Desk) -> None:
    messages = [desk.message(str(n), sender=ANA) for n in range(100)]
    desk.store.on_next("record_burst", lambda: desk.store.fail_next("record_burst", IntegrationError("lost")), "after")

    assert outcome(take(desk, *messages)) == (100, 100, 0, 0)
    assert desk.store.requests == ["record_burst", "record_burst", "record", "record"]
