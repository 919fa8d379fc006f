"""What one transaction of a turn writes: parts, effects, HEAD, STATE and the ledger."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.domain.conversation import EffectKind, Mode
from core.domain.delivery import PartState
from core.domain.handoff import HandoffReason
from core.domain.policy import ConversationPolicy
from core.domain.reply import ReplyKind
from core.integrations.dynamodb import codec
from core.integrations.dynamodb.plain_values import plain_to_state
from tests.desk import Desk
from tests.fakes.message_sender import Arrival

HELLO = '{"s":1}Olá! Como posso ajudar?'
GIVES_UP = '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.'
CLOSES = '{"s":5,"reason":"resolvido"}Até logo!'
SUMMARY = '{"resumo_texto": "Pediu o boleto."}'
MINUTE_MS = 60_000


def test_an_answer_is_a_part_that_quotes_its_question_and_is_leased_past_the_function() -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    begun_ms = desk.clock.now_ms()
    desk.process(pointer)

    (part,) = desk.parts
    asked = desk.store.inbounds(desk.conversation)[0].message
    assert (part.reply_to, part.exempt, part.template) == (asked.provider_id, False, None)
    assert part.window_closes_ms == asked.sent_at_ms + 24 * 60 * MINUTE_MS - 10 * MINUTE_MS
    assert part.created_at_ms == begun_ms


def test_the_ledger_says_what_was_answered_when_and_how_long_it_took() -> None:
    desk = Desk(lambda _request: desk.clock.advance(seconds=3) or HELLO)  # type: ignore[func-returns-value]
    pointer = desk.record(desk.message("oi"))
    begun_ms = desk.clock.now_ms()
    desk.process(pointer)

    turn = desk.last_turn
    assert (turn.inbound, turn.started_at_ms, turn.decided_at_ms, turn.wall_ms) == (
        (pointer.sk,),
        begun_ms,
        begun_ms,
        3_000,
    )
    assert turn.sk == f"T#{begun_ms + 3_000}#{turn.turn}"
    assert (turn.stage_before, turn.stage_after, turn.reruns) == ("triagem", "triagem", 0)
    assert (turn.handoff_reason, turn.handoff_detail, turn.fingerprints) == (None, "", {"code": "test"})
    assert turn.reply is not None
    assert (turn.reply.kind, turn.reply.text) == (ReplyKind.ANSWER, "Olá! Como posso ajudar?")


@pytest.mark.parametrize("enabled", [True, False], ids=["people", "nobody"])
def test_a_handoff_gives_people_the_word_where_there_are_any(enabled: bool) -> None:
    desk = Desk(GIVES_UP, policy=ConversationPolicy(handoff_enabled=enabled, handoff_ack_minutes=7))
    desk.llm.script(SUMMARY)
    now_ms = desk.clock.now_ms()

    desk.says("quero o boleto")

    effects = {each.kind for each in desk.store.effects(desk.conversation)}
    assert effects == ({EffectKind.HANDOFF} if enabled else set())
    assert (desk.head.mode, desk.head.due_ms) == ((Mode.HUMAN, now_ms + 7 * MINUTE_MS) if enabled else (Mode.BOT, None))
    assert (desk.state.human_since_ms, desk.state.human_until_ms) == (now_ms if enabled else None, None)
    assert desk.parts[0].exempt
    assert (desk.last_turn.handoff_reason, desk.last_turn.handoff_detail) == ("agent_requested", "boleto")


def test_a_conversation_that_closes_says_since_when() -> None:
    desk = Desk(CLOSES)
    now_ms = desk.clock.now_ms()

    desk.says("era só isso")

    assert (desk.head.mode, desk.state.closed_at_ms) == (Mode.CLOSED, now_ms)
    desk.says("obrigado")
    assert (desk.head.mode, desk.state.closed_at_ms) == (Mode.CLOSED, now_ms)


def test_what_an_agent_worded_stays_out_of_what_the_door_logs_and_code_s_own_words_do_not() -> None:
    desk = Desk(GIVES_UP)
    desk.llm.script(SUMMARY)

    assert desk.says("quero o boleto").detail == ""

    other = Desk(*['{"s":1}Vou transferir você para um atendente agora.'] * 2)
    assert other.says("e então?").detail == "promised_in_text"


def with_waiting_part(desk: Desk, **changes: Any) -> str:
    """A second part of the last answer that nobody began to send."""
    (part,) = desk.parts
    waiting = replace(
        part, sk=part.sk[:-1] + "2", number=2, attempt=0, provider_id=None, **{"state": PartState.PENDING} | changes
    )
    desk.store._put(codec.part_to_item(desk.conversation, waiting))
    return waiting.sk


@pytest.mark.parametrize(
    ("changes", "cancelled"),
    [({}, True), ({"exempt": True}, False), ({"state": PartState.UNKNOWN}, False)],
    ids=["it waits", "it must be said", "it may have arrived"],
)
def test_a_later_turn_cancels_what_nobody_began_to_send(changes: dict[str, Any], cancelled: bool) -> None:
    desk = Desk(HELLO, HELLO)
    desk.says("oi")
    sk = with_waiting_part(desk, **changes)

    desk.says("e então?")

    state = next(part.state for part in desk.parts if part.sk == sk)
    assert (state is PartState.CANCELLED) is cancelled


# Too late for a text


def late(*, template: str = "", text: str = "oi", agent: str = HELLO, hours: float = 25) -> Desk:
    """A message processed so long after it was sent that WhatsApp takes no text any more."""
    desk = Desk(agent, policy=ConversationPolicy(stale_after_seconds=10**6))
    desk.settings = replace(desk.settings, whatsapp=replace(desk.settings.whatsapp, template=template))
    desk.llm.script(SUMMARY)
    pointer = desk.record(desk.message(text))
    desk.clock.advance(hours=hours)
    desk.process(pointer)
    return desk


def test_without_a_template_nothing_is_sent_and_people_have_it() -> None:
    desk = late()

    assert (desk.replies, desk.parts, desk.last_turn.handoff_reason) == ([], (), HandoffReason.OUTSIDE_WINDOW.value)


def test_with_a_template_the_customer_gets_it_in_place_of_an_answer() -> None:
    desk = late(template="retomar")

    (part,) = desk.parts
    assert (part.template, part.text, part.window_closes_ms) == ("retomar", "[mensagem modelo: retomar]", None)
    assert (desk.last_turn.outcome, desk.agent.calls) == ("template", 0)


def test_who_asked_for_a_person_too_late_gets_the_template_too() -> None:
    desk = Desk(policy=ConversationPolicy(stale_after_seconds=60))
    desk.settings = replace(desk.settings, whatsapp=replace(desk.settings.whatsapp, template="retomar"))
    desk.llm.script(SUMMARY)
    pointer = desk.record(desk.message("oi", sent_at_ms=desk.clock.now_ms() - 25 * 60 * MINUTE_MS))
    desk.process(pointer)

    assert (desk.last_turn.handoff_reason, [part.template for part in desk.parts]) == ("stale", ["retomar"])


def test_who_opts_out_too_late_is_written_nothing() -> None:
    desk = late(template="retomar", text="parar")

    assert (desk.last_turn.outcome, desk.parts) == ("opt_out", ())


def test_the_ledger_keeps_what_the_turn_read_and_not_the_session_that_it_opened() -> None:
    desk = Desk(HELLO, HELLO)
    desk.says("oi")
    read = desk.store.read(desk.conversation)
    desk.clock.advance(days=3)
    desk.says("voltei")

    turn = desk.last_turn
    assert plain_to_state(turn.state_before) == read.state
    assert turn.head_before["ver"] == read.head.ver
    assert (turn.session_start_ms, turn.forced, turn.parts_before) == (desk.head.session_start_ms, None, {})


def test_the_ledger_keeps_how_an_answer_stood_that_nobody_is_sure_of() -> None:
    desk = Desk(HELLO, HELLO)
    desk.sender.lose(Arrival.AFTER)
    desk.says("oi")
    (doubtful,) = desk.parts
    desk.says("tudo bem?")

    assert desk.last_turn.parts_before == {doubtful.sk: "unknown"}
