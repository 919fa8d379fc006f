"""When a failed record comes back: its visibility, shortened (docs/turn.md, "When things fail")."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_log = logging.getLogger(__name__)


class SqsRecordRetries:
    """`client` makes botocore's on first use: a turn that does not fail never needs it."""

    def __init__(self, client: Callable[[], SQSClient], queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    def retry_in(self, receipt_handle: str, *, seconds: int) -> None:
        """Asks for the record again after `seconds`. Refused, it comes after the queue's own visibility timeout."""
        try:
            self._client().change_message_visibility(
                QueueUrl=self._queue_url, ReceiptHandle=receipt_handle, VisibilityTimeout=seconds
            )
        except (BotoCoreError, ClientError) as error:
            _log.warning("retry_not_shortened", extra={"error": type(error).__name__})
