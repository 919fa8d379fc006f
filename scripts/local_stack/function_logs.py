"""What the functions logged, in order, as lines that a person reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

# Fields that say the same on every line, or that the line already shows.
_KNOWN = frozenset({
    "level", "message", "timestamp", "location", "service", "event", "xray_trace_id", "cold_start",
    "function_arn", "function_memory_size", "function_name", "function_request_id",
    "exception", "exception_name", "stack_trace", "_aws",
})  # fmt: skip
_NOT_SHOWN = ("START ", "END ", '{"_aws":')


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class LogLine:
    """One event of a function's log. `at_ms` is when, in milliseconds since 1970."""

    at_ms: int
    function: str
    message: str
    id: str = ""

    def key(self) -> str:
        """Tells it from every other line."""
        return self.id or f"{self.at_ms} {self.function} {self.message}"

    def readable(self) -> str:
        """Time, function, and what it says: the event and its fields when it is JSON, with the traceback below."""
        shown = _shown(self.message.rstrip())
        time = datetime.fromtimestamp(self.at_ms / 1000).astimezone().strftime("%H:%M:%S.%f")[:-3]
        return f"{time} {self.function:<8} {shown}"


def read_logs(logs: Any, groups: Mapping[str, str], *, since_ms: int = 0) -> list[LogLine]:
    """All events since then of the groups (function name to group), oldest first; marks and metrics left out."""
    lines: list[LogLine] = []
    for function, group in groups.items():
        for event in _events(logs, group, since_ms):
            if not event["message"].startswith(_NOT_SHOWN):
                line = LogLine(at_ms=event["timestamp"], function=function, message=event["message"], id=_id(event))
                lines.append(line)
    return sorted(lines, key=lambda line: line.at_ms)


def _events(logs: Any, group: str, since_ms: int) -> Iterable[dict[str, Any]]:
    try:
        for page in logs.get_paginator("filter_log_events").paginate(logGroupName=group, startTime=since_ms):
            yield from page["events"]
    except logs.exceptions.ResourceNotFoundException:
        return


def _id(event: Mapping[str, Any]) -> str:
    return str(event.get("eventId") or "")


def _shown(message: str) -> str:
    if message.startswith("REPORT "):
        duration = message.partition("Duration: ")[2].partition("\t")[0]
        return f"--- {duration}"
    try:
        data = json.loads(message)
    except ValueError:
        return message
    if not isinstance(data, dict):
        return message
    what = data.get("event") or data.get("message") or ""
    fields = " ".join(f"{name}={_plain(value)}" for name, value in data.items() if name not in _KNOWN)
    line = f"{data.get('level', ''):<7} {what} {fields}".rstrip()
    return line + "".join(f"\n    {part}" for part in str(data.get("exception") or "").splitlines())


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
