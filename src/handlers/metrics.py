"""Log events into metrics, by one table: collected while an invocation runs, written in CloudWatch's embedded format at
its end (docs/operations.md, "Metrics").
"""

from __future__ import annotations

import logging
import os
import re
import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aws_lambda_powertools.metrics import EphemeralMetrics

from handlers.metric_table import MEASURES, Measure, Unit

NAMESPACE = "Balcao"
# A dimension's value makes a metric of its own, which is paid for: names of ours are short and few.
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}")
_VALUES_MAX = 60
_OTHER = "other"

Dimension = tuple[str, str]


def function_names(environ: Mapping[str, str]) -> tuple[str, str]:
    """The stack and the function's part in it, as template.yaml calls functions: `<stack>-<part>`."""
    stack, _, part = environ.get("AWS_LAMBDA_FUNCTION_NAME", "").rpartition("-")
    return stack or "local", part or "local"


@dataclass(slots=True)
class _Values:
    """Mutable on purpose: what one metric got in one invocation."""

    unit: Unit
    values: list[float] = field(default_factory=list)

    def add(self, value: float) -> None:
        """Counts are summed, what is measured stays apart for percentiles."""
        if self.unit is not Unit.MILLISECONDS and self.values:
            self.values[0] += value
        else:
            self.values.append(value)


class MetricCollector(logging.Handler):
    """Mutable on purpose, and safe under threads: turns side by side log into it, the main thread flushes it. It reads
    events' fields and writes none, and an event that has not the field of a row counts for nothing there.
    """

    def __init__(self, *, environ: Mapping[str, str] | None = None) -> None:
        super().__init__(logging.INFO)
        self._stack, self._function = function_names(os.environ if environ is None else environ)
        self._by_event: dict[str, list[Measure]] = defaultdict(list)
        for measure in MEASURES:
            self._by_event[measure.event].append(measure)
        self._guard = threading.Lock()
        self._waiting: dict[Dimension, dict[str, _Values]] = {}
        self._seen: dict[str, set[str]] = defaultdict(set)

    def emit(self, record: logging.LogRecord) -> None:
        """Counts an event, if the table has it."""
        measures = self._by_event.get(record.msg, ()) if isinstance(record.msg, str) else ()
        if not measures:
            return
        fields = {"function": self._function, **vars(record)}
        with self._guard:
            for measure in measures:
                self._count(measure, fields)

    def flush_metrics(self) -> None:
        """Writes what came together, one line for each set of dimensions, and forgets it."""
        with self._guard:
            waiting, self._waiting = self._waiting, {}
        for (name, value), metrics in waiting.items():
            line = EphemeralMetrics(namespace=NAMESPACE, service=self._stack)
            if name:
                line.add_dimension(name, value)
            for metric, collected in metrics.items():
                for each in collected.values:
                    line.add_metric(metric, collected.unit.value, each)
            if line.metric_set:
                line.flush_metrics()

    def _count(self, measure: Measure, fields: Mapping[str, Any]) -> None:
        if not all(str(fields.get(name)) in wanted for name, wanted in measure.where.items()):
            return
        value = 1 if measure.value is None else fields.get(measure.value)
        told_apart = measure.label or fields.get(measure.by) if measure.by else None
        if not isinstance(value, int | float) or (measure.by and not told_apart):
            return
        dimension = (
            (measure.dimension or measure.by, self._bounded(measure, str(told_apart))) if measure.by else ("", "")
        )
        metrics = self._waiting.setdefault(dimension, {})
        metrics.setdefault(measure.metric, _Values(measure.unit)).add(float(value))

    def _bounded(self, measure: Measure, value: str) -> str:
        """The name, or `other` for what is no name and for more of them than a table of ours has."""
        seen = self._seen[measure.metric]
        if not _NAME.fullmatch(value) or (value not in seen and len(seen) >= _VALUES_MAX):
            return _OTHER
        seen.add(value)
        return value
