"""Settings from a mapping and a source of secrets. A wrong or missing one fails at start-up, all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from core.config.model_compatibility import incompatible_pairs
from core.config.providers import GROQ_URL, KEY_SETTINGS, STUB, ModelProvider, ProviderSettings
from core.config.ranges import RANGES
from core.config.secrets import SUFFIX, EnvironmentSecrets, SecretSource, fits_a_header
from core.config.settings import (
    DEFAULT_COMPANY,
    DEFAULT_MODEL,
    DEFAULT_TRANSCRIPTION_MODEL,
    EGESTOR_URL,
    OPENAI_URL,
    DeskSettings,
    DoorSettings,
    EgestorSettings,
    ModelSettings,
    OutputForm,
    Settings,
    Transport,
    WhatsAppSettings,
)
from core.config.spend_caps import incompatible_caps
from core.domain.errors import IntegrationError
from core.domain.policy import ConversationPolicy
from core.domain.spending import micro_usd

Number = TypeVar("Number", int, float)
Choice = TypeVar("Choice", bound=StrEnum)

_TRUE, _FALSE = frozenset({"true", "1", "yes", "on"}), frozenset({"false", "0", "no", "off"})
DOOR_SECRETS = ("IDENTITY_KEY", "WHATSAPP_APP_SECRET", "WHATSAPP_VERIFY_TOKEN")
PROCESS_SECRETS = (*KEY_SETTINGS.values(), "IDENTITY_KEY", "WHATSAPP_ACCESS_TOKEN", "EGESTOR_PERSONAL_TOKEN")
# Who may attend customers: nobody, where it is not set.
ATTENDANTS = "ATTENDANTS"
DESK_SECRETS = ("IDENTITY_KEY", "WHATSAPP_ACCESS_TOKEN", ATTENDANTS)


@dataclass(slots=True)
class _Reader:
    """Reads one setting after another and remembers every fault, so that one message can list them."""

    environ: Mapping[str, str]
    secrets: SecretSource
    faults: list[str] = field(default_factory=list)

    def prefetch(self, names: Sequence[str]) -> None:
        """One request for all; a failure is told by each secret that is then read."""
        with suppress(IntegrationError):
            self.secrets.prefetch(names)

    def text(self, name: str, default: str = "") -> str:
        return self.environ.get(name, "").strip() or default

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            self.faults.append(f"{name} is not set")
        return value

    def address(self, name: str, default: str = "") -> str:
        """A URL with its scheme: without one, every request would fail."""
        value = self.text(name, default)
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not parts.netloc):
            self.faults.append(f"{name} must begin with https:// (or http://), not {value!r}")
        return value

    def secret(self, name: str, *, required: bool = True, in_header: bool = False) -> str:
        try:
            value = self.secrets.get(name)
        except IntegrationError as error:
            self.faults.append(f"{name}{SUFFIX}: {error}")
            return ""
        if not value and required:
            parameter = self.environ.get(name + SUFFIX)
            missing = f"SSM has no parameter {parameter}" if parameter else f"neither {name} nor {name}{SUFFIX} is set"
            self.faults.append(missing)
        if in_header and not fits_a_header(value):
            self.faults.append(f"{name} holds a character that no HTTP header can carry: paste it again")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name).lower()
        if value and value not in _TRUE | _FALSE:
            self.faults.append(f"{name} must be true or false, not {value!r}")
        return value in _TRUE if value in _TRUE | _FALSE else default

    def number(self, name: str, default: Number) -> Number:
        raw, allowed = self.text(name), RANGES[name]
        if not raw:
            return default
        try:
            value = type(default)(raw)
        except ValueError:
            value = None
        if value is None or not allowed.holds(value):
            self.faults.append(f"{name} must be a number from {allowed.least:g} to {allowed.most:g}, not {raw!r}")
            return default
        return value

    def money(self, name: str, default: int) -> int:
        """US dollars, in millionths; no float touches them."""
        raw, allowed = self.text(name), RANGES[name]
        try:
            value = Decimal(raw) if raw else None
        except InvalidOperation:
            value = Decimal(-1)
        if value is not None and not (value.is_finite() and allowed.least <= value <= allowed.most):
            self.faults.append(f"{name} must be an amount from {allowed.least:g} to {allowed.most:g}, not {raw!r}")
            return default
        return default if value is None else micro_usd(value)

    def choice(self, name: str, default: Choice) -> Choice:
        kind, value = type(default), self.text(name, default.value)
        if value not in {each.value for each in kind}:
            self.faults.append(f"{name} must be one of {', '.join(each.value for each in kind)}, not {value!r}")
            return default
        return kind(value)

    def check(self) -> None:
        """Raises `RuntimeError` with every fault."""
        if self.faults:
            listed = "\n".join(f"  - {fault}" for fault in self.faults)
            raise RuntimeError(f"settings that do not work:\n{listed}\nSee .env.example for what each one means.")


def load_settings(environ: Mapping[str, str], *, secrets: SecretSource | None = None) -> Settings:
    """What the process and sweep functions need. Raises `RuntimeError` (document 002) listing what is wrong."""
    reader = _Reader(environ, secrets or EnvironmentSecrets(environ))
    reader.prefetch(PROCESS_SECRETS)
    settings = Settings(
        table_name=reader.required("TABLE_NAME"),
        queue_url=reader.required("QUEUE_URL"),
        identity_key=reader.secret("IDENTITY_KEY"),
        prompts_dir=reader.text("PROMPTS_DIR", str(_default_prompts_dir())),
        company=reader.text("COMPANY", DEFAULT_COMPANY),
        models=_models(reader),
        whatsapp=_whatsapp(reader, sends=True),
        conversation=_conversation(reader),
        crm_enabled=reader.flag("CRM_ENABLED", False),
        egestor=_egestor(reader),
        handoff_topic_arn=reader.text("HANDOFF_TOPIC_ARN"),
        console_url=reader.text("CONSOLE_URL"),
    )
    if settings.conversation.transcription_enabled and settings.whatsapp.transport is Transport.AWS_SOCIAL:
        reader.faults.append(
            "TRANSCRIPTION_ENABLED needs WHATSAPP_TRANSPORT=cloud_api: voice notes are fetched from Meta"
        )
    reader.check()
    return settings


def load_door_settings(environ: Mapping[str, str], *, secrets: SecretSource | None = None) -> DoorSettings:
    """What the webhook door needs: neither the provider's key nor prompts. Raises like `load_settings`."""
    reader = _Reader(environ, secrets or EnvironmentSecrets(environ))
    reader.prefetch(DOOR_SECRETS)
    settings = DoorSettings(
        table_name=reader.required("TABLE_NAME"),
        queue_url=reader.required("QUEUE_URL"),
        identity_key=reader.secret("IDENTITY_KEY"),
        whatsapp=_whatsapp(reader, sends=False),
        conversation=_conversation(reader),
    )
    reader.check()
    return settings


