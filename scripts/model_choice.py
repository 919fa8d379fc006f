"""Another model than the settings', said on a command line: `provider`, `provider/model` or either with `:schema`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.config.loader import load_settings
from core.config.providers import ModelProvider
from core.config.settings import ModelSettings, OutputForm

HELP = "openai, chat_completions, anthropic or stub, with /MODEL for every agent and :schema where a schema holds it"
_ROLES = ("TRIAGE", "QUALIFICATION", "COLLECTION", "SUMMARY")
# What a deployment gives to its functions by itself, and no command that asks a model uses.
_UNUSED = {
    "TABLE_NAME": "unused",
    "QUEUE_URL": "https://queue.invalid/q.fifo",
    "IDENTITY_KEY": "unused",
    "WHATSAPP_PHONE_NUMBER_ID": "1",
    "WHATSAPP_ACCESS_TOKEN": "unused",
}


class ModelChoiceError(Exception):
    """A choice that cannot be asked; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """One provider alone. An empty `model` is the settings' own for each agent."""

    provider: ModelProvider
    model: str = ""
    output: OutputForm | None = None

    def __str__(self) -> str:
        """As it was said."""
        form = f":{self.output.value}" if self.output else ""
        return f"{self.provider.value}/{self.model}{form}" if self.model else f"{self.provider.value}{form}"

    def models(self, environ: Mapping[str, str]) -> ModelSettings:
        """The settings with it. Raises `ModelChoiceError` listing what is missing."""
        chosen = {"LLM_PROVIDERS": self.provider.value, "TRANSCRIPTION_ENABLED": "false"}
        if self.model and self.provider is not ModelProvider.STUB:
            chosen |= {f"{self.provider.value.upper()}_MODEL_{role}": self.model for role in _ROLES}
        if self.output:
            chosen["LLM_OUTPUT"] = self.output.value
        return models_of({**environ, **chosen})


def read_choice(text: str) -> ModelChoice:
    """Raises `ModelChoiceError` for what is no choice."""
    named, _, form = text.partition(":")
    provider, _, model = named.partition("/")
    if provider not in set(ModelProvider) or form not in {"", *OutputForm}:
        raise ModelChoiceError(f"{text!r} is none of: {HELP}")
    return ModelChoice(provider=ModelProvider(provider), model=model, output=OutputForm(form) if form else None)


def models_of(environ: Mapping[str, str]) -> ModelSettings:
    """The settings' models, whatever else a deployment would need. Raises `ModelChoiceError`."""
    try:
        return load_settings({**environ, **_UNUSED}).models
    except RuntimeError as error:
        raise ModelChoiceError(str(error)) from error
