"""What nobody did in time is done by the schedule: overdue messages, unreported sends, people who never came."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.deadline import Deadline
from core.domain.delivery import DeliveryStatus, PartState, SendFailure
from core.domain.errors import IntegrationError
from core.domain.handoff import HandoffReason
from tests.desk import Desk
from tests.fakes.message_sender import Arrival
from tests.neutral_company import prompts

HELLO = '{"s":1}Olá! Como posso ajudar?'
SUMMARY = json.dumps({"resumo_texto": "Quer instalar um split."})


class _Killed(BaseException):
    """The process dies at this very request."""


def killed(desk: Desk, method: str, when: str) -> None:
    """One message, and a process that dies at `method`."""
    pointer = desk.record(desk.message("oi"))
    desk.store.fail_next(method, _Killed(), when=when)
    with pytest.raises(_Killed):
        desk.process(pointer)
    desk.last_pointer = pointer


def test_a_message_that_nobody_answered_in_ten_minutes_goes_to_a_person() -> None:
    desk = Desk(HELLO)
    desk.last_pointer = desk.record(desk.message("oi"))
    desk.sweep()
    assert desk.replies == []
    desk.clock.advance(minutes=11)
    desk.llm.script(SUMMARY)
    desk.sweep()
    assert desk.replies == [desk.fixed_text(HandoffReason.INTERNAL_ERROR)]
    assert (desk.head.mode, desk.head.pending) == (Mode.HUMAN, frozenset())


def test_a_send_that_died_before_it_left_is_doubted_then_sent_once() -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    desk.sender.before_send(lambda: (_ for _ in ()).throw(_Killed()))
    with pytest.raises(_Killed):
        desk.process(pointer)
    desk.last_pointer = pointer
    desk.clock.advance(seconds=70)
    desk.sweep()
    assert desk.parts[0].state is PartState.UNKNOWN
    assert desk.replies == []
    desk.clock.advance(seconds=121)
    desk.sweep()
    assert desk.replies == ["Olá! Como posso ajudar?"]
    desk.clock.advance(minutes=5)
    desk.sweep()
    assert len(desk.replies) == 1


def test_a_send_whose_outcome_was_lost_is_settled_by_its_status_and_never_repeated() -> None:
    desk = Desk(HELLO)
    killed(desk, "record_outcome", "before")
    assert len(desk.replies) == 1
    desk.status_arrives("delivered")
    desk.clock.advance(minutes=10)
    desk.sweep()
    desk.sweep()
    assert len(desk.replies) == 1
    assert desk.parts[0].state is PartState.SENT


def test_an_unknown_send_without_a_status_is_repeated_once_and_no_more() -> None:
    desk = Desk(HELLO)
    desk.sender.lose(Arrival.BEFORE)
    desk.sender.lose(Arrival.BEFORE)
    desk.says("oi")
    assert desk.parts[0].state is PartState.UNKNOWN
    for _ in range(6):
        desk.clock.advance(minutes=5)
        desk.sweep()
    assert desk.parts[0].state is PartState.FAILED
    answer, told, waits = 2, 1, 1  # sends of the answer, of the handoff's text, of the one after 15 minutes
    assert desk.sender.calls == answer + told + waits


def test_a_send_unknown_twice_reaches_a_person_and_the_customer_is_told() -> None:
    desk = Desk(HELLO)
    desk.llm.script(SUMMARY)
    desk.sender.lose(Arrival.BEFORE)
    desk.sender.lose(Arrival.BEFORE)
    desk.says("oi")
    for _ in range(6):
        desk.clock.advance(minutes=2)
        desk.sweep()
    assert desk.replies == [desk.fixed_text(HandoffReason.INTERNAL_ERROR)]
    assert (desk.head.mode, desk.last_turn.handoff_detail) == (Mode.HUMAN, "undelivered_unknown")


@pytest.mark.parametrize("arrival", list(Arrival))
def test_the_second_part_of_an_answer_never_arrives_before_the_first(arrival: Arrival) -> None:
    desk = Desk('{"s":1}' + "\n\n".join(f"{n}. Passo da coleta, com todos os cuidados." for n in range(130)))
    desk.sender.lose(arrival)
    desk.says("como coleto?")
    for _ in range(6):
        desk.clock.advance(minutes=1)
        desk.sweep()
    first, second = (part.text for part in desk.parts)
    assert desk.replies == [first] * (2 if arrival is Arrival.AFTER else 1) + [second]
    assert [part.state for part in desk.parts] == [PartState.SENT, PartState.SENT]


class _BrokenError(Exception):
    """Something that no contract speaks of."""


def test_a_conversation_that_breaks_the_sweep_does_not_keep_the_others_waiting() -> None:
    desk = Desk()
    for sender in (desk.another_customer(), desk.another_customer()):
        desk.last_pointer = desk.record(desk.message("oi", sender=sender))
    desk.clock.advance(minutes=11)
    desk.llm.script(SUMMARY)
    desk.store.fail_next("read", _BrokenError())

    def failure(step: Callable[[], None]) -> str | None:
        try:
            step()
        except _BrokenError:
            return "broken"
        return None

    result = desk.sweep(attempt=failure)
    text_and_card = 2
    assert (result.failed, result.done) == (1, text_and_card)


def test_an_unknown_send_that_a_later_turn_overtook_is_never_repeated() -> None:
    desk = Desk(HELLO, '{"s":1}E agora?')
    desk.sender.lose(Arrival.BEFORE)
    desk.says("oi")
    desk.says("oi?")
    desk.clock.advance(minutes=5)
    desk.sweep()
    assert desk.replies == ["E agora?"]


@pytest.mark.parametrize("failure", [SendFailure.THROTTLED, SendFailure.AUTH, SendFailure.ACCOUNT])
def test_a_refused_send_waits_and_leaves_when_it_can(failure: SendFailure) -> None:
    desk = Desk(HELLO)
    desk.sender.refuse(failure, code=1)
    desk.says("oi")
    assert (desk.replies, desk.parts[0].state) == ([], PartState.PENDING)
    desk.clock.advance(minutes=20)
    desk.sweep()
    assert desk.replies == ["Olá! Como posso ajudar?"]


def test_an_answer_that_can_never_be_delivered_reaches_a_person() -> None:
    desk = Desk(HELLO)
    desk.llm.script(SUMMARY)
    desk.sender.refuse(SendFailure.WINDOW_OVER, code=131047)
    result = desk.says("oi")
    assert (result.reason, result.detail) == (HandoffReason.OUTSIDE_WINDOW, "131047")
    assert (desk.head.mode, desk.replies) == (Mode.HUMAN, [])


def test_a_handoff_whose_process_died_before_the_summary_still_reaches_the_queue() -> None:
    desk = Desk('{"s":6}Vou chamar alguém.')
    killed(desk, "record_outcome", "after")
    desk.clock.advance(minutes=3)
    desk.llm.script(SUMMARY)
    desk.sweep()
    effect = desk.store.effects(desk.conversation)[0]
    assert (effect.kind, effect.state) == (EffectKind.HANDOFF, EffectState.DONE)
    assert effect.payload["summary"]["resumo_texto"] == "Quer instalar um split."


def test_nobody_came_in_time_the_customer_is_told_once() -> None:
    desk = Desk('{"s":6}Vou chamar alguém.')
    desk.llm.script(SUMMARY)
    desk.says("boleto")
    for _ in range(3):
        desk.clock.advance(minutes=16)
        desk.sweep()
    assert desk.replies[1:] == [prompts().texts.nobody_took_it]
    assert desk.head.mode is Mode.HUMAN


def test_nobody_stayed_for_a_day_the_bot_resumes_with_the_stretch_marked() -> None:
    desk = Desk('{"s":6}Vou chamar alguém.', '{"s":1}Voltei.')
    desk.llm.script(SUMMARY)
    desk.says("boleto")
    desk.clock.advance(minutes=16)
    desk.sweep()
    desk.clock.advance(hours=24)
    desk.sweep()
    assert desk.head.mode is Mode.BOT
    desk.says("oi?")
    assert desk.replies[-1] == "Voltei."


def test_an_item_that_fails_does_not_stop_the_others() -> None:
    desk = Desk(HELLO, HELLO)
    desk.last_pointer = desk.record(desk.message("oi"))
    desk.record(desk.message("oi", sender=desk.another_customer()))
    desk.clock.advance(minutes=11)
    desk.llm.script(SUMMARY, SUMMARY)
    desk.store.fail_next("read", IntegrationError("query"))
    result = desk.sweep()
    text_and_card = 2
    assert (result.failed, result.done) == (1, text_and_card)


def test_a_technical_handoff_that_nobody_took_resumes_with_the_customers_next_message() -> None:
    desk = Desk(*['{"s":123}x'] * 2, HELLO)
    desk.llm.script(SUMMARY)
    desk.says("oi")
    assert desk.head.mode is Mode.HUMAN
    desk.clock.advance(minutes=20)
    desk.says("ainda aí?")
    assert desk.head.mode is Mode.BOT
    assert desk.replies[-1] == "Olá! Como posso ajudar?"


def status(provider_id: str, name: str, callback: str) -> DeliveryStatus:
    return DeliveryStatus(provider_id=provider_id, status=name, at_ms=0, phone_number_id="1", callback=callback)


def test_time_is_up_leaves_the_rest_for_the_next_run() -> None:
    desk = Desk(HELLO)
    desk.last_pointer = desk.record(desk.message("oi"))
    desk.clock.advance(minutes=11)
    short = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 5_000)
    assert desk.sweep(deadline=short).left == 1


def test_a_run_with_nothing_due_has_seen_and_done_nothing() -> None:
    result = Desk().sweep()
    assert (result.seen, result.done, result.failed, result.left) == (0, 0, 0, 0)


@pytest.mark.parametrize(("seconds", "done", "left"), [(20, 2, 0), (19.9, 1, 1), (15, 1, 1), (14.9, 0, 1)])
def test_a_text_is_begun_while_it_can_be_sent_and_a_card_while_its_summary_can_be_written(
    seconds: float, done: int, left: int
) -> None:
    desk = Desk(HELLO)
    desk.last_pointer = desk.record(desk.message("oi"))
    desk.clock.advance(minutes=11)
    desk.llm.script(SUMMARY)

    ends_at_ms = desk.clock.now_ms() + round(seconds * 1000)
    result = desk.sweep(deadline=Deadline(now_ms=desk.clock.now_ms, ends_at_ms=ends_at_ms))

    assert (result.seen, result.done, result.failed, result.left) == (done + left, done, 0, left)


@pytest.mark.parametrize(("minutes", "overdue"), [(9.999, False), (10, True)])
def test_a_message_is_overdue_after_ten_minutes_to_the_second(minutes: float, overdue: bool) -> None:
    desk = Desk(HELLO)
    desk.last_pointer = desk.record(desk.message("oi"))
    desk.clock.advance(minutes=minutes)
    desk.llm.script(SUMMARY)

    desk.sweep()

    assert bool(desk.replies) is overdue
