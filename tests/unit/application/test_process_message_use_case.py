"""The turn, from a recorded message to what the customer reads. Names that document 000 has are kept."""

from __future__ import annotations

import itertools
import json
import logging

import pytest

from core.application.turn.decision import TurnOutcome
from core.domain.conversation import EffectKind, EffectState, Mode
from core.domain.delivery import PartState
from core.domain.errors import IntegrationError, LLMProviderError, LLMTimeoutError
from core.domain.handoff import HandoffReason
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose, LLMAttempt, LLMFailure
from core.domain.policy import ConversationPolicy
from core.domain.reply import ReplyKind
from tests.desk import Desk

HELLO = '{"s":1}Olá! Como posso ajudar?'
SUMMARY = json.dumps({"resumo_texto": "Cliente quer instalar um split.", "proxima_acao": "Enviar proposta."})


def events(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.message for record in caplog.records]


@pytest.fixture(autouse=True)
def _all_levels(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


# The plain path


def test_a_question_is_answered_once_and_written_down() -> None:
    desk = Desk(HELLO)
    result = desk.says("oi")
    assert result.outcome is TurnOutcome.ANSWERED
    assert desk.replies == ["Olá! Como posso ajudar?"]
    assert desk.head.pending == frozenset()
    turn = desk.last_turn
    assert (turn.outcome, turn.codes, turn.reply.kind) == ("answered", (1,), ReplyKind.ANSWER)
    assert [call.outcome for call in turn.calls] == [CallOutcome.USED]


def test_the_customer_reads_whatsapp_markup_and_never_the_json() -> None:
    desk = Desk('{"s":1,"rationale":"interno"}**Atenção:** fale com a gente')
    desk.says("oi")
    assert desk.replies == ["*Atenção:* fale com a gente"]


def test_the_same_record_again_costs_no_model_call_and_no_send() -> None:
    desk = Desk(HELLO)
    desk.says("oi")
    again = desk.process(desk.last_pointer)
    assert again.outcome is TurnOutcome.ALREADY_ANSWERED
    assert len(desk.replies) == 1
    assert desk.agent.calls == 1


def test_fragments_that_wait_together_become_one_user_message_and_one_answer() -> None:
    desk = Desk(HELLO)
    first = desk.record(desk.message("oi"))
    desk.clock.advance(seconds=1)
    second = desk.record(desk.message("vocês instalam ar-condicionado?"))
    desk.process(first)
    assert desk.agent.requests[0].pending_text == "oi\nvocês instalam ar-condicionado?"
    assert desk.process(second).outcome is TurnOutcome.ALREADY_ANSWERED
    assert len(desk.replies) == 1


def test_a_normal_turn_costs_three_requests_to_the_table() -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    desk.store.requests.clear()
    desk.process(pointer)
    assert desk.store.requests == ["read", "commit", "record_outcome"]


def test_the_outcome_of_every_part_is_written_down_under_the_attempt_that_was_sent() -> None:
    desk = Desk('{"s":1}' + "\n\n".join(f"{n}. Passo da visita, com todos os cuidados." for n in range(130)))
    desk.says("como me preparo?")
    assert [(part.state, part.attempt, part.text) for part in desk.parts] == [
        (PartState.SENT, 1, text) for text in desk.replies
    ]
    assert [message.callback.rsplit(".", 1)[1] for message in desk.sender.arrived] == ["1", "1"]


def test_the_inbound_is_marked_read_once() -> None:
    desk = Desk(HELLO)
    desk.says("oi")
    assert len(desk.sender.read_marks) == 1


# Parse, repair, handoff (document 000)

REFUSED = {
    "no object": "Quantos aparelhos?",
    "a second object": '{"s":1}Olá! {"s":2,"service":"instalacao_ar"}Vamos seguir',
    "an unknown service": '{"s":2,"service":"servico_que_nao_existe"}Vamos lá',
    "no text": '{"s":1}',
    "a made-up price": '{"s":1}Fica R$ 4.321,00.',
    "a transfer that does not happen": '{"s":1}Vou transferir você para um atendente agora.',
}


TWO_READINGS = '{"s":1,"rationale":"tubo de 5" roscado"}Diga "sim"}.'
ONE_OF_THEM = '{"s":1,"rationale":"tubo de 5\\" roscado"}Diga "sim"}.'


def test_a_reply_of_two_readings_gets_one_format_repair(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(TWO_READINGS)
    desk.llm.script(ONE_OF_THEM)
    desk.says("quero instalar um split")
    assert desk.replies == ['Diga "sim"}.']
    assert [call.purpose for call in desk.last_turn.calls] == [CallPurpose.AGENT, CallPurpose.REPAIR]
    assert desk.last_turn.repair_method == "model"
    assert "llm_response_parse_retry" in events(caplog)
    assert "llm_response_repair_success" in events(caplog)


def test_text_before_json_is_mended_locally_without_a_model_call() -> None:
    desk = Desk('Claro! {"s":1}Quantos aparelhos?')
    desk.says("quero instalar um split")
    assert desk.replies == ["Quantos aparelhos?"]
    assert (desk.last_turn.repair_method, len(desk.last_turn.calls)) == ("local", 1)
    assert desk.llm.calls == []


def test_invalid_json_triggers_handoff_with_fixed_message(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(TWO_READINGS)
    desk.llm.script("INVALID_FORMAT", SUMMARY)
    result = desk.says("quero instalar um split")
    assert (result.outcome, result.reason) == (TurnOutcome.HANDOFF, HandoffReason.LLM_INVALID_JSON)
    assert desk.replies == [desk.fixed_text(HandoffReason.LLM_INVALID_JSON)]
    assert desk.head.mode is Mode.HUMAN
    assert {"llm_response_repair_failed", "llm_failure_handoff"} <= set(events(caplog))


def test_a_repair_that_changes_the_code_is_rejected() -> None:
    desk = Desk(TWO_READINGS)
    desk.llm.script(ONE_OF_THEM.replace('"s":1', '"s":2'), SUMMARY)
    desk.says("quero instalar um split")
    assert desk.replies == [desk.fixed_text(HandoffReason.LLM_INVALID_JSON)]
    assert [call.outcome for call in desk.last_turn.calls] == [CallOutcome.UNPARSEABLE, CallOutcome.REJECTED]


def test_a_provider_that_fails_during_the_repair_ends_in_the_same_handoff(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(TWO_READINGS)
    desk.llm.script(
        LLMProviderError("OpenAI 500: x", failure=LLMFailure.SERVER_ERROR, attempts=(failed_attempt(),)), SUMMARY
    )
    result = desk.says("quero instalar um split")
    assert result.reason == HandoffReason.LLM_INVALID_JSON
    assert "llm_response_repair_unavailable" in events(caplog)


def test_a_reply_without_an_object_is_asked_for_again() -> None:
    desk = Desk("Quantos aparelhos?", '{"s":1}Quantos aparelhos são?')
    desk.says("quero instalar um split")
    assert desk.replies == ["Quantos aparelhos são?"]
    assert desk.last_turn.repair_method == "agent"
    assert [(call.purpose, call.outcome, call.wasted) for call in desk.last_turn.calls] == [
        (CallPurpose.AGENT, CallOutcome.UNPARSEABLE, True),
        (CallPurpose.ACTION_RETRY, CallOutcome.USED, False),
    ]


@pytest.mark.parametrize("faults", list(itertools.product(REFUSED, repeat=2)), ids=" then ".join)
def test_two_faults_of_any_kind_are_one_extra_call_and_a_person(faults: tuple[str, str]) -> None:
    desk = Desk(*(REFUSED[fault] for fault in faults))
    desk.llm.script(SUMMARY)
    result = desk.says("quero instalar um split")
    assert result.outcome is TurnOutcome.HANDOFF
    assert [call.purpose for call in desk.last_turn.calls] == [CallPurpose.AGENT, CallPurpose.ACTION_RETRY]
    assert len(desk.replies) == 1
    assert "{" not in desk.replies[0]
    assert "R$" not in desk.replies[0]


def test_what_a_refused_reply_knew_is_kept() -> None:
    desk = Desk('{"s":2,"service":"instalacao_ar","triage_data":{"numero_aparelhos":"muitos"}}Certo.', HELLO)
    desk.says("quero instalar uns splits")
    assert desk.state.service == "instalacao_ar"
    assert any("numero_aparelhos" in told for told in desk.agent.requests[1].observations)


def test_invalid_model_contract_fails_into_visible_handoff() -> None:
    desk = Desk(*['{"s":123}Texto que ninguém deve ler'] * 2)
    result = desk.says("oi")
    assert (result.reason, desk.replies) == (
        HandoffReason.LLM_INVALID_CONTRACT,
        [desk.fixed_text(HandoffReason.LLM_INVALID_CONTRACT)],
    )


@pytest.mark.parametrize("failure", [each for each in LLMFailure if each is not LLMFailure.RATE_LIMITED])
def test_every_provider_failure_is_handed_off_as_llm_timeout_with_its_kind(failure: LLMFailure) -> None:
    kind = LLMTimeoutError if failure is LLMFailure.TIMEOUT else LLMProviderError
    desk = Desk(kind("OpenAI", failure=failure, attempts=(failed_attempt(failure), failed_attempt(failure))))
    result = desk.says("oi")
    assert (result.reason, result.detail) == (HandoffReason.LLM_TIMEOUT, failure.value)
    assert desk.replies == [desk.fixed_text(HandoffReason.LLM_TIMEOUT)]
    assert [(call.outcome, call.wasted) for call in desk.last_turn.calls] == [(CallOutcome.FAILED, True)] * 2


def test_a_rate_limit_fails_the_turn_that_comes_back_and_says_nothing() -> None:
    limited = LLMFailure.RATE_LIMITED
    desk = Desk(LLMProviderError("OpenAI", failure=limited, attempts=(failed_attempt(limited),)), HELLO)
    pointer = desk.record(desk.message("oi"))
    with pytest.raises(LLMProviderError):
        desk.process(pointer)
    assert (desk.replies, desk.store.head(pointer.conversation).mode) == ([], Mode.BOT)
    assert desk.process(pointer).outcome is TurnOutcome.ANSWERED


def failed_attempt(failure: LLMFailure = LLMFailure.SERVER_ERROR) -> LLMAttempt:
    return LLMAttempt(number=1, latency_ms=10, failure=failure, status=500)


def test_a_second_object_in_the_text_is_never_sent() -> None:
    desk = Desk(*['{"s":1}Olá! {"s":2,"service":"instalacao_ar"}Vamos seguir'] * 2)
    result = desk.says("oi")
    assert result.reason == HandoffReason.LLM_UNSAFE_TEXT
    assert "{" not in desk.replies[0]


# Silent rounds


def test_a_package_is_served_in_a_silent_round_and_the_agent_answers_from_it() -> None:
    desk = Desk('{"s":99,"context_needed":"COMPANY_INFO"}', '{"s":1,"citations":["COMPANY_INFO"]}Ficamos no centro.')
    desk.says("onde vocês ficam?")
    assert desk.agent.requests[1].packages == ("COMPANY_INFO",)
    assert desk.replies == ["Ficamos no centro."]
    assert desk.last_turn.codes == (99, 1)
    assert desk.last_turn.reply.citations == ("COMPANY_INFO",)
    assert [call.outcome for call in desk.last_turn.calls] == [CallOutcome.SILENT, CallOutcome.USED]


def test_several_blocks_in_one_silent_reply_are_served_in_the_same_round() -> None:
    desk = Desk('{"s":99,"context_needed":"COMPANY_INFO"}\n{"s":99,"context_needed":"SERVICES"}', HELLO)
    desk.says("onde ficam e o que fazem?")
    assert set(desk.agent.requests[1].packages) == {"COMPANY_INFO", "SERVICES"}


def test_silent_rounds_without_end_are_handed_off() -> None:
    packages = ("COMPANY_INFO", "SERVICES", "VISITS", "PRICES_POLICY", "COMPANY_INFO")
    desk = Desk(*(f'{{"s":99,"context_needed":"{name}"}}' for name in packages))
    result = desk.says("oi")
    assert result.reason == HandoffReason.SILENT_LOOP_EXCEEDED
    assert result.model_calls == 4


def test_a_fault_of_state_goes_back_to_the_agent_once() -> None:
    desk = Desk('{"s":2,"service":"servico_que_nao_existe"}Vamos lá', HELLO)
    desk.says("oi")
    assert "servico" in " ".join(desk.agent.requests[1].observations) or desk.agent.requests[1].observations
    assert desk.replies == ["Olá! Como posso ajudar?"]
    assert desk.last_turn.action_errors


def test_the_same_fault_twice_is_handed_off() -> None:
    bad = '{"s":2,"service":"servico_que_nao_existe"}Vamos lá'
    assert Desk(bad, bad).says("oi").reason == HandoffReason.LLM_INVALID_CONTRACT


# Handoffs and the ledger


def test_a_handoff_leaves_a_summary_in_the_queue_of_humans() -> None:
    desk = Desk('{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.')
    desk.llm.script(SUMMARY)
    desk.says("meu boleto veio errado")
    effect = next(e for e in desk.store.effects(desk.conversation) if e.kind is EffectKind.HANDOFF)
    assert effect.state is EffectState.DONE
    assert effect.payload["summary"]["resumo_texto"] == "Cliente quer instalar um split."
    assert desk.replies[0].startswith("Vou chamar quem cuida disso.")


def test_a_summary_that_fails_never_blocks_the_handoff() -> None:
    desk = Desk('{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.')
    desk.llm.script("isto não é JSON")
    desk.says("meu boleto veio errado")
    effect = desk.store.effects(desk.conversation)[0]
    assert effect.payload["summary"]["failed"]
    assert effect.state is EffectState.DONE


def test_a_transfer_promised_in_the_text_happens() -> None:
    desk = Desk(*['{"s":1}Vou te transferir agora para um atendente.'] * 2)
    desk.llm.script(SUMMARY)
    desk.says("oi")
    assert desk.head.mode is Mode.HUMAN
    assert desk.last_turn.handoff_reason == HandoffReason.AGENT_REQUESTED


def test_after_a_handoff_the_bot_is_silent() -> None:
    desk = Desk('{"s":6}Vou chamar alguém.', HELLO)
    desk.llm.script(SUMMARY)
    desk.says("boleto")
    result = desk.says("e aí?")
    assert result.outcome is TurnOutcome.FORWARDED
    assert len(desk.replies) == 1
    assert desk.head.pending == frozenset()


def test_a_request_for_a_person_is_served_without_a_model() -> None:
    desk = Desk()
    desk.llm.script(SUMMARY)
    result = desk.says("quero falar com uma pessoa, não com bot")
    assert result.reason == HandoffReason.HUMAN_REQUESTED
    assert desk.agent.calls == 0
    assert desk.replies == [desk.fixed_text(HandoffReason.HUMAN_REQUESTED)]


def test_a_switched_off_handoff_keeps_the_bot_and_says_so_truthfully() -> None:
    desk = Desk(*['{"s":123}x'] * 2, HELLO, policy=ConversationPolicy(handoff_enabled=False))
    desk.says("oi")
    assert desk.head.mode is Mode.BOT
    assert not desk.store.effects(desk.conversation)
    desk.says("oi de novo")
    assert desk.replies[-1] == "Olá! Como posso ajudar?"


@pytest.mark.parametrize(
    ("kind", "reason", "detail"),
    [
        ("internal_error", HandoffReason.INTERNAL_ERROR, "repeated_failure"),
        ("rate_limited", HandoffReason.LLM_TIMEOUT, "rate_limited"),
        ("of_a_newer_version", HandoffReason.INTERNAL_ERROR, "repeated_failure"),
    ],
)
def test_turns_that_keep_failing_go_to_a_person_without_a_model(kind: str, reason: HandoffReason, detail: str) -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    desk.llm.script(SUMMARY)
    desk.keeps_failing(pointer, kind)
    result = desk.process(pointer)
    assert (result.reason, result.detail, desk.agent.calls) == (reason, detail, 0)
    assert desk.replies == [desk.fixed_text(reason)]


def test_without_time_for_a_model_the_customer_is_told_at_once() -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    result = desk.process(pointer, function_ms=15_500)
    assert (result.reason, desk.agent.calls) == (HandoffReason.DEADLINE, 0)
    assert desk.replies == [desk.fixed_text(HandoffReason.DEADLINE)]


def test_a_table_that_cannot_be_read_leaves_the_message_pending() -> None:
    desk = Desk(HELLO)
    pointer = desk.record(desk.message("oi"))
    desk.store.fail_next("read", IntegrationError("query"))
    with pytest.raises(IntegrationError):
        desk.process(pointer)
    assert desk.process(pointer).outcome is TurnOutcome.ANSWERED


def test_a_stale_message_is_not_answered_by_the_bot() -> None:
    desk = Desk(HELLO)
    desk.llm.script(SUMMARY)
    old = desk.clock.now_ms() - 6 * 86_400_000
    result = desk.says("oi", sent_at_ms=old)
    assert (result.reason, desk.agent.calls) == (HandoffReason.STALE, 0)


# Newcomers


def test_a_newcomer_during_the_model_call_is_answered_with_it_and_the_first_call_is_wasted() -> None:
    desk = Desk('{"s":1}primeira', '{"s":1}as duas')
    pointer = desk.record(desk.message("oi"))
    desk.agent.before_answer(lambda: desk.record(desk.message("e também uma cortina")), times=1)
    desk.process(pointer)
    assert desk.replies == ["as duas"]
    assert [call.wasted for call in desk.last_turn.calls] == [True, False]
    assert desk.last_turn.reruns == 1


def test_a_customer_who_never_stops_writing_is_answered_after_two_reruns() -> None:
    desk = Desk(*(f'{{"s":1}}resposta {n}' for n in range(1, 6)))
    pointer = desk.record(desk.message("oi"))
    desk.agent.before_answer(lambda: desk.record(desk.message("mais uma coisa")), times=3)
    desk.process(pointer)
    assert desk.replies == ["resposta 3"]
    assert len(desk.head.pending) == 1


def test_the_summary_is_made_of_the_talk_up_to_what_the_customer_was_just_told() -> None:
    desk = Desk(HELLO, '{"s":6,"reason":"boleto"}Vou chamar quem cuida disso.')
    desk.llm.script(SUMMARY)
    desk.says("oi")
    desk.says("quero o boleto")

    told = json.loads(desk.llm.calls[-1].messages[1]["content"])["conversa"]
    assert [line["papel"] for line in told] == ["user", "assistant", "user", "assistant"]
    assert [line["texto"] for line in told[:3]] == ["oi", "Olá! Como posso ajudar?", "quero o boleto"]
    assert told[3]["texto"].startswith("Vou chamar quem cuida disso.")
