"""Schedule door: once a minute, what is due and nobody did."""

from __future__ import annotations

from handlers.start_up import prepare

prepare()

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from core.domain.deadline import Deadline
from core.integrations.factory import Dependencies, build_dependencies
from handlers.invocation import observed, tell_start_up_failed
from handlers.logs import build_logger, fault_fields
from handlers.self_check import answer, is_asked

# A send takes some 300 ms, and WhatsApp takes 80 messages a second of a number: more would only be refused.
MAX_THREADS = 24

_log = build_logger()


@cache
def dependencies() -> Dependencies:
    """Made once per environment."""
    return build_dependencies()


@observed
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    """How many items were due, done, put off, failed, left. A failure of the index itself is raised: the alarm is on
    errors.
    """
    if is_asked(event):
        return answer("sweep", lambda: dependencies().settings, "table", "index")
    deps = _dependencies()
    ends_at_ms = deps.clock.now_ms() + int(context.get_remaining_time_in_millis())
    with deps.sender() as sender, ThreadPoolExecutor(max_workers=MAX_THREADS) as pool:
        deadline = Deadline(now_ms=deps.clock.now_ms, ends_at_ms=ends_at_ms)
        result = deps.sweep(sender, pool).execute(deadline=deadline, attempt=_failure)
    counts = {
        "due": result.seen,
        "done": result.done,
        "postponed": result.postponed,
        "failed": result.failed,
        "left": result.left,
    }
    if result.done == result.seen:
        _log.info("sweep_done", extra=counts)
    else:
        _log.warning("sweep_not_done", extra=counts)
    return counts


def _dependencies() -> Dependencies:
    try:
        return dependencies()
    except Exception as error:
        tell_start_up_failed(error)
        raise


def _failure(step: Callable[[], None]) -> str | None:
    """What nobody foresaw in one conversation must not keep the others waiting for ever."""
    try:
        step()
    except Exception as error:  # noqa: BLE001 -- the door: the item stays due
        _log.error("sweep_item_broke", extra=fault_fields(error))
        return type(error).__name__
    return None
