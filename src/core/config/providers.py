"""The providers of models that can be asked, and what each is set to (docs/providers.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class ModelProvider(StrEnum):
    """Who answers. The value begins the names of its settings, in capitals."""

    OPENAI = "openai"
    CHAT_COMPLETIONS = "chat_completions"
    ANTHROPIC = "anthropic"
    STUB = "stub"


GROQ_URL = "https://api.groq.com/openai/v1"
# What a provider's requests are signed with. The stub signs nothing.
KEY_SETTINGS = {
    ModelProvider.OPENAI: "OPENAI_API_KEY",
    ModelProvider.CHAT_COMPLETIONS: "CHAT_COMPLETIONS_API_KEY",
    ModelProvider.ANTHROPIC: "ANTHROPIC_API_KEY",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """One provider: its key, its address ("" for its client's own), and a model for each agent and for summaries."""

    provider: ModelProvider
    api_key: str = field(default="", repr=False)
    base_url: str = ""
    model_triage: str
    model_qualification: str
    model_collection: str
    model_summary: str


STUB = ProviderSettings(
    provider=ModelProvider.STUB,
    model_triage="stub",
    model_qualification="stub",
    model_collection="stub",
    model_summary="stub",
)
