"""The shape of the settings (.env.example). `loader.py` fills it; nothing else reads the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.actions import Agent
from core.domain.policy import ConversationPolicy

# Named here, so that the SDK does not look for its own variable, which may be there and empty.
OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_COMPANY = "laboratorio"
DEFAULT_MODEL = "gpt-5.6-luna"
DEFAULT_TRANSCRIPTION_MODEL = "gpt-transcribe"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """The provider. An empty `reasoning_effort` is omitted from requests; times are seconds."""

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

    def for_agent(self, agent: Agent) -> str:
        """The model that speaks for an agent."""
        return {
            Agent.TRIAGEM: self.model_triage,
            Agent.QUALIFICACAO: self.model_qualification,
            Agent.COLETA: self.model_collection,
        }[agent]


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
    egestor_enabled: bool = False
    handoff_topic_arn: str = ""
