"""`make bench`: every figure, with its limit where it has one, as a table and as JSON in `.local/bench.json`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

SUITES = (
    "bench_turn", "bench_whole_turn", "bench_parser", "bench_prompt", "bench_batch", "bench_import", "bench_bundle",
    "bench_growth", "bench_attendants", "bench_replay",
)  # fmt: skip
OUT = Path(".local/bench.json")


def main(argv: list[str] | None = None) -> int:
    """Exit status 1 when a figure is over its limit."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Ratios measured in one run. Example: python -m benchmarks bench_turn",
    )
    parser.add_argument("suites", nargs="*", default=SUITES, help=f"any of: {', '.join(SUITES)} (default: all)")
    chosen = parser.parse_args(argv).suites
    figures: dict[str, dict[str, float | bool | None]] = {}
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        suite = importlib.import_module(f"benchmarks.{name}")
        for figure, ratio in suite.measure().items():
            limit = suite.LIMITS.get(figure)
            at_least = getattr(suite, "AT_LEAST", frozenset())
            holds = limit is None or (ratio >= limit if figure in at_least else ratio <= limit)
            figures[figure] = {"ratio": round(ratio, 3), "limit": limit, "holds": holds}
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(figures, indent=1) + "\n")
    for figure, row in figures.items():
        limit = "no limit" if row["limit"] is None else f"limit {row['limit']:>5}   {'ok' if row['holds'] else 'OVER'}"
        print(f"{figure:28} {row['ratio']:>8.3f}   {limit}")
    print(f"written to {OUT}")
    return 0 if all(row["holds"] for row in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
