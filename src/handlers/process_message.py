"""SQS door: one turn per record, conversations at once, the messages of one in order, partial failures reported."""

from __future__ import annotations

from handlers.start_up import prepare

prepare()

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from core.application.ports import RecordRetries
from core.application.process_message_use_case import ProcessMessageUseCase
from core.domain.deadline import Deadline
from core.domain.errors import BadInputError
from core.integrations.factory import Dependencies, build_dependencies, record_retries
from handlers.invocation import observed, tell_start_up_failed
from handlers.logs import build_logger, fault_fields
from handlers.queue_records import QueueRecord, pointers_of, read_record
from handlers.self_check import answer, is_asked

# Seconds until a failed record comes back, by how often it has come (docs/turn.md, "When things fail").
RETRY_SECONDS = (2, 10, 30, 60)
MAX_THREADS = 10

_log = build_logger()


class UnreadableRecordError(Exception):
    """The record itself is no record of ours. What a turn cannot read is another matter: its conversation waits."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@cache
def dependencies() -> Dependencies:
    """Made once per environment."""
    return build_dependencies()


@observed
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """Answers `batchItemFailures`: only what must come again, the rest of a failed group included."""
    if is_asked(event):
        return answer("process", lambda: dependencies().settings, "table", "queue")
    records = [read_record(raw) for raw in event.get("Records") or ()]
    try:
        failed = _run(records, dependencies(), context)
    except Exception as error:  # noqa: BLE001 -- the door: nothing was begun, and the records wait no longer for it
        tell_start_up_failed(error, records=len(records))
        failed = _come_again(records, record_retries())
    return {"batchItemFailures": [{"itemIdentifier": record.message_id} for record in failed]}


def _run(records: Sequence[QueueRecord], deps: Dependencies, context: Any) -> Sequence[QueueRecord]:
    ends_at_ms = deps.clock.now_ms() + int(context.get_remaining_time_in_millis())
    deadline = Deadline(now_ms=deps.clock.now_ms, ends_at_ms=ends_at_ms)
    groups: dict[str, list[QueueRecord]] = {}
    for record in records:
        groups.setdefault(record.group, []).append(record)
    with deps.sender() as sender:
        use_case = deps.use_case(sender)
        return _run_groups(list(groups.values()), deps, use_case, deadline)


def _run_groups(
    groups: Sequence[Sequence[QueueRecord]], deps: Dependencies, use_case: ProcessMessageUseCase, deadline: Deadline
) -> list[QueueRecord]:
    if len(groups) <= 1:
        return [record for group in groups for record in _run_group(group, deps, use_case, deadline)]
    with ThreadPoolExecutor(max_workers=min(len(groups), MAX_THREADS)) as pool:
        futures = [pool.submit(_run_group, group, deps, use_case, deadline) for group in groups]
    # result() raises here, on the main thread, even what is no Exception: a pool would keep it to itself
    return [record for future in futures for record in future.result()]


def _run_group(
    records: Sequence[QueueRecord], deps: Dependencies, use_case: ProcessMessageUseCase, deadline: Deadline
) -> Sequence[QueueRecord]:
    """The records that must come again: the first that failed and all behind it, so that order holds."""
    unreadable: list[QueueRecord] = []
    for index, record in enumerate(records):
        try:
            _run_record(record, deps, use_case, deadline)
        except UnreadableRecordError as error:
            # Unreadable once is unreadable always: its receives run out and the dead-letter queue keeps it for a look.
            # It belongs to no conversation, so nothing behind it waits.
            _log.error("record_unreadable", extra={"reason": error.reason, "message_id": record.message_id})
            unreadable.append(record)
        except Exception as error:  # noqa: BLE001 -- the door: the queue brings the record again
            extra = {**fault_fields(error), "receive_count": record.receive_count, "conversation": record.conversation}
            _log.error("record_failed", extra=extra)
            return [*unreadable, *_come_again(records[index:], deps.retries)]
    return unreadable


def _run_record(record: QueueRecord, deps: Dependencies, use_case: ProcessMessageUseCase, deadline: Deadline) -> None:
    try:
        pointers = pointers_of(record, batches=deps.batches, clock=deps.clock)
    except BadInputError as error:
        raise UnreadableRecordError(error.reason) from error
    for pointer in pointers:
        try:
            use_case.execute(pointer, deadline=deadline)
        except Exception as error:
            use_case.note_failure(pointer, error)
            raise


def _come_again(records: Sequence[QueueRecord], retries: RecordRetries) -> Sequence[QueueRecord]:
    for record in records:
        seconds = RETRY_SECONDS[min(record.receive_count, len(RETRY_SECONDS)) - 1]
        retries.retry_in(record.receipt_handle, seconds=seconds)
    return records
