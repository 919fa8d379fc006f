"""`HandoffNotifier` over an SNS topic: whoever subscribes (e-mail, chat, pager) learns that a conversation waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from core.domain.errors import IntegrationError

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient


class SnsHandoffNotifier:
    """`client` makes botocore's on first use. No customer's words or data go out: the conversation's key finds them."""

    def __init__(self, client: Callable[[], SNSClient], topic_arn: str, *, console_url: str = "") -> None:
        self._client = client
        self._topic_arn = topic_arn
        self._console_url = console_url

    def notify(self, *, conversation: str, reason: str, payload: Mapping[str, Any]) -> None:
        """Publishes reason, detail, waiting time and the console's address. Raises `IntegrationError`: it stays due."""
        message = {
            "conversation": conversation,
            "reason": reason,
            "detail": str(payload.get("detail", "")),
            "waiting_since_ms": int(payload.get("waiting_since_ms", 0)),
            **({"console": self._console_url} if self._console_url else {}),
        }
        try:
            self._client().publish(
                TopicArn=self._topic_arn,
                Subject=f"Balcao: {reason}",
                Message=json.dumps(message),
                MessageAttributes={"reason": {"DataType": "String", "StringValue": reason}},
            )
        except (BotoCoreError, ClientError) as error:
            raise IntegrationError(f"SNS Publish: {type(error).__name__}") from None
