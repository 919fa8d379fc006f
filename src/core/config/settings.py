"""The shape of the settings (.env.example). `loader.py` fills it; nothing else reads the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.config.providers import ModelProvider, ProviderSettings
from core.domain.actions import Agent
from core.domain.llm import ModelRef, ModelRoute
from core.domain.policy import ConversationPolicy

# Named here, so that the SDK does not look for its own variable, which may be there and empty.
OPENAI_URL = "https://api.openai.com/v1"
EGESTOR_URL = "https://api.egestor.com.br/api"
DEFAULT_COMPANY = "laboratorio"
DEFAULT_MODEL = "gpt-5.6-luna"
DEFAULT_TRANSCRIPTION_MODEL = "gpt-transcribe"


class OutputForm(StrEnum):
    """How agents write a reply: `{JSON}Mensagem` as the prompts teach it, or one object that a schema holds."""

    TEXT = "text"
    SCHEMA = "schema"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The models. An empty `reasoning_effort` is omitted from requests; times are seconds.

    `providers` are asked in their order. The unnamed fields are OpenAI's, `others` what else is asked; each rung behind
    another keeps `fallback_seconds`, and gets calls whose key was refused only with `fallback_on_auth`.
    """

    api_key: str = field(repr=False)
    base_url: str = OPENAI_URL
    model_triage: str = DEFAULT_MODEL
    model_qualification: str = DEFAULT_MODEL
    model_collection: str = DEFAULT_MODEL
    model_summary: str = DEFAULT_MODEL
    model_transcription: str = DEFAULT_TRANSCRIPTION_MODEL
    reasoning_effort: str = ""
    timeout_seconds: float = 30.0
    retry_max: int = 1
    max_output_tokens: int = 1200
    providers: tuple[ModelProvider, ...] = (ModelProvider.OPENAI,)
    others: tuple[ProviderSettings, ...] = ()
    fallback_seconds: float = 8.0
    fallback_on_auth: bool = False
    output: OutputForm = OutputForm.TEXT

    @property
    def in_schema(self) -> bool:
        """Whether a schema holds what agents say."""
        return self.output is OutputForm.SCHEMA

    def for_agent(self, agent: Agent) -> str:
        """The model that speaks for an agent while its provider is there."""
        return self.route_for_agent(agent)[0].model

    def route_for_agent(self, agent: Agent) -> ModelRoute:
        """Who is asked for an agent, in order."""
        return tuple(
            ModelRef(
                provider=each.provider.value,
                model={
                    Agent.TRIAGEM: each.model_triage,
                    Agent.QUALIFICACAO: each.model_qualification,
                    Agent.COLETA: each.model_collection,
                }[agent],
            )
            for each in self.in_order
        )

    @property
    def summary_route(self) -> ModelRoute:
        """Who is asked for repairs and summaries, in order."""
        return tuple(ModelRef(provider=each.provider.value, model=each.model_summary) for each in self.in_order)

    @property
    def in_order(self) -> tuple[ProviderSettings, ...]:
        """Every provider that is asked, OpenAI among them."""
        by_name = {each.provider: each for each in self.others}
        return tuple(self._openai if name is ModelProvider.OPENAI else by_name[name] for name in self.providers)

    @property
    def _openai(self) -> ProviderSettings:
        return ProviderSettings(
            provider=ModelProvider.OPENAI,
            api_key=self.api_key,
            base_url=self.base_url,
            model_triage=self.model_triage,
            model_qualification=self.model_qualification,
            model_collection=self.model_collection,
            model_summary=self.model_summary,
        )


class Transport(StrEnum):
    """The road that messages to WhatsApp take."""

    CLOUD_API = "cloud_api"
    AWS_SOCIAL = "aws_social"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatsAppSettings:
    """The channel. `app_secrets` holds one secret, or two (new first) while one is being rotated.

    `aws_phone_number_id` is End User Messaging's name of our number; `template` is `name` or `name:language`.
    """

    enabled: bool = True
    transport: Transport = Transport.CLOUD_API
    aws_phone_number_id: str = ""
    api_base_url: str = "https://graph.facebook.com"
    api_version: str = "v24.0"
    phone_number_id: str = ""
    access_token: str = field(default="", repr=False)
    app_secrets: tuple[str, ...] = field(default=(), repr=False)
    verify_token: str = field(default="", repr=False)
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorSettings:
    """What the webhook door needs: it never sees the provider's key."""

    table_name: str
    queue_url: str
    identity_key: str = field(repr=False)
    whatsapp: WhatsAppSettings
    conversation: ConversationPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskSettings:
    """What the attendants' door needs: it never sees the provider's key. Who may attend is read as it is asked."""

    table_name: str
    identity_key: str = field(repr=False)
    prompts_dir: str
    company: str
    whatsapp: WhatsAppSettings
    conversation: ConversationPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class EgestorSettings:
    """The ERP that quotes are made in (docs/egestor.md)."""

    personal_token: str = field(repr=False)
    base_url: str = EGESTOR_URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the process and sweep functions need."""

    table_name: str
    queue_url: str
    identity_key: str = field(repr=False)
    prompts_dir: str
    company: str
    models: ModelSettings
    whatsapp: WhatsAppSettings
    conversation: ConversationPolicy
    crm_enabled: bool = False
    egestor: EgestorSettings | None = None
    handoff_topic_arn: str = ""
    console_url: str = ""
