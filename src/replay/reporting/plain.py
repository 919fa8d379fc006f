"""The summary as plain values: what `replay.json` holds and the page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from replay.reporting.summary import Summary

REPORT_SCHEMA = "balcao.replay/1"


def summary_to_plain(summary: Summary) -> Mapping[str, Any]:
    """Everything but the sessions' figures one by one."""
    figures = summary.figures
    return {
        "schema": REPORT_SCHEMA,
        "exit": int(summary.exit),
        "verdict": summary.verdict,
        "sessions": summary.sessions,
        "turns": summary.turns,
        "counts": dict(summary.counts),
        "groups": [asdict(group) for group in summary.groups],
        "broken": {name: list(ids) for name, ids in summary.broken.items()},
        "incomplete": {reason: list(ids) for reason, ids in summary.incomplete.items()},
        "drifted": summary.drifted,
        "prompt_changes": [asdict(change) for change in summary.prompt_changes],
        "expired": [{**asdict(each), "until": each.until.isoformat()} for each in summary.expired],
        "cost_usd": list(figures.cost_usd),
        "latency_ms": list(figures.latency_ms),
        "test": None
        if summary.test is None
        else {**asdict(summary.test), "p": summary.test.p, "smallest_effect": summary.smallest},
        "noise": summary.noise,
        "model_drift": summary.model_drift,
        "left_out": summary.left_out,
        "changed": [dict(result) for result in summary.changed],
    }