def load_desk_settings(environ: Mapping[str, str], *, secrets: SecretSource | None = None) -> DeskSettings:
    """What the attendants' door needs. Raises like `load_settings`."""
    reader = _Reader(environ, secrets or EnvironmentSecrets(environ))
    reader.prefetch(DESK_SECRETS)
    reader.secret(ATTENDANTS, required=False)
    settings = DeskSettings(
        table_name=reader.required("TABLE_NAME"),
        identity_key=reader.secret("IDENTITY_KEY"),
        prompts_dir=reader.text("PROMPTS_DIR", str(_default_prompts_dir())),
        company=reader.text("COMPANY", DEFAULT_COMPANY),
        whatsapp=_whatsapp(reader, sends=True),
        conversation=_conversation(reader),
    )
    reader.check()
    return settings


def app_secrets(secret: str) -> tuple[str, ...]:
    """One secret, or two separated by a comma (new first) while one is being rotated."""
    return tuple(part for raw in secret.split(",") if (part := raw.strip()))


def _default_prompts_dir() -> Path:
    """Beside the code: in the bundle next to `core`, in a checkout next to `src`."""
    root = Path(__file__).resolve().parents[2]
    return root / "prompts" if (root / "prompts").is_dir() else root.parent / "prompts"


def _models(reader: _Reader) -> ModelSettings:
    providers = _providers(reader)
    # voice notes are heard by OpenAI's models alone
    needs_openai = ModelProvider.OPENAI in providers or reader.flag("TRANSCRIPTION_ENABLED", False)
    others = {
        ModelProvider.CHAT_COMPLETIONS: _provider(reader, ModelProvider.CHAT_COMPLETIONS, providers, GROQ_URL),
        ModelProvider.ANTHROPIC: _provider(reader, ModelProvider.ANTHROPIC, providers, ""),
        ModelProvider.STUB: STUB,
    }
    models = ModelSettings(
        api_key=reader.secret("OPENAI_API_KEY", in_header=True) if needs_openai else "",
        base_url=reader.address("OPENAI_BASE_URL", OPENAI_URL),
        model_triage=reader.text("OPENAI_MODEL_TRIAGE", DEFAULT_MODEL),
        model_qualification=reader.text("OPENAI_MODEL_QUALIFICATION", DEFAULT_MODEL),
        model_collection=reader.text("OPENAI_MODEL_COLLECTION", DEFAULT_MODEL),
        model_summary=reader.text("OPENAI_MODEL_SUMMARY", DEFAULT_MODEL),
        model_transcription=reader.text("OPENAI_MODEL_TRANSCRIPTION", DEFAULT_TRANSCRIPTION_MODEL),
        reasoning_effort=reader.text("OPENAI_REASONING_EFFORT"),
        timeout_seconds=reader.number("LLM_TIMEOUT_SECONDS", 30.0),
        retry_max=reader.number("LLM_RETRY_MAX", 1),
        max_output_tokens=reader.number("LLM_MAX_OUTPUT_TOKENS", 1200),
        providers=providers,
        others=tuple(others[each] for each in providers if each in others),
        fallback_seconds=reader.number("LLM_FALLBACK_SECONDS", 8.0),
        fallback_on_auth=reader.flag("LLM_FALLBACK_ON_AUTH", False),
        output=reader.choice("LLM_OUTPUT", OutputForm.TEXT),
    )
    if ModelProvider.OPENAI in providers:
        reader.faults.extend(incompatible_pairs(models))
    return models


