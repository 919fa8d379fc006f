"""Which model is asked, under which names, and that a failure passes through."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.agents.invoker import AgentInvokerImpl
from core.config.settings import ModelSettings
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.errors import LLMProviderError
from core.domain.llm import CallPurpose
from tests.fakes.llm_client import FakeLLMClient
from tests.neutral_company import catalog, prompts

REQUEST = AgentRequest(
    agent=Agent.TRIAGEM,
    service=None,
    segment=None,
    known={},
    packages=(),
    history=(HistoryLine(role="user", text="oi"),),
    pending_text="quero instalar um split",
    conversation="c0ffee",
)
OLD = ModelSettings(
    api_key="sk-test", model_triage="gpt-4o-mini", model_qualification="gpt-4o", model_collection="gpt-4.1"
)


def invoker(llm: FakeLLMClient, models: ModelSettings = OLD) -> AgentInvokerImpl:
    return AgentInvokerImpl(llm, prompts(), catalog(), models)


def asked(request: AgentRequest, models: ModelSettings = OLD) -> Any:
    llm = FakeLLMClient('{"s":1}Olá!')
    invoker(llm, models).invoke(request, timeout_seconds=7.5)
    return llm.calls[0]


@pytest.mark.parametrize(
    ("agent", "model"),
    [(Agent.TRIAGEM, "gpt-4o-mini"), (Agent.QUALIFICACAO, "gpt-4o"), (Agent.COLETA, "gpt-4.1")],
)
def test_each_agent_speaks_through_its_own_model(agent: Agent, model: str) -> None:
    assert asked(replace(REQUEST, agent=agent)).model == model
    assert invoker(FakeLLMClient()).requested_model(agent) == model


def test_the_answer_holds_the_raw_reply_and_what_the_ledger_needs() -> None:
    answer = invoker(FakeLLMClient('{"s":1}Olá!')).invoke(REQUEST, timeout_seconds=5)
    assert answer.result.raw_response == '{"s":1}Olá!'
    assert answer.requested_model == "gpt-4o-mini"
    assert len(answer.input_hash) == 16


def test_budget_purpose_and_pseudonym_go_with_the_call() -> None:
    call = asked(replace(REQUEST, purpose=CallPurpose.CONTEXT_ROUND))
    assert (call.timeout_seconds, call.purpose, call.safety_identifier) == (7.5, CallPurpose.CONTEXT_ROUND, "c0ffee")
    assert asked(replace(REQUEST, conversation="")).safety_identifier is None


def test_requests_that_share_a_prefix_share_a_cache_key_and_others_do_not() -> None:
    first, again = asked(REQUEST), asked(replace(REQUEST, pending_text="outra", conversation="beef"))
    other = asked(replace(REQUEST, agent=Agent.COLETA))
    assert first.cache_key == again.cache_key != other.cache_key
    assert first.cache_key.startswith("balcao:triagem:")
    assert len(first.cache_key) <= 64


def test_an_edited_prompt_has_another_cache_key() -> None:
    edited = replace(prompts(), contract=prompts().contract + " ")
    before, after = invoker(FakeLLMClient()), AgentInvokerImpl(FakeLLMClient(), edited, catalog(), OLD)
    assert before.cache_key(Agent.TRIAGEM) != after.cache_key(Agent.TRIAGEM)


def test_the_input_hash_follows_the_words_and_not_the_model() -> None:
    def hash_of(request: AgentRequest, models: ModelSettings = OLD) -> str:
        return invoker(FakeLLMClient('{"s":1}x'), models).invoke(request, timeout_seconds=5).input_hash

    assert hash_of(REQUEST) == hash_of(REQUEST, ModelSettings(api_key="sk-test"))
    assert hash_of(REQUEST) != hash_of(replace(REQUEST, pending_text="quero montar uma cortina"))
    moved = replace(REQUEST, history=(HistoryLine(role="assistant", text="oi"),))
    assert hash_of(REQUEST) != hash_of(moved)


def test_prompts_are_plain_text_and_their_beginning_is_named() -> None:
    call = asked(REQUEST, ModelSettings(api_key="sk-test", model_triage="gpt-5.6-luna"))
    assert all(isinstance(message["content"], str) for message in call.messages)
    assert call.cache_key


def test_a_provider_that_fails_fails_through_the_invoker() -> None:
    with pytest.raises(LLMProviderError):
        invoker(FakeLLMClient()).invoke(REQUEST, timeout_seconds=5)
