"""`MessageSender` over WhatsApp's Cloud API."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, Self
from urllib.parse import quote

import httpx2

from core.application.ports import SentMessage
from core.channels.whatsapp.graph_answers import GraphAnswer, raise_for_refusal, sent_id, uploaded_id
from core.channels.whatsapp.outgoing_messages import media_message, read_receipt, template_message, text_message
from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import IntegrationError, SendRefusedError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.integrations.http_client.deadline_client import deadline, time_is_left
from core.integrations.whatsapp.transport_errors import translate_errors

_ANSWER_BYTES = 64 * 1024


class CloudApiSender:
    """Sends texts, files and read receipts; nothing is repeated here but a request refused for an outdated token.

    `token(refetch)` gives the access token, read anew when `refetch`. `close()` drops the connections; the next send
    makes fresh ones: called at the end of each invocation, because a kept socket dies while the function is frozen.
    A read receipt is a courtesy and gets no more than `courtesy_seconds` of the turn.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_version: str,
        token: Callable[[bool], str],
        new_client: Callable[[], httpx2.Client],
        timeout_seconds: float = 10.0,
        courtesy_seconds: float = 3.0,
    ) -> None:
        self._root = f"{base_url.rstrip('/')}/{api_version.strip('/')}"
        self._token = token
        self._new_client = new_client
        self._timeout_seconds = timeout_seconds
        self._courtesy_seconds = courtesy_seconds
        self._client: httpx2.Client | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Drops the connections. The sender stays usable."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """See `MessageSender.send_text`."""
        message = text_message(recipient=recipient, text=text, callback=callback, reply_to=reply_to)
        seconds = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        answer = self._post_message(recipient.phone_number_id, message, seconds)
        return SentMessage(provider_id=sent_id(answer))

    def send_template(
        self, *, recipient: Recipient, template: str, callback: str, timeout_seconds: float | None = None
    ) -> SentMessage:
        """See `MessageSender.send_template`."""
        message = template_message(recipient=recipient, template=template, callback=callback)
        seconds = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        return SentMessage(provider_id=sent_id(self._post_message(recipient.phone_number_id, message, seconds)))

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:
        """See `MessageSender.upload`. The name goes with the message, and not with the file."""
        form: dict[str, Any] = {
            "data": {"messaging_product": "whatsapp", "type": file.mime_type},
            "files": {"file": ("arquivo", file.content, file.mime_type)},
        }
        return uploaded_id(self._post(phone_number_id, "media", form, timeout_seconds))

    def send_media(
        self,
        *,
        recipient: Recipient,
        media: Media,
        caption: str,
        callback: str,
        timeout_seconds: float | None = None,
    ) -> SentMessage:
        """See `MessageSender.send_media`."""
        message = media_message(recipient=recipient, media=media, caption=caption, callback=callback)
        seconds = self._timeout_seconds if timeout_seconds is None else timeout_seconds
        return SentMessage(provider_id=sent_id(self._post_message(recipient.phone_number_id, message, seconds)))

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:
        """See `MessageSender.mark_read`."""
        receipt = read_receipt(provider_id=provider_id, typing=typing)
        self._post_message(recipient.phone_number_id, receipt, self._courtesy_seconds)

    def _post_message(self, phone_number_id: str, message: Mapping[str, Any], timeout_seconds: float) -> GraphAnswer:
        body = {"content": json.dumps(message).encode(), "headers": {"content-type": "application/json"}}
        return self._post(phone_number_id, "messages", body, timeout_seconds)

    def _post(self, phone_number_id: str, edge: str, body: Mapping[str, Any], timeout_seconds: float) -> GraphAnswer:
        """`body`: what httpx2 makes a request's body of."""
        url = f"{self._root}/{quote(phone_number_id, safe='')}/{edge}"
        with deadline(timeout_seconds):
            token = self._read_token(refetch=False)
            try:
                return self._post_once(url, body, token)
            except SendRefusedError as refused:
                if refused.failure is not SendFailure.AUTH:
                    raise
                fresh = self._read_token(refetch=True)
                if fresh == token:
                    raise
            return self._post_once(url, body, fresh)

    def _post_once(self, url: str, body: Mapping[str, Any], token: str) -> GraphAnswer:
        if not time_is_left():
            raise SendRefusedError("no time is left to send", failure=SendFailure.TRANSIENT)
        headers = {**body.get("headers", {}), "authorization": f"Bearer {token}"}
        client = self._connect()
        with translate_errors():
            request = client.build_request("POST", url, **{**body, "headers": headers})
            response = client.send(request, stream=True)
        try:
            answer = GraphAnswer.of(response.status_code, _read(response), response.headers.get("retry-after"))
        finally:
            response.close()
        raise_for_refusal(answer)
        return answer

    def _connect(self) -> httpx2.Client:
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
            return self._client

    def _read_token(self, *, refetch: bool) -> str:
        try:
            token = self._token(refetch).strip()
        except IntegrationError as error:
            raise SendRefusedError("the access token cannot be read", failure=SendFailure.TRANSIENT) from error
        if not token or not token.isascii() or not token.isprintable():
            raise SendRefusedError("the access token is not usable", failure=SendFailure.AUTH)
        return token


def _read(response: httpx2.Response) -> bytes:
    """The body as far as it came: the status line alone says whether the message was refused."""
    body = b""
    try:
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > _ANSWER_BYTES:
                break
    except (httpx2.HTTPError, httpx2.StreamError):
        return b""
    return body