def _providers(reader: _Reader) -> tuple[ModelProvider, ...]:
    """Who is asked, in order; none twice."""
    known = {each.value: each for each in ModelProvider}
    names = [name.strip() for name in reader.text("LLM_PROVIDERS", ModelProvider.OPENAI).split(",")]
    if any(name not in known for name in names) or len(set(names)) < len(names):
        wanted = f"name providers once each, separated by commas, out of {', '.join(known)}"
        reader.faults.append(f"LLM_PROVIDERS must {wanted}, not {','.join(names)!r}")
        return (ModelProvider.OPENAI,)
    return tuple(known[name] for name in names)


def _provider(
    reader: _Reader, provider: ModelProvider, asked: tuple[ModelProvider, ...], address: str
) -> ProviderSettings:
    """Whoever is asked needs a key and a model for everything; of the others nothing is required."""
    name, needed = provider.value.upper(), provider in asked
    text = reader.required if needed else reader.text
    return ProviderSettings(
        provider=provider,
        api_key=reader.secret(KEY_SETTINGS[provider], in_header=True) if needed else "",
        base_url=reader.address(f"{name}_BASE_URL", address),
        model_triage=text(f"{name}_MODEL_TRIAGE"),
        model_qualification=text(f"{name}_MODEL_QUALIFICATION"),
        model_collection=text(f"{name}_MODEL_COLLECTION"),
        model_summary=text(f"{name}_MODEL_SUMMARY"),
    )


