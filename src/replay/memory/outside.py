"""The outside world of a replay: it takes every message, tells nobody and hears what was heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.application.ports import SentMessage
from core.domain.delivery import Recipient
from core.domain.errors import MediaError
from core.domain.media import MediaFile
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile


class AcceptingSender:
    """WhatsApp takes everything: what a refusal led to is a turn of its own on the ledger."""

    def __init__(self) -> None:
        self._taken = 0

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """Taken."""
        del recipient, text, callback, reply_to, timeout_seconds
        return self._next()

    def send_template(
        self, *, recipient: Recipient, template: str, callback: str, timeout_seconds: float | None = None
    ) -> SentMessage:
        """Taken."""
        del recipient, template, callback, timeout_seconds
        return self._next()

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:
        """Taken."""
        del file, phone_number_id, timeout_seconds
        return self._next().provider_id

    def send_media(
        self,
        *,
        recipient: Recipient,
        media: Media,
        caption: str,
        callback: str,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """Taken."""
        del recipient, media, caption, callback, timeout_seconds
        return self._next()

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        """Nothing to mark."""

    def _next(self) -> SentMessage:
        self._taken += 1
        return SentMessage(provider_id=f"wamid.replay-{self._taken}")


class SilentNotifier:
    """People were told then, and are not told again."""

    def notify(self, *, conversation: str, reason: str, payload: Mapping[str, Any]) -> None:
        """Nobody."""


class RecordedMedia:
    """The files of voice notes, without a sound: what was heard is the recorded transcriber's. `known` are the ids of
    those that could be fetched then.
    """

    def __init__(self) -> None:
        self.known: Sequence[str] = ()

    def fetch(self, media_id: str, *, phone_number_id: str, max_bytes: int, timeout_seconds: float) -> MediaFile:
        """Raises `MediaError` for what could not be fetched then."""
        del phone_number_id, max_bytes, timeout_seconds
        if media_id not in self.known:
            raise MediaError("not_fetched_then")
        return MediaFile(content=b"", mime_type="audio/ogg")
