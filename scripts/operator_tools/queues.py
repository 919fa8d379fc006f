"""The inbound queue and the one of messages that were given up on, as operators handle them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

_DEPTHS = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed")
_BATCH, _HELD_SECONDS, _WAIT_SECONDS = 10, 120, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMessage:
    """A message that we hold for a while: nobody else sees it, nor those of its group behind it."""

    id: str
    receipt: str
    body: str
    group: str
    sent_ms: int


class Queue:
    """`client` is boto3's of SQS. Raises what it raises."""

    def __init__(self, client: Any, url: str) -> None:
        self._client, self._url = client, url

    def depth(self) -> int:
        """Messages that wait, are delayed or worked on; SQS counts roughly."""
        found = self._attributes(*_DEPTHS)
        return sum(int(found.get(name, 0)) for name in _DEPTHS)

    def retention_seconds(self) -> int:
        """How long a message is kept."""
        return int(self._attributes("MessageRetentionPeriod")["MessageRetentionPeriod"])

    def receive(self) -> Sequence[HeldMessage]:
        """Some messages, in their groups' order, ours for two minutes; of a group that is held no others come. None
        where nothing is left to be had.
        """
        answer = self._client.receive_message(
            QueueUrl=self._url,
            MaxNumberOfMessages=_BATCH,
            VisibilityTimeout=_HELD_SECONDS,
            WaitTimeSeconds=_WAIT_SECONDS,
            MessageSystemAttributeNames=["All"],
        )
        return [_held(each) for each in answer.get("Messages", ())]

    def release(self, message: HeldMessage) -> None:
        """Let others see it again; if that fails, they do in two minutes."""
        with suppress(ClientError):
            self._client.change_message_visibility(
                QueueUrl=self._url, ReceiptHandle=message.receipt, VisibilityTimeout=0
            )

    def delete(self, message: HeldMessage) -> None:
        """It is done with."""
        self._client.delete_message(QueueUrl=self._url, ReceiptHandle=message.receipt)

    def send_again(self, message: HeldMessage) -> None:
        """The same body in the same group. The name against duplicates is of this message: sent twice, it is taken
        once; and never the one under which the message was sent first, or SQS would say yes and drop it.
        """
        self._client.send_message(
            QueueUrl=self._url,
            MessageBody=message.body,
            MessageGroupId=message.group,
            MessageDeduplicationId=hashlib.sha256(f"redrive|{message.id}".encode()).hexdigest(),
        )

    def _attributes(self, *names: str) -> dict[str, str]:
        asked = self._client.get_queue_attributes(QueueUrl=self._url, AttributeNames=list(names))
        attributes: dict[str, str] = asked["Attributes"]
        return attributes


def _held(message: dict[str, Any]) -> HeldMessage:
    attributes = message.get("Attributes", {})
    return HeldMessage(
        id=message["MessageId"],
        receipt=message["ReceiptHandle"],
        body=message["Body"],
        group=attributes.get("MessageGroupId", ""),
        sent_ms=int(attributes.get("SentTimestamp", 0)),
    )
