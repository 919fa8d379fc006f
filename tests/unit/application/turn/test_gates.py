"""What is decided without a model, to the minute and to the count."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from core.application.turn.decision import TurnOutcome
from core.domain.conversation import ConversationState, GuardCounters, Mode
from core.domain.errors import IntegrationError, LLMProviderError
from core.domain.handoff import HandoffReason
from core.domain.llm import LLMAttempt, LLMFailure
from core.domain.messages import MessageKind
from core.domain.policy import ConversationPolicy
from core.domain.spending import Spend, micro_usd
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


# Money


def spend(it: Desk, usd: str, *, day: str = "20261130") -> None:
    it.store.add_spent(it.conversation, Spend(day=day, micro_usd=micro_usd(Decimal(usd))))


@pytest.mark.parametrize(("usd", "over"), [("0.49", False), ("0.50", True)])
def test_a_conversation_has_so_much_money_a_day_and_then_a_person(usd: str, over: bool) -> None:
    it = desk()
    spend(it, usd)

    assert reason(it) == (HandoffReason.SPEND_LIMIT.value if over else "")
    assert it.agent.calls == (1 if over else 2)
    assert it.replies[-1] == (it.fixed_text(HandoffReason.SPEND_LIMIT) if over else "Olá! Como posso ajudar?")


def test_without_a_cap_nobody_counts() -> None:
    it = desk(spend_per_day_micro_usd=0, spend_per_hour_micro_usd=0)
    spend(it, "1000")

    assert reason(it) == ""


def test_what_a_turn_cost_is_in_the_days_sum() -> None:
    it = desk()

    (call,) = it.last_turn.calls
    assert it.head.spent == {"20261130": micro_usd(call.cost_usd)}
    assert it.head.spent["20261130"] > 0


def test_the_day_is_the_companys_and_ends_at_its_midnight() -> None:
    it = desk(session_ttl_hours=24)
    spend(it, "9")
    it.clock.advance(hours=14, minutes=59)  # 23:59 in São Paulo
    assert reason(it) == HandoffReason.SPEND_LIMIT.value

    it.clock.advance(minutes=16)

    assert reason(it) == ""
    assert list(it.head.spent) == ["20261201"]


def test_a_new_session_has_no_new_money() -> None:
    it = desk(session_ttl_hours=1)
    spend(it, "0.50")
    it.clock.advance(hours=2)

    assert reason(it) == HandoffReason.SPEND_LIMIT.value


def test_a_handoff_for_want_of_money_pays_for_no_summary() -> None:
    it = desk()
    spend(it, "0.50")
    reason(it)

    assert it.llm.calls == []
    (effect,) = it.store.effects(it.conversation)
    assert effect.payload["summary"]["failed"]


def test_summaries_count_after_their_turn() -> None:
    it = desk()
    before = it.head.spent["20261130"]
    it.llm.script('{"resumo_texto": "pediu uma pessoa"}')

    assert reason(it, "quero falar com uma pessoa") == HandoffReason.HUMAN_REQUESTED.value

    (effect,) = it.store.effects(it.conversation)
    (call,) = effect.payload["calls"]
    assert it.head.spent["20261130"] == before + micro_usd(call["cost_usd"])


def test_a_summary_whose_card_cannot_be_written_has_cost_something_all_the_same() -> None:
    it = desk()
    before = it.head.spent["20261130"]
    it.llm.script(*['{"resumo_texto": "pediu uma pessoa"}'] * 2)
    it.store.fail_next("update_effect", IntegrationError("DynamoDB PutItem: down"))

    with pytest.raises(IntegrationError):
        it.says("quero falar com uma pessoa")
    once = it.head.spent["20261130"] - before
    it.clock.advance(minutes=3)
    it.sweep()

    assert once > 0
    assert it.head.spent["20261130"] == before + 2 * once


def test_a_run_that_ends_in_an_error_has_cost_something_all_the_same() -> None:
    it = desk()
    before = it.head.spent["20261130"]
    it.store.fail_next("commit", IntegrationError("DynamoDB TransactWriteItems: down"))

    with pytest.raises(IntegrationError):
        it.says("e então?")

    assert it.head.spent["20261130"] == 2 * before


def cost_in_ledger(it: Desk) -> int:
    return micro_usd(*(call.cost_usd for turn in it.turns for call in turn.calls))


def test_what_a_run_paid_before_a_rate_limit_put_it_off_counts() -> None:
    limited = LLMAttempt(number=1, latency_ms=5, failure=LLMFailure.RATE_LIMITED)
    refusal = LLMProviderError("429", failure=LLMFailure.RATE_LIMITED, attempts=(limited,))
    it = Desk('{"s":99,"packages":["PREVIOUS_SESSION"]}', refusal, '{"s":1}Olá!')
    it.last_pointer = it.record(it.message("oi"))

    with pytest.raises(LLMProviderError):
        it.process(it.last_pointer)

    assert [turn.outcome for turn in it.turns] == [TurnOutcome.POSTPONED]
    assert sum(it.head.spent.values()) == cost_in_ledger(it) > 0


def test_what_a_run_paid_that_another_worker_overtook_counts() -> None:
    it = Desk(*['{"s":1}Olá!'] * 2)
    it.last_pointer = it.record(it.message("oi"))
    it.store.on_next("commit", lambda: it.process(it.last_pointer))

    it.process(it.last_pointer)

    assert {turn.outcome for turn in it.turns} == {"overtaken", TurnOutcome.ANSWERED}
    assert len(it.agent.requests) == 2
    assert sum(it.head.spent.values()) == cost_in_ledger(it) > 0


def test_without_money_a_correction_is_left_to_people() -> None:
    it = desk()
    people_have(it, HandoffReason.COMPLETED)
    spend(it, "0.50")
    calls = it.agent.calls

    assert it.says("são 3 e não 2").outcome == "forwarded"
    assert it.agent.calls == calls


def test_what_all_conversations_cost_in_an_hour_has_an_end_too() -> None:
    it = desk(spend_per_hour_micro_usd=5_000_000)
    it.counter.add(it.clock.now_ms() // 3_600_000, micro_usd(Decimal(5)))
    it.clock.advance(minutes=1)

    assert reason(it) == HandoffReason.SPEND_LIMIT.value
    assert it.last_turn.handoff_detail == "all"


def test_money_of_the_next_hour_gives_a_conversation_that_nobody_took_back_to_the_bot() -> None:
    it = desk(spend_per_hour_micro_usd=5_000_000)
    it.counter.add(it.clock.now_ms() // 3_600_000, micro_usd(Decimal(5)))
    it.clock.advance(minutes=1)
    reason(it)
    it.clock.advance(hours=1)

    assert it.says("oi?").outcome == "answered"


# A flood


@pytest.mark.parametrize(("messages", "over"), [(100, False), (101, True)])
def test_more_messages_at_once_than_anybody_reads_go_to_a_person(messages: int, over: bool) -> None:
    it = desk()
    pointers = [it.record(it.message(f"mensagem {number}")) for number in range(messages)]

    result = it.process(pointers[-1])

    assert result.reason == (HandoffReason.TOO_MANY_MESSAGES.value if over else "")
    assert it.head.pending == frozenset()


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
