"""Who is asked for a reply: what is refused at start-up, and what is not asked of anybody."""

from __future__ import annotations

import pytest

from core.config.loader import load_settings
from core.config.prompt_files import read_prices
from core.config.spend_caps import unpriced_models
from core.domain.actions import Agent
from core.domain.llm import ModelRef
from tests.unit.config.test_loader import ENVIRONMENT

WITHOUT_KEY = {name: value for name, value in ENVIRONMENT.items() if name != "OPENAI_API_KEY"}
ROLES = ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY")
ANTHROPIC = {
    "ANTHROPIC_API_KEY": "sk-ant",
    **{f"ANTHROPIC_MODEL_{role}": f"claude-{role.lower()}" for role in ROLES},
}


def refused(**changes: str) -> str:
    with pytest.raises(RuntimeError) as raised:
        load_settings({**ENVIRONMENT, **changes})
    return str(raised.value)


def test_by_default_openai_is_asked_and_nobody_else() -> None:
    models = load_settings(ENVIRONMENT).models
    assert models.route_for_agent(Agent.COLETA) == (ModelRef(provider="openai", model="gpt-5.6-luna"),)
    assert models.summary_route == models.route_for_agent(Agent.TRIAGEM)


def test_each_agent_has_its_model_of_each_provider_in_order() -> None:
    environ = {**ENVIRONMENT, **ANTHROPIC, "LLM_PROVIDERS": "anthropic, openai", "OPENAI_MODEL_COLLECTION": "gpt-6-sol"}
    models = load_settings(environ).models
    assert [str(ref) for ref in models.route_for_agent(Agent.COLETA)] == [
        "anthropic/claude-collection",
        "openai/gpt-6-sol",
    ]
    assert str(models.summary_route[0]) == "anthropic/claude-summary"
    assert models.for_agent(Agent.TRIAGEM) == "claude-triage"


@pytest.mark.parametrize("named", ["", "openai,openai", "gemini", "openai,,stub", "OPENAI"])
def test_providers_are_known_and_named_once(named: str) -> None:
    if not named:
        assert load_settings({**ENVIRONMENT, "LLM_PROVIDERS": named})
        return
    told = refused(LLM_PROVIDERS=named)
    assert "LLM_PROVIDERS must name providers once each" in told
    assert "chat_completions" in told


@pytest.mark.parametrize("provider", ["anthropic", "chat_completions"])
def test_whoever_is_asked_needs_a_key_and_four_models(provider: str) -> None:
    told = refused(LLM_PROVIDERS=f"openai,{provider}")
    for missing in ("API_KEY", *(f"MODEL_{role}" for role in ROLES)):
        assert f"{provider.upper()}_{missing}" in told


def test_a_key_that_no_request_can_carry_and_an_address_without_a_scheme_are_refused() -> None:
    told = refused(
        **{**ANTHROPIC, "ANTHROPIC_API_KEY": "sk ant", "ANTHROPIC_BASE_URL": "api.x"}, LLM_PROVIDERS="anthropic"
    )
    assert "ANTHROPIC_API_KEY holds a character" in told
    assert "ANTHROPIC_BASE_URL must begin with https://" in told


def test_openai_s_key_is_needed_only_where_openai_is_asked_or_hears() -> None:
    assert load_settings({**WITHOUT_KEY, "LLM_PROVIDERS": "stub"}).models.api_key == ""
    with pytest.raises(RuntimeError, match="OPENAI_API_KEY"):
        load_settings({**WITHOUT_KEY, "LLM_PROVIDERS": "stub", "TRANSCRIPTION_ENABLED": "true"})


def test_an_effort_that_openai_s_models_refuse_is_no_fault_where_they_are_not_asked() -> None:
    effort = {"OPENAI_REASONING_EFFORT": "low", "OPENAI_MODEL_TRIAGE": "gpt-4o"}
    assert "does not work with OPENAI_MODEL_TRIAGE" in refused(**effort)
    assert load_settings({**ENVIRONMENT, **ANTHROPIC, **effort, "LLM_PROVIDERS": "anthropic"})


def test_a_cap_on_money_wants_a_price_for_every_rung() -> None:
    settings = load_settings({**ENVIRONMENT, **ANTHROPIC, "LLM_PROVIDERS": "openai,anthropic"})
    faults = list(unpriced_models(settings.models, settings.conversation, read_prices("prompts")))
    assert len(faults) == 4
    assert all(fault.startswith("ANTHROPIC_MODEL_") for fault in faults)


def test_no_key_is_ever_shown() -> None:
    settings = load_settings({**ENVIRONMENT, **ANTHROPIC, "LLM_PROVIDERS": "openai,anthropic"})
    assert "sk-ant" not in repr(settings)
