"""Which road messages take, and whether voice notes are heard, by the settings alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.config.settings import ModelSettings, Settings, Transport, WhatsAppSettings
from core.domain.policy import ConversationPolicy
from core.integrations.aws_social.sender import SocialMessagingSender
from core.integrations.switched_off.console_sender import ConsoleSender
from core.integrations.whatsapp.cloud_api_sender import CloudApiSender
from core.integrations.wiring import channel as whatsapp_factory
from core.integrations.wiring.channel import build_voice_notes, open_sender

SETTINGS = Settings(
    table_name="balcao",
    queue_url="",
    identity_key="chave",
    prompts_dir="",
    company="",
    models=ModelSettings(api_key="sk-test"),
    whatsapp=WhatsAppSettings(phone_number_id="330"),
    conversation=ConversationPolicy(transcription_enabled=True),
)


def token(_refetch: bool) -> str:
    return "token"


@pytest.fixture(autouse=True)
def _region(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = {"AWS_DEFAULT_REGION": "sa-east-1", "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
    for name, value in fake.items():
        monkeypatch.setenv(name, value)
    whatsapp_factory._social_client.cache_clear()


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (WhatsAppSettings(), CloudApiSender),
        (WhatsAppSettings(transport=Transport.CLOUD_API), CloudApiSender),
        (
            WhatsAppSettings(transport=Transport.AWS_SOCIAL, aws_phone_number_id="phone-number-id-0f"),
            SocialMessagingSender,
        ),
        (WhatsAppSettings(enabled=False), ConsoleSender),
        (WhatsAppSettings(enabled=False, transport=Transport.AWS_SOCIAL), ConsoleSender),
    ],
    ids=["default", "cloud api", "aws", "off", "off by aws"],
)
def test_messages_take_the_road_of_the_settings(settings: WhatsAppSettings, kind: type) -> None:
    with open_sender(settings, token) as sender:
        assert type(sender) is kind


def test_voice_notes_are_heard_where_the_settings_say_so() -> None:
    notes = build_voice_notes(SETTINGS, token)

    assert notes is not None
    assert notes.transcriber.model == "gpt-transcribe"


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, conversation=ConversationPolicy()),
        replace(SETTINGS, whatsapp=WhatsAppSettings(enabled=False)),
    ],
    ids=["not wanted", "no channel"],
)
def test_elsewhere_nobody_hears(settings: Settings) -> None:
    assert build_voice_notes(settings, token) is None
