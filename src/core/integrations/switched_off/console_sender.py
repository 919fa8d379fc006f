"""`MessageSender` for a deployment whose channel is switched off: what would be sent is only logged as a fact."""

from __future__ import annotations

import hashlib
import logging

from core.application.ports import SentMessage
from core.domain.delivery import Recipient
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile

_log = logging.getLogger(__name__)


class ConsoleSender:
    """Never fails and never speaks: `WHATSAPP_ENABLED=false`. The text is on the log in the table."""

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """An id derived from the callback, so that the same send has the same id."""
        del recipient, reply_to, timeout_seconds
        _log.info("send_switched_off", extra={"chars": len(text)})
        return _sent(callback)

    def send_template(
        self, *, recipient: Recipient, template: str, callback: str, timeout_seconds: float | None = None
    ) -> SentMessage:
        """The same for a template."""
        del recipient, timeout_seconds
        _log.info("send_switched_off", extra={"template": template})
        return _sent(callback)

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:
        """An id derived from the content; the content is dropped."""
        del phone_number_id, timeout_seconds
        _log.info("upload_switched_off", extra={"bytes": len(file.content)})
        return _sent(hashlib.sha256(file.content).hexdigest()).provider_id

    def send_media(
        self,
        *,
        recipient: Recipient,
        media: Media,
        caption: str,
        callback: str,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """The same for a file."""
        del recipient, timeout_seconds
        _log.info("send_switched_off", extra={"kind": media.kind.value, "chars": len(caption)})
        return _sent(callback)

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        """Nothing to mark."""

    def close(self) -> None:
        """Nothing to close."""


def _sent(callback: str) -> SentMessage:
    return SentMessage(provider_id=f"console.{hashlib.sha256(callback.encode()).hexdigest()[:24]}")
