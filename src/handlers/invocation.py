"""What every invocation has: a request id and a cold start on its log lines, and its metrics at the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import chain, repeat
from typing import Any, TypeVar

from handlers.logs import METRICS, build_logger, fault_fields

Result = TypeVar("Result")

_log = build_logger()
_cold_starts = chain((True,), repeat(False))


def observed(handler: Callable[[dict[str, Any], Any], Result]) -> Callable[[dict[str, Any], Any], Result]:
    """Metrics are written on the main thread, whatever the handler ends in."""

    @wraps(handler)
    def observe(event: dict[str, Any], context: Any) -> Result:
        _begin(context)
        try:
            return handler(event, context)
        finally:
            METRICS.flush_metrics()

    return observe


def tell_start_up_failed(error: Exception, **extra: Any) -> None:
    """One event, in every function. Our own words say which settings or files are wrong, and hold no secret."""
    fields = fault_fields(error)
    if type(error) is RuntimeError or type(error).__module__.startswith("core."):
        fields["detail"] = str(error)
    _log.critical("start_up_failed", extra={**fields, **extra})


def _begin(context: Any) -> None:
    cold_start = next(_cold_starts)
    _log.append_keys(function_request_id=getattr(context, "aws_request_id", None), cold_start=cold_start)
    if cold_start:
        _log.info("environment_started")