def _whatsapp(reader: _Reader, *, sends: bool) -> WhatsAppSettings:
    defaults = WhatsAppSettings()
    enabled = reader.flag("WHATSAPP_ENABLED", True)
    transport = reader.choice("WHATSAPP_TRANSPORT", defaults.transport)
    through_aws = enabled and sends and transport is Transport.AWS_SOCIAL
    aws_number = "WHATSAPP_AWS_PHONE_NUMBER_ID"
    needs_token = enabled and not through_aws
    return WhatsAppSettings(
        enabled=enabled,
        transport=transport,
        aws_phone_number_id=reader.required(aws_number) if through_aws else reader.text(aws_number),
        api_base_url=reader.address("WHATSAPP_API_BASE_URL", defaults.api_base_url),
        api_version=reader.text("WHATSAPP_API_VERSION", defaults.api_version),
        phone_number_id=reader.required("WHATSAPP_PHONE_NUMBER_ID") if enabled else "",
        access_token=reader.secret("WHATSAPP_ACCESS_TOKEN", required=needs_token, in_header=True) if sends else "",
        app_secrets=() if sends else app_secrets(reader.secret("WHATSAPP_APP_SECRET", required=enabled)),
        verify_token="" if sends else reader.secret("WHATSAPP_VERIFY_TOKEN", required=enabled),
        template=reader.text("WHATSAPP_TEMPLATE"),
    )


def _egestor(reader: _Reader) -> EgestorSettings | None:
    """None where it is off: its secret is then not asked for."""
    enabled = reader.flag("EGESTOR_ENABLED", False)
    base_url = reader.address("EGESTOR_BASE_URL", EGESTOR_URL)
    if not enabled:
        return None
    return EgestorSettings(personal_token=reader.secret("EGESTOR_PERSONAL_TOKEN"), base_url=base_url)


def _conversation(reader: _Reader) -> ConversationPolicy:
    defaults = ConversationPolicy()
    policy = ConversationPolicy(
        repair_local=reader.flag("REPAIR_LOCAL", defaults.repair_local),
        handoff_enabled=reader.flag("HANDOFF_ENABLED", defaults.handoff_enabled),
        transcription_enabled=reader.flag("TRANSCRIPTION_ENABLED", defaults.transcription_enabled),
        session_ttl_hours=reader.number("SESSION_TTL_HOURS", defaults.session_ttl_hours),
        history_max_messages=reader.number("HISTORY_MAX_MESSAGES", defaults.history_max_messages),
        stale_after_seconds=reader.number("STALE_AFTER_SECONDS", defaults.stale_after_seconds),
        retention_days=reader.number("RETENTION_DAYS", defaults.retention_days),
        turns_per_hour=reader.number("TURNS_PER_HOUR", defaults.turns_per_hour),
        handoff_ack_minutes=reader.number("HANDOFF_ACK_MINUTES", defaults.handoff_ack_minutes),
        handoff_idle_hours=reader.number("HANDOFF_IDLE_HOURS", defaults.handoff_idle_hours),
        owner_idle_minutes=reader.number("OWNER_IDLE_MINUTES", defaults.owner_idle_minutes),
        outbox_unknown_seconds=reader.number("OUTBOX_UNKNOWN_SECONDS", defaults.outbox_unknown_seconds),
        identity_trust_days=reader.number("IDENTITY_TRUST_DAYS", defaults.identity_trust_days),
        spend_per_day_micro_usd=reader.money("SPEND_PER_DAY_USD", defaults.spend_per_day_micro_usd),
        spend_per_hour_micro_usd=reader.money("SPEND_PER_HOUR_USD", defaults.spend_per_hour_micro_usd),
    )
    reader.faults.extend(incompatible_caps(policy))
    return policy
