"""How long people have for a conversation: to the minute, and only while they have it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.domain.conversation import Effect, EffectKind, EffectState, Mode
from core.domain.deadline import Deadline
from core.domain.handoff import HandoffReason
from core.domain.policy import ConversationPolicy
from core.domain.reply import ReplyKind
from core.integrations.dynamodb import codec
from core.integrations.wiring.sweep import wire_sweep
from tests.desk import Desk, prompts
from tests.fakes.at_once import AtOnce
from tests.fakes.conversation_store import FakeConversationStore

GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'
SUMMARY = '{"resumo_texto": "Pediu o boleto."}'
MINUTE_MS, HOUR_MS = 60_000, 3_600_000


def handed_over(desk: Desk) -> int:
    """A conversation that waits for a person; the moment at which it began to."""
    desk.llm.script(SUMMARY)
    desk.says("quero o boleto")
    assert desk.head.handoff_since_ms is not None
    return desk.head.handoff_since_ms


def at(desk: Desk, moment_ms: int) -> None:
    """The schedule runs just then."""
    desk.clock.advance(moment_ms - desk.clock.now_ms())
    desk.sweep()


def acknowledged(desk: Desk) -> None:
    seen = desk.head
    assert desk.store.update_head(desk.conversation, seen=seen, head=replace(seen, handoff_acknowledged=True))


@pytest.fixture
def desk() -> Desk:
    return Desk(GIVES_UP, '{"s":1}Oi de novo!', policy=ConversationPolicy(handoff_ack_minutes=7, handoff_idle_hours=3))


def test_a_handoff_is_looked_at_when_its_minutes_are_over_and_not_before(desk: Desk) -> None:
    since_ms = handed_over(desk)

    at(desk, since_ms + 7 * MINUTE_MS - 1)
    assert len(desk.replies) == 1

    at(desk, since_ms + 7 * MINUTE_MS)
    assert desk.replies[1:] == [prompts().texts.nobody_took_it]


def test_the_reminder_is_a_turn_that_answers_nothing_and_the_people_keep_the_word(desk: Desk) -> None:
    since_ms = handed_over(desk)
    before = desk.head

    at(desk, since_ms + 7 * MINUTE_MS)

    turn = desk.last_turn
    assert (turn.outcome, turn.inbound, turn.reply and turn.reply.kind) == ("nobody_came", (), ReplyKind.ESCALATION)
    assert (turn.reply and turn.reply.text, turn.wall_ms) == (prompts().texts.nobody_took_it, 0)
    assert (desk.head.mode, desk.head.handoff_since_ms) == (Mode.HUMAN, since_ms)
    assert (desk.head.last_turn, desk.head.ver) == (turn.turn, before.ver + 1)
    assert desk.head.due_ms == since_ms + 3 * HOUR_MS


def test_the_reminder_is_sent_though_people_have_the_word(desk: Desk) -> None:
    since_ms = handed_over(desk)

    at(desk, since_ms + 7 * MINUTE_MS)

    reminder = desk.parts[-1]
    assert (reminder.exempt, reminder.number, reminder.attempt, reminder.reply_to) == (True, 1, 1, None)


def test_the_customer_is_told_once(desk: Desk) -> None:
    since_ms = handed_over(desk)

    for minutes in (7, 20, 60):
        at(desk, since_ms + minutes * MINUTE_MS)

    assert len(desk.replies) == 2


def test_whom_a_person_took_is_told_nothing(desk: Desk) -> None:
    since_ms = handed_over(desk)
    acknowledged(desk)

    at(desk, since_ms + 7 * MINUTE_MS)

    assert len(desk.replies) == 1
    assert (desk.head.mode, desk.head.due_ms) == (Mode.HUMAN, since_ms + 3 * HOUR_MS)


def test_the_bot_has_the_word_again_when_the_hours_are_over_and_not_before(desk: Desk) -> None:
    since_ms = handed_over(desk)
    acknowledged(desk)
    at(desk, since_ms + 7 * MINUTE_MS)

    at(desk, since_ms + 3 * HOUR_MS - 1)
    assert desk.head.mode is Mode.HUMAN

    at(desk, since_ms + 3 * HOUR_MS)
    assert (desk.head.mode, desk.head.due_ms) == (Mode.BOT, None)
    assert desk.says("oi").outcome == "answered"


def test_a_finished_request_is_closed_when_its_people_are_gone(desk: Desk) -> None:
    since_ms = handed_over(desk)
    seen = desk.head
    done = replace(seen, handoff_reason=HandoffReason.COMPLETED.value, handoff_acknowledged=True)
    assert desk.store.update_head(desk.conversation, seen=seen, head=done)

    at(desk, since_ms + 3 * HOUR_MS)

    assert desk.head.mode is Mode.CLOSED


def test_outside_whatsapps_window_nobody_is_written_to_but_the_reminder_stands(desk: Desk) -> None:
    desk = Desk(GIVES_UP, policy=ConversationPolicy(handoff_ack_minutes=24 * 60, handoff_idle_hours=72))
    since_ms = handed_over(desk)

    at(desk, since_ms + 24 * HOUR_MS)

    assert (len(desk.replies), desk.last_turn.outcome, desk.last_turn.reply) == (1, "nobody_came", None)


def test_a_head_that_is_due_though_nobody_waits_for_people_is_left_alone_from_then_on(desk: Desk) -> None:
    desk = Desk('{"s":1}Olá!')
    desk.says("oi")
    seen = desk.head
    now_ms = desk.clock.now_ms()
    assert desk.store.update_head(desk.conversation, seen=seen, head=replace(seen, due_ms=now_ms))

    desk.sweep()

    assert (desk.head.due_ms, desk.head.mode, len(desk.replies)) == (None, Mode.BOT, 1)


def test_how_long_nobody_came_is_logged_in_minutes(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    since_ms = handed_over(desk)

    at(desk, since_ms + 9 * MINUTE_MS)

    waited = [vars(record)["minutes"] for record in caplog.records if record.message == "handoff_unacknowledged"]
    assert waited == [9]


def test_an_effect_that_is_gone_or_done_is_not_finished_again(desk: Desk) -> None:
    handed_over(desk)
    (effect,) = desk.store.effects(desk.conversation)
    watch = wire_sweep(
        desk.use_case(),
        store=desk.store,
        clock=desk.clock,
        policy=desk.policy,
        texts=prompts().texts,
        executor=AtOnce(),
    ).handoffs
    deadline = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 60_000)
    desk.store.requests.clear()

    for sk in (effect.sk, "E#t0#handoff"):
        assert watch.finish_effect(desk.conversation, sk, deadline)

    assert desk.store.requests == ["read_effect", "read_effect"]


def test_a_person_who_comes_at_the_same_moment_wins(desk: Desk) -> None:
    since_ms = handed_over(desk)
    desk.store.on_next("commit", lambda: acknowledged(desk))

    at(desk, since_ms + 7 * MINUTE_MS)

    assert (len(desk.replies), desk.head.handoff_acknowledged) == (1, True)


def test_a_head_whose_time_has_not_come_is_not_touched() -> None:
    desk = Desk(GIVES_UP)
    handed_over(desk)
    watch = wire_sweep(
        desk.use_case(),
        store=desk.store,
        clock=desk.clock,
        policy=desk.policy,
        texts=prompts().texts,
        executor=AtOnce(),
    ).handoffs
    deadline = Deadline(now_ms=desk.clock.now_ms, ends_at_ms=desk.clock.now_ms() + 60_000)
    seen = desk.store.read(desk.conversation)
    desk.store.requests.clear()

    assert not watch.look_after(seen, deadline)
    assert not watch.look_after(replace(seen, head=replace(seen.head, due_ms=None)), deadline)

    assert desk.store.requests == []


# What a dead process left of a handoff


class _DiedError(BaseException):
    """Nothing catches it."""


def died_before_the_summary(desk: Desk) -> None:
    pointer = desk.last_pointer = desk.record(desk.message("quero o boleto"))

    def dies(_call: object) -> str:
        raise _DiedError

    desk.llm.script(dies)
    with pytest.raises(_DiedError):
        desk.process(pointer)


def states(store: FakeConversationStore, conversation: str) -> dict[str, str]:
    return {effect.kind: effect.state for effect in store.effects(conversation)}


def test_a_summary_that_nobody_finished_is_written_after_ninety_seconds(desk: Desk) -> None:
    died_before_the_summary(desk)
    committed_ms = desk.store.effects(desk.conversation)[0].created_at_ms
    desk.llm.script(SUMMARY)

    at(desk, committed_ms + 90_000 - 1)
    assert states(desk.store, desk.conversation) == {EffectKind.HANDOFF: EffectState.PENDING}

    at(desk, committed_ms + 90_000)
    (effect,) = desk.store.effects(desk.conversation)
    assert (effect.state, effect.due_ms) == (EffectState.DONE, None)
    assert effect.payload["summary"]["resumo_texto"] == "Pediu o boleto."
    assert effect.payload["summary"]["motivo_encerramento"] == "o assunto é de uma pessoa: boleto"


def test_what_is_done_is_not_done_again(desk: Desk) -> None:
    handed_over(desk)
    (effect,) = desk.store.effects(desk.conversation)
    calls = len(desk.llm.calls)

    at(desk, effect.created_at_ms + 95_000)

    assert len(desk.llm.calls) == calls


def left_to_notify(desk: Desk, *, queued: dict[str, object] | None, **payload: object) -> Effect:
    """A handoff whose notification nobody sent; the sweep has seen to it."""
    desk.says("oi")
    due: dict[str, Any] = {"turn": "t1", "state": EffectState.PENDING, "created_at_ms": 1, "due_ms": 1}
    told = {"reason": "agent_requested", "detail": "boleto"}
    if queued is not None:
        put(desk, Effect(sk="E#t1#handoff", kind=EffectKind.HANDOFF, payload=told | queued, **due | {"due_ms": None}))
    put(desk, Effect(sk="E#t1#notify", kind=EffectKind.NOTIFY, payload=told | payload, **due))
    desk.sweep()
    return next(each for each in desk.store.effects(desk.conversation) if each.kind is EffectKind.NOTIFY)


def put(desk: Desk, effect: Effect) -> None:
    desk.store._put(codec.effect_to_item(desk.conversation, effect))


def test_a_notification_says_what_the_queue_item_says_and_no_second_summary_is_paid_for() -> None:
    desk = Desk('{"s":1}Olá!')

    told = left_to_notify(desk, queued={"summary": {"resumo_texto": "da fila"}})

    assert (told.state, told.payload["summary"]) == (EffectState.DONE, {"resumo_texto": "da fila"})
    assert desk.llm.calls == []


def test_a_notification_that_has_its_summary_keeps_it() -> None:
    desk = Desk('{"s":1}Olá!')

    told = left_to_notify(desk, queued={"summary": {"resumo_texto": "da fila"}}, summary={"resumo_texto": "sua"})

    assert told.payload["summary"] == {"resumo_texto": "sua"}


def test_a_notification_alone_has_a_summary_written_for_it() -> None:
    desk = Desk('{"s":1}Olá!')
    desk.llm.script(SUMMARY)

    told = left_to_notify(desk, queued=None)

    assert told.payload["summary"]["resumo_texto"] == "Pediu o boleto."
    assert len(desk.llm.calls) == 1
