"""The channel as the settings ask for it: how messages leave, and how voice notes are heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from core.application.ports import MediaFetcher, MessageSender
from core.application.turn.voice_notes import VoiceNotes
from core.config.settings import ModelSettings, Settings, Transport, WhatsAppSettings
from core.integrations.wiring.aws_clients import social_client

# The access token, read anew when True.
AccessToken = Callable[[bool], str]


@contextmanager
def open_sender(whatsapp: WhatsAppSettings, access_token: AccessToken) -> Iterator[MessageSender]:
    """Fresh connections: a keep-alive socket that died while frozen looks like a send that may have arrived."""
    if not whatsapp.enabled:
        from core.integrations.switched_off.console_sender import ConsoleSender

        yield ConsoleSender()
    elif whatsapp.transport is Transport.AWS_SOCIAL:
        from core.integrations.aws_social.sender import SocialMessagingSender

        yield SocialMessagingSender(
            _social_client(),
            origination_phone_number_id=whatsapp.aws_phone_number_id,
            api_version=whatsapp.api_version,
        )
    else:
        from core.integrations.whatsapp.cloud_api_sender import CloudApiSender

        with CloudApiSender(
            base_url=whatsapp.api_base_url,
            api_version=whatsapp.api_version,
            token=access_token,
            new_client=http_clients(),
        ) as sender:
            yield sender


def build_media_fetcher(whatsapp: WhatsAppSettings, access_token: AccessToken) -> MediaFetcher | None:
    """What fetches customers' files; None where messages take a road that brings none."""
    if not whatsapp.enabled or whatsapp.transport is not Transport.CLOUD_API:
        return None
    from core.integrations.whatsapp.media import GraphMediaFetcher

    return GraphMediaFetcher(
        base_url=whatsapp.api_base_url,
        api_version=whatsapp.api_version,
        token=access_token,
        new_client=http_clients(),
    )


def build_voice_notes(
    settings: Settings, access_token: AccessToken, *, reread_key: Callable[[], str] | None = None
) -> VoiceNotes | None:
    """Whatever hears voice notes, where the deployment wants them heard; its parts are imported only there."""
    whatsapp, models = settings.whatsapp, settings.models
    if not (settings.conversation.transcription_enabled and whatsapp.enabled):
        return None
    from core.integrations.openai_provider.transcriber import OpenAITranscriber
    from core.integrations.whatsapp.media import GraphMediaFetcher

    return VoiceNotes(
        fetcher=GraphMediaFetcher(
            base_url=whatsapp.api_base_url,
            api_version=whatsapp.api_version,
            token=access_token,
            new_client=http_clients(),
        ),
        transcriber=OpenAITranscriber(sdk_client(models), model=models.model_transcription, reread_key=reread_key),
    )


@cache
def http_clients() -> Callable[[], Any]:
    """The TLS context is slow to build and safe to keep; connections are neither."""
    from core.integrations.http_client.deadline_client import DeadlineClients

    return DeadlineClients()


@cache
def sdk_client(models: ModelSettings) -> Any:
    """OpenAI's client: one for every kind of call. Imported where a call of OpenAI's is wired, and nowhere else."""
    from core.integrations.openai_sdk.sdk_client import build_sdk_client

    return build_sdk_client(api_key=models.api_key, base_url=models.base_url, timeout_seconds=models.timeout_seconds)


@cache
def _social_client() -> Any:
    return social_client()
