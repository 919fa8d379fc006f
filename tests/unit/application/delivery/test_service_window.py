"""WhatsApp takes free text within 24 hours of the customer's last message: what is said after that, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.conversation import Mode
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart, PartState, SendFailure
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.messages import MessageKind
from core.domain.service_window import window_closes_ms
from tests.desk import Desk

HELLO = '{"s":1}Olá! Como posso ajudar?'
HOUR_MS = 3_600_000


def desk_with(*, template: str = "") -> Desk:
    desk = Desk(HELLO, HELLO)
    desk.settings = replace(desk.settings, whatsapp=replace(desk.settings.whatsapp, template=template))
    return desk


@pytest.mark.parametrize(
    ("hours", "outcome"), [(23.8, "answered"), (23.9, "handoff"), (24, "handoff"), (90, "handoff")]
)
def test_an_answer_that_would_come_too_late_goes_to_a_person_unsent(hours: float, outcome: str) -> None:
    desk = desk_with()
    pointer = desk.record(desk.message("oi"))
    desk.clock.advance(hours=hours)

    assert desk.process(pointer).outcome == outcome
    assert len(desk.replies) == (outcome == "answered")


def test_no_model_is_asked_for_an_answer_that_cannot_be_sent() -> None:
    desk = desk_with()
    pointer = desk.record(desk.message("oi"))
    desk.clock.advance(hours=25)
    desk.process(pointer)

    assert desk.agent.calls == 0
    assert desk.last_turn.handoff_reason == "outside_window"
    assert desk.head.mode is Mode.HUMAN


def test_the_approved_template_is_sent_in_the_answers_place_where_one_is_configured() -> None:
    desk = desk_with(template="retomar_conversa")
    pointer = desk.record(desk.message("oi"))
    desk.clock.advance(hours=25)

    assert desk.process(pointer).outcome == "template"
    assert desk.replies == ["[retomar_conversa]"]
    assert (desk.head.mode, desk.head.pending, desk.agent.calls) == (Mode.BOT, frozenset(), 0)


def test_agents_know_that_only_the_template_was_said() -> None:
    desk = desk_with(template="retomar_conversa")
    pointer = desk.record(desk.message("fazem montagem de cortina?"))
    desk.clock.advance(hours=23.95)
    desk.process(pointer)
    desk.says("oi, ainda quero")

    history = desk.agent.requests[0].history
    assert [line.role for line in history] == ["user", "note"]
    assert not any("modelo:" in line.text for line in history)


@pytest.mark.parametrize(("template", "sent"), [("", []), ("retomar", ["[retomar]"])], ids=["none", "a template"])
def test_a_handoff_whose_text_would_be_refused_still_reaches_people(template: str, sent: list[str]) -> None:
    desk = desk_with(template=template)
    six_days_ago = desk.clock.now_ms() - 6 * 24 * HOUR_MS
    result = desk.says("ainda dá tempo?", sent_at_ms=six_days_ago)

    assert (result.outcome, result.reason) == ("handoff", HandoffReason.STALE)
    assert desk.replies == sent
    assert desk.head.mode is Mode.HUMAN


def test_a_template_that_meta_refuses_for_good_reaches_people() -> None:
    desk = desk_with(template="retomar")
    pointer = desk.record(desk.message("oi"))
    desk.clock.advance(hours=25)
    desk.sender.refuse(SendFailure.BAD_REQUEST, code=132001)
    result = desk.process(pointer)

    assert (result.outcome, result.reason, result.detail) == ("handoff", "outside_window", "132001")


def test_a_later_message_opens_the_window_again() -> None:
    desk = desk_with()
    old = desk.record(desk.message("oi"))
    desk.clock.advance(hours=25)
    desk.record(desk.message("vocês fazem montagem de cortina?"))

    assert desk.process(old).outcome == "answered"


@pytest.mark.parametrize("kind", [MessageKind.ECHO, MessageKind.SYSTEM, MessageKind.UNSUPPORTED])
def test_what_the_customer_did_not_say_opens_no_window(kind: MessageKind) -> None:
    desk = desk_with()
    pointer = desk.record(desk.message("oi"))
    conversation = desk.store.read(pointer.conversation)
    closes = window_closes_ms(conversation)
    entry = replace(conversation.log[0], message=replace(desk.message("x", kind=kind), sent_at_ms=closes))

    assert window_closes_ms(replace(conversation, log=(*conversation.log, entry))) == closes


def test_a_provider_clock_ahead_of_ours_does_not_stretch_the_window() -> None:
    desk = desk_with()
    ahead = desk.clock.now_ms() + 20 * HOUR_MS
    pointer = desk.record(desk.message("oi", sent_at_ms=ahead))

    assert window_closes_ms(desk.store.read(pointer.conversation)) < desk.clock.now_ms() + 24 * HOUR_MS


def test_an_answer_that_waited_too_long_to_be_sent_is_not_sent_and_people_know() -> None:
    desk = desk_with()
    desk.sender.refuse(SendFailure.ACCOUNT, code=131042)
    desk.says("oi")
    desk.clock.advance(hours=25)
    desk.sweep()

    assert desk.replies == []
    assert desk.head.mode is Mode.HUMAN
    parts = [entry for entry in desk.store.read(desk.conversation).log if isinstance(entry, OutboundPart)]
    assert [(part.state, part.failure) for part in parts] == [(PartState.FAILED, SendFailure.WINDOW_OVER)]


def test_a_handoff_that_nobody_asked_for_outside_the_window_says_nothing() -> None:
    desk = desk_with()
    desk.says("oi")
    desk.clock.advance(hours=30)
    request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="overdue")
    deadline = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 60_000)
    desk.use_case().hand_over(desk.conversation, request, deadline=deadline)

    assert len(desk.replies) == 1
    assert desk.head.mode is Mode.HUMAN
