"""Faithful to `MessageSender`: what was refused has not arrived, what is uncertain may have, and both are raised."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from core.application.ports import SentMessage
from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import FilesUnsupportedError, SendError, SendRefusedError, SendUncertainError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile


class Arrival(StrEnum):
    """What becomes of an uncertain send."""

    BEFORE = "before"  # lost before the provider took it
    AFTER = "after"  # taken, and the answer lost


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivedMessage:
    """A message that the provider took: what the customer reads."""

    provider_id: str
    recipient: Recipient
    text: str
    callback: str
    reply_to: str | None = None
    media: Media | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadMark:
    """A `mark_read` that arrived."""

    provider_id: str
    typing: bool


class FakeMessageSender:
    """Takes every message, except as scripted: `refuse()` and `lose()` queue one failure each, in order.

    Files are taken too: `uploaded` holds them by their media ids, `fail_upload()` queues one failure for the next.
    `arrived` is what the customer reads; `calls` counts every attempt to send, the failed ones included.
    """

    def __init__(self) -> None:
        self.arrived: list[ArrivedMessage] = []
        self.read_marks: list[ReadMark] = []
        self.uploaded: dict[str, OutgoingFile] = {}
        self.uploads = 0
        self._upload_failure: SendError | FilesUnsupportedError | None = None
        self.calls = 0
        self._before: Callable[[], object] | None = None
        self._script: deque[SendRefusedError | Arrival | None] = deque()

    def before_send(self, action: Callable[[], object]) -> None:
        """The next send runs this before anything leaves: a process that dies there, say."""
        self._before = action

    def succeed(self) -> None:
        """The next unscripted send is taken: a gap between failures."""
        self._script.append(None)

    def refuse(
        self, failure: SendFailure, *, code: int | None = None, retry_after_seconds: float | None = None
    ) -> None:
        """The next unscripted send surely does not arrive."""
        error = SendRefusedError("refused", failure=failure, code=code, retry_after_seconds=retry_after_seconds)
        self._script.append(error)

    def lose(self, arrival: Arrival) -> None:
        """The next unscripted send is uncertain: lost on the way there, or on the way back."""
        self._script.append(arrival)

    def fail_upload(self, error: SendError | FilesUnsupportedError) -> None:
        """The next file is not taken."""
        self._upload_failure = error

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.arrived]

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        before, self._before = self._before, None
        if before is not None:
            before()
        return self._take(recipient, text, callback, reply_to)

    def send_template(
        self, *, recipient: Recipient, template: str, callback: str, timeout_seconds: float | None = None
    ) -> SentMessage:
        return self._take(recipient, f"[{template}]", callback, None)

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:
        self.uploads += 1
        failure, self._upload_failure = self._upload_failure, None
        if failure is not None:
            raise failure
        media_id = f"media-{len(self.uploaded) + 1}"
        self.uploaded[media_id] = file
        return media_id

    def send_media(
        self,
        *,
        recipient: Recipient,
        media: Media,
        caption: str,
        callback: str,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        before, self._before = self._before, None
        if before is not None:
            before()
        if media.media_id not in self.uploaded:
            raise SendRefusedError("no such file", failure=SendFailure.BAD_REQUEST, code=100)
        return self._take(recipient, caption, callback, None, media)

    def _take(
        self, recipient: Recipient, text: str, callback: str, reply_to: str | None, media: Media | None = None
    ) -> SentMessage:
        self.calls += 1
        outcome = self._script.popleft() if self._script else None
        if isinstance(outcome, SendRefusedError):
            raise outcome
        if outcome is Arrival.BEFORE:
            raise SendUncertainError("lost before arrival")
        provider_id = f"wamid.fake-{len(self.arrived) + 1}"
        self.arrived.append(
            ArrivedMessage(
                provider_id=provider_id,
                recipient=recipient,
                text=text,
                callback=callback,
                reply_to=reply_to,
                media=media,
            )
        )
        if outcome is Arrival.AFTER:
            raise SendUncertainError("answer lost")
        return SentMessage(provider_id=provider_id)

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        self.read_marks.append(ReadMark(provider_id=provider_id, typing=typing))
