"""What is decided without a model, to the minute and to the count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.domain.conversation import ConversationState, GuardCounters, Mode
from core.domain.handoff import HandoffReason
from core.domain.messages import MessageKind
from core.domain.policy import ConversationPolicy
from core.integrations.dynamodb import codec
from tests.desk import Desk, prompts

HELLO = '{"s":1}Olá! Como posso ajudar?'
ANGRY = "vocês são péssimos, que serviço horrível"
HOUR_MS = 3_600_000


def desk(**policy: Any) -> Desk:
    desk = Desk(*[HELLO] * 8, policy=ConversationPolicy(**policy))
    desk.says("oi")
    return desk


def with_state(desk: Desk, **changes: Any) -> ConversationState:
    """The conversation as it stands, with this changed."""
    state = replace(desk.state, **changes)
    desk.store._put(codec.state_to_item(desk.conversation, state))
    return state


def reason(desk: Desk, text: str = "e então?", **message: Any) -> str:
    return desk.says(text, **message).reason


# Turns an hour


@pytest.mark.parametrize(("turns", "over"), [(2, False), (3, True)])
def test_a_customer_has_so_many_turns_an_hour_and_then_a_person(turns: int, over: bool) -> None:
    it = desk(turns_per_hour=3)
    with_state(it, recent_turns_ms=(it.clock.now_ms(),) * turns)

    assert reason(it) == (HandoffReason.TURN_LIMIT.value if over else "")


@pytest.mark.parametrize(("ago_ms", "over"), [(HOUR_MS - 1, True), (HOUR_MS, False)])
def test_only_the_last_hours_turns_count_and_are_kept(ago_ms: int, over: bool) -> None:
    it = desk(turns_per_hour=3)
    with_state(it, recent_turns_ms=(it.clock.now_ms() - ago_ms,) * 3)

    assert reason(it) == (HandoffReason.TURN_LIMIT.value if over else "")
    assert len(it.state.recent_turns_ms) == (4 if over else 1)


# An outage


@pytest.mark.parametrize(("minutes", "outcome"), [(15, "forwarded"), (15.001, "answered")])
def test_a_technical_handoff_that_nobody_took_ends_with_the_next_message_after_its_minutes(
    minutes: float, outcome: str
) -> None:
    it = desk(handoff_ack_minutes=15)
    since_ms = people_have(it, HandoffReason.LLM_TIMEOUT)
    it.clock.advance(round(since_ms + minutes * 60_000) - it.clock.now_ms())

    assert it.says("oi?").outcome == outcome


@pytest.mark.parametrize(
    ("why", "acknowledged"), [(HandoffReason.HUMAN_REQUESTED, False), (HandoffReason.LLM_TIMEOUT, True)]
)
def test_people_who_were_wanted_or_came_keep_the_word(why: HandoffReason, acknowledged: bool) -> None:
    it = desk()
    people_have(it, why, acknowledged=acknowledged)
    it.clock.advance(hours=2)

    assert it.says("oi?").outcome == "forwarded"


def people_have(it: Desk, why: HandoffReason, *, acknowledged: bool = False) -> int:
    seen, now_ms = it.head, it.clock.now_ms()
    head = replace(
        seen,
        mode=Mode.HUMAN,
        handoff_reason=why.value,
        handoff_since_ms=now_ms,
        handoff_acknowledged=acknowledged,
    )
    assert it.store.update_head(it.conversation, seen=seen, head=head)
    return now_ms


# What needs no answer, or always the same one


def test_who_opts_out_is_told_once_and_opted_in_again_by_writing() -> None:
    it = desk()

    assert it.says("parar").outcome == "opt_out"
    assert (it.replies[-1], it.state.opted_out, it.head.mode) == (prompts().texts.opt_out, True, Mode.CLOSED)
    it.says("parar")
    assert it.replies.count(prompts().texts.opt_out) == 1
    it.says("oi, voltei")
    assert not it.state.opted_out


@pytest.mark.parametrize(
    "text", ["Pare, por favor", "não quero mais receber mensagens", "PARE\nPARE", "me tira dessa lista", "SAIR!!"]
)
def test_stop_is_heard_by_its_meaning(text: str) -> None:
    it = Desk()

    assert it.says(text).outcome == "opt_out"


@pytest.mark.parametrize("text", ["quero cancelar o orçamento", "não me mande mais boletos", "pare de subir o preço"])
def test_what_stops_something_else_is_no_opt_out(text: str) -> None:
    assert desk().says(text).outcome != "opt_out"


def test_who_opts_out_while_people_have_it_is_told_so_and_is_left_alone() -> None:
    it = Desk('{"s":6,"reason":"boleto"}Vou chamar alguém.')
    it.llm.script("{}")
    it.says("meu boleto veio errado")

    it.says("PARE")
    assert (it.replies[-1], it.state.opted_out, it.head.mode) == (prompts().texts.opt_out, True, Mode.HUMAN)
    said = list(it.replies)
    it.clock.advance(hours=2)
    it.sweep()
    assert it.replies == said


def test_what_people_have_is_neither_marked_as_read_nor_answered() -> None:
    it = Desk('{"s":6,"reason":"boleto"}Vou chamar alguém.')
    it.llm.script("{}")
    it.says("meu boleto veio errado")
    marked = list(it.sender.read_marks)

    it.says("alô?")

    assert it.sender.read_marks == marked
    assert len(it.replies) == 1


@pytest.mark.parametrize(("minutes", "outcome"), [(60, "courtesy"), (61, "answered")])
def test_thanks_within_an_hour_of_a_close_are_a_courtesy_and_no_new_session(minutes: int, outcome: str) -> None:
    it = desk()
    it.agent.script()
    closed(it)
    it.clock.advance(minutes=minutes)

    assert it.says("obrigado").outcome == outcome


def test_a_courtesy_is_answered_once() -> None:
    it = desk()
    closed(it)

    assert [it.says("obrigado").outcome for _ in range(2)] == ["courtesy", "courtesy"]
    assert it.replies.count(prompts().texts.courtesy) == 1


def closed(it: Desk) -> None:
    seen = it.head
    with_state(it, closed_at_ms=it.clock.now_ms())
    assert it.store.update_head(it.conversation, seen=seen, head=replace(seen, mode=Mode.CLOSED))


def test_an_offer_of_a_person_is_taken_up_only_while_it_stands() -> None:
    it = desk()
    assert it.says("sim").outcome == "answered"

    with_state(it, pending_offer=True)

    assert it.says("sim").reason == HandoffReason.HUMAN_REQUESTED.value
    assert it.last_turn.handoff_detail == "offer_accepted"


# The ladder


def test_an_angry_customer_is_offered_a_person_first_and_has_one_the_second_time() -> None:
    it = desk()

    first = it.says(ANGRY)
    assert (first.outcome, it.state.pending_offer, it.state.guard.frustrated) == ("guard", True, 1)
    assert it.replies[-1] == f"{prompts().texts.guard.frustrated}\n\n{prompts().texts.offer_person}"
    assert it.agent.calls == 1

    assert it.says(ANGRY).reason == HandoffReason.FRUSTRATED.value
    assert (it.state.guard.frustrated, it.state.pending_offer) == (2, False)


def test_where_there_are_no_people_none_is_offered_and_none_is_called() -> None:
    it = desk(handoff_enabled=False)

    outcomes = [it.says(ANGRY).outcome for _ in range(2)]

    assert outcomes == ["guard", "guard"]
    assert not any(prompts().texts.offer_person in reply for reply in it.replies)
    assert not it.state.pending_offer


def test_going_in_circles_is_named_first_and_ends_with_a_person() -> None:
    it = desk()
    outcomes = []
    for _ in range(2):
        with_state(it, guard=replace(it.state.guard, turns_without_progress=9))
        for _ in range(3):
            outcomes.append(it.says("não entendi nada disso"))
            if outcomes[-1].outcome != "answered":
                break

    assert [each.outcome for each in outcomes if each.outcome != "answered"] == ["guard", "handoff"]
    assert outcomes[-1].reason == HandoffReason.LOOP.value
    assert any(reply.startswith(prompts().texts.guard.loop) for reply in it.replies)
    assert it.state.guard.loop_answers == 2


def test_the_ledger_says_what_the_guard_saw() -> None:
    it = desk()
    with_state(it, guard=GuardCounters(frustrated=1, loop_answers=2, turns_without_progress=1))

    it.says("quero falar com um atendente")

    assert it.last_turn.guard["kind"] == "human-request"
    seen = {name: it.last_turn.guard[name] for name in it.last_turn.guard if name.endswith(("before", "progress"))}
    assert seen == {"turns_without_progress": 1, "frustrated_before": 1, "loop_answers_before": 2}


# Voice notes that nobody could hear


def test_who_sends_an_unheard_voice_note_is_asked_to_type_and_the_second_time_has_a_person() -> None:
    it = desk()

    assert it.says("", kind=MessageKind.AUDIO).outcome == "asked_to_type"
    assert it.replies[-1] == prompts().texts.please_type
    assert it.says("", kind=MessageKind.AUDIO).reason == HandoffReason.MEDIA_NOT_SUPPORTED.value


def test_who_types_between_two_voice_notes_is_asked_to_type_again() -> None:
    it = desk()
    it.says("", kind=MessageKind.AUDIO)

    assert it.says("é sobre um split").outcome == "answered"
    assert not it.state.asked_to_type
    assert it.says("", kind=MessageKind.AUDIO).outcome == "asked_to_type"
