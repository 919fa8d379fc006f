"""One client over whoever is configured, and nothing of whoever is not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.config.loader import load_settings
from core.config.providers import STUB, ModelProvider
from core.config.settings import ModelSettings
from core.integrations.factory import fingerprints_of
from core.integrations.wiring.models import build_llm
from tests.neutral_company import prompts
from tests.unit.config.test_loader import ENVIRONMENT
from tests.unit.config.test_provider_settings import ANTHROPIC
from tests.unit.handlers.test_cold_start import loaded_by

ADAPTERS = {
    "openai": "core.integrations.openai_provider.endpoint",
    "chat_completions": "core.integrations.chat_completions.endpoint",
    "anthropic": "core.integrations.anthropic_provider.endpoint",
    "stub": "core.integrations.stub_provider.endpoint",
}
BUILD = "import os\nfrom core.config.loader import load_settings\nfrom core.integrations.wiring.models import build_llm\nbuild_llm(load_settings(os.environ).models)"
CHAT = {
    "CHAT_COMPLETIONS_API_KEY": "gsk",
    **{f"CHAT_COMPLETIONS_MODEL_{role}": "m" for role in ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY")},
}


@pytest.mark.parametrize("providers", ["openai", "anthropic", "chat_completions,stub", "stub"])
def test_only_those_that_are_configured_are_imported(providers: str) -> None:
    loaded = loaded_by(BUILD, LLM_PROVIDERS=providers, **ANTHROPIC, **CHAT)
    wanted = set(providers.split(","))
    assert {name for name, module in ADAPTERS.items() if module in loaded} == wanted
    assert ("openai" in loaded) == bool(wanted & {"openai", "chat_completions"})
    assert "anthropic" not in loaded


def test_a_stub_answers_without_key_and_network() -> None:
    models = ModelSettings(api_key="", providers=(ModelProvider.STUB,), others=(STUB,))
    result = build_llm(models).chat(
        model="stub", messages=[{"role": "user", "content": "oi"}], route=models.summary_route
    )
    assert result.raw_response.startswith('{"s": 1}')
    assert result.attempts[0].provider == "stub"


def test_fingerprints_hold_no_key_and_change_with_who_is_asked() -> None:
    settings = load_settings({**ENVIRONMENT, **ANTHROPIC, "LLM_PROVIDERS": "openai,anthropic"})
    other = replace(settings, models=replace(settings.models, api_key="sk-andere"))
    fingerprint = fingerprints_of(settings, prompts(), {})["settings"]
    assert fingerprint == fingerprints_of(other, prompts(), {})["settings"]
    assert fingerprint != fingerprints_of(load_settings(ENVIRONMENT), prompts(), {})["settings"]
