"""The inbound queue on SQS (docs/turn.md, "Path of a message"): pointers, on FIFO grouped by conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from core.domain.messages import InboundPointer
from core.domain.pointer import pointer_body

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

BATCH_ENTRIES = 10

# A pointer with its place among those that were given.
Placed = tuple[int, InboundPointer]


class SqsInboundQueue:
    """Implements `InboundQueue`. `client` is botocore's; a `queue_url` that ends in `.fifo` is a FIFO queue's.

    A batch can fail in part: on FIFO nothing of that conversation is sent after it. What stood behind in the same batch
    may have been taken, which costs nothing, since the order is the table's business; a batch for each message of a
    long body would cost the function its time. A refused batch says nothing of the next one; a queue that cannot be
    reached is not tried again.
    """

    def __init__(self, client: SQSClient, queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url
        self._fifo = queue_url.endswith(".fifo")

    def enqueue(self, pointers: Sequence[InboundPointer]) -> Sequence[InboundPointer]:
        """Returns, in their order, the pointers that were not taken; raises nothing for them."""
        waiting = list(enumerate(pointers))
        left: list[Placed] = []
        while waiting:
            batch, waiting = waiting[:BATCH_ENTRIES], waiting[BATCH_ENTRIES:]
            try:
                failed = self._send(batch)
            except BotoCoreError:
                left += [*batch, *waiting]
                break
            behind = {pointer.conversation for _, pointer in failed} if self._fifo else set()
            left += failed + [each for each in waiting if each[1].conversation in behind]
            waiting = [each for each in waiting if each[1].conversation not in behind]
        return tuple(pointer for _, pointer in sorted(left, key=lambda each: each[0]))

    def _send(self, batch: Sequence[Placed]) -> list[Placed]:
        """Those that were not taken: a 200 can say so of some."""
        entries = [self._entry(place, pointer) for place, pointer in batch]
        try:
            answer = self._client.send_message_batch(QueueUrl=self._queue_url, Entries=entries)
        except ClientError:
            return list(batch)
        failed = {failure["Id"] for failure in answer.get("Failed", ())}
        return [each for each in batch if str(each[0]) in failed]

    def _entry(self, place: int, pointer: InboundPointer) -> SendMessageBatchRequestEntryTypeDef:
        entry: SendMessageBatchRequestEntryTypeDef = {"Id": str(place), "MessageBody": pointer_body(pointer)}
        if not self._fifo:
            return entry
        return {**entry, "MessageGroupId": pointer.conversation, "MessageDeduplicationId": deduplication_id(pointer)}


def deduplication_id(pointer: InboundPointer) -> str:
    """The same pointer, the same id (64 characters): a message that Meta delivers twice at once is queued once."""
    return hashlib.sha256(f"{pointer.conversation}|{pointer.sk}".encode()).hexdigest()
