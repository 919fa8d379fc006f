"""`MessageSender` over AWS End User Messaging Social, which passes message objects through to Meta."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from core.application.ports import SentMessage
from core.channels.whatsapp.outgoing_messages import read_receipt, template_message, text_message
from core.domain.delivery import Recipient, SendFailure
from core.domain.errors import FilesUnsupportedError, SendRefusedError, SendUncertainError
from core.domain.messages import Media
from core.domain.outgoing_file import OutgoingFile
from core.integrations.aws_social.client_errors import translate_errors

if TYPE_CHECKING:
    from mypy_boto3_socialmessaging import EndUserMessagingSocialClient


class SocialMessagingSender:
    """Sends texts and read receipts from one number.

    `origination_phone_number_id` is AWS's name of the number (`phone-number-id-…` or its ARN), not Meta's. A call's
    time is bounded by the client.
    """

    def __init__(
        self, client: EndUserMessagingSocialClient, *, origination_phone_number_id: str, api_version: str
    ) -> None:
        self._client = client
        self._origination_phone_number_id = origination_phone_number_id
        self._api_version = api_version

    def send_text(
        self,
        *,
        recipient: Recipient,
        text: str,
        callback: str,
        reply_to: str | None = None,
        timeout_seconds: float | None = None,  # noqa: ARG002  the client's own limit holds
    ) -> SentMessage:
        """See `MessageSender.send_text`."""
        return self._sent(text_message(recipient=recipient, text=text, callback=callback, reply_to=reply_to))

    def send_template(
        self,
        *,
        recipient: Recipient,
        template: str,
        callback: str,
        timeout_seconds: float | None = None,  # noqa: ARG002  the client's own limit holds
    ) -> SentMessage:
        """See `MessageSender.send_template`."""
        return self._sent(template_message(recipient=recipient, template=template, callback=callback))

    def upload(self, file: OutgoingFile, *, phone_number_id: str, timeout_seconds: float) -> str:  # noqa: ARG002
        """See `MessageSender.upload`: End User Messaging takes files from a bucket alone."""
        raise FilesUnsupportedError("End User Messaging takes no files from here")

    def send_media(
        self,
        *,
        recipient: Recipient,  # noqa: ARG002
        media: Media,  # noqa: ARG002
        caption: str,  # noqa: ARG002
        callback: str,  # noqa: ARG002
        timeout_seconds: float | None = None,  # noqa: ARG002
    ) -> SentMessage:
        """Refuses what was uploaded before the deployment changed its transport: the id is another account's."""
        raise SendRefusedError("End User Messaging does not know the file", failure=SendFailure.BAD_REQUEST)

    def mark_read(self, *, recipient: Recipient, provider_id: str, typing: bool = True) -> None:  # noqa: ARG002
        """See `MessageSender.mark_read`."""
        self._send(read_receipt(provider_id=provider_id, typing=typing))

    def _sent(self, message: Mapping[str, Any]) -> SentMessage:
        provider_id = self._send(message).get("messageId")
        if not isinstance(provider_id, str) or not provider_id:
            raise SendUncertainError("EUM answered without a message id")
        return SentMessage(provider_id=provider_id)

    def _send(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        with translate_errors():
            answer: Mapping[str, Any] = self._client.send_whatsapp_message(
                originationPhoneNumberId=self._origination_phone_number_id,
                message=json.dumps(message).encode(),
                metaApiVersion=self._api_version,
            )
        return answer
