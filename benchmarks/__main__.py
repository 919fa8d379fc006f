"""`make bench`: every figure, with its limit where it has one, as a table and as JSON in `.local/bench.json`."""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from pathlib import Path

SUITES = (
    "bench_turn", "bench_whole_turn", "bench_parser", "bench_prompt", "bench_batch", "bench_import", "bench_bundle",
    "bench_growth", "bench_attendants", "bench_replay",
)  # fmt: skip
OUT = Path(".local/bench.json")
Figure = dict[str, float | bool | None]


def main(argv: list[str] | None = None) -> int:
    """Exit status 1 when a figure is over its limit."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Ratios measured in one run. Example: python -m benchmarks bench_turn",
    )
    parser.add_argument("suites", nargs="*", default=SUITES, help=f"any of: {', '.join(SUITES)} (default: all)")
    chosen = parser.parse_args(argv).suites
    figures: dict[str, Figure] = {}
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures |= _measured_alone(name)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(figures, indent=1) + "\n")
    for figure, row in figures.items():
        limit = "no limit" if row["limit"] is None else f"limit {row['limit']:>5}   {'ok' if row['holds'] else 'OVER'}"
        print(f"{figure:28} {row['ratio']:>8.3f}   {limit}")
    print(f"written to {OUT}")
    return 0 if all(row["holds"] for row in figures.values()) else 1


def _measured_alone(name: str) -> dict[str, Figure]:
    """In a process of its own: what one suite imports, and where it logs, would change the figures of the next."""
    code = "import json, sys; from benchmarks.__main__ import measured; print(json.dumps(measured(sys.argv[1])))"
    done = subprocess.run([sys.executable, "-c", code, name], stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Figure] = json.loads(done.stdout.splitlines()[-1])
    return figures


def measured(name: str) -> dict[str, Figure]:
    """One suite's figures, each with its limit and whether it holds."""
    suite = importlib.import_module(f"benchmarks.{name}")
    at_least = getattr(suite, "AT_LEAST", frozenset())
    figures: dict[str, Figure] = {}
    for figure, ratio in suite.measure().items():
        limit = suite.LIMITS.get(figure)
        holds = limit is None or (ratio >= limit if figure in at_least else ratio <= limit)
        figures[figure] = {"ratio": round(ratio, 3), "limit": limit, "holds": holds}
    return figures


if __name__ == "__main__":
    sys.exit(main())
