"""Puts small faults into src, one at a time and never in the checkout, and tells which of them no test notices.

mutmut and cosmic-ray run the whole suite, or a per-project choice of it, for each of thousands of faults: hours. This
draws a sample and asks only the tests that run the faulty line: minutes.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import checkout_path  # noqa: F401
from mutation.judge import Fault, Verdict, judge
from mutation.operators import faults_of
from mutation.tree import ROOT, Tree, project_files
from mutation.who_runs import WhoRuns, collected

PATHS = ("src/core/domain", "src/core/application")
EXAMPLES = """examples:
  scripts/mutants.py                                    the sample of `make mutants`
  scripts/mutants.py --seed 7 --faults 40               another, smaller sample
  scripts/mutants.py --paths src/core/integrations      elsewhere
  scripts/mutants.py --at src/core/domain/deadline.py:31  every fault of one line, after a test was written for it
"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/mutants.py",
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--faults", type=int, default=120, help="how many are drawn (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, help="the same seed draws the same faults (default: %(default)s)"
    )
    parser.add_argument("--paths", nargs="+", default=PATHS, metavar="PATH", help=f"where (default: {' '.join(PATHS)})")
    parser.add_argument("--at", nargs="+", default=(), metavar="FILE:LINE", help="every fault of these lines instead")
    parser.add_argument("--least", type=float, default=90, help="per cent noticed, else exit 1 (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at once (default: %(default)s)")
    return parser.parse_args(given)


def main() -> int:
    """Exit status 1 when less than `--least` per cent are noticed."""
    asked = arguments()
    faults = chosen(asked)
    if not faults:
        sys.stdout.write("no fault fits there\n")
        return 2
    names = project_files()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        trees = [Tree(Path(folder) / str(number), names) for number in range(asked.jobs)]
        sys.stdout.write("which test runs which line ...\n")
        who_runs = WhoRuns.read(collected(trees[0], names, jobs=asked.jobs))
        verdicts = list(_judged(faults, who_runs, trees))
    return _told(verdicts, least=asked.least)


def chosen(asked: argparse.Namespace) -> list[Fault]:
    """A place is drawn first and then one of its faults, so that a comparison counts no more than a condition."""
    places = [
        [Fault(name, right, edit) for edit in place]
        for name in sorted(_files(asked.at or asked.paths))
        for right in [(ROOT / name).read_bytes()]
        for place in faults_of(right)
    ]
    if asked.at:
        return [fault for place in places for fault in place if fault.where in asked.at]
    draw = random.Random(asked.seed)  # noqa: S311 -- a sample, no secret
    return [draw.choice(place) for place in draw.sample(places, min(asked.faults, len(places)))]


def _files(paths: Sequence[str]) -> set[str]:
    roots = [ROOT / path.partition(":")[0] for path in paths]
    files = (file for root in roots for file in ([root] if root.is_file() else root.rglob("*.py")))
    return {file.relative_to(ROOT).as_posix() for file in files}


def _judged(faults: Sequence[Fault], who_runs: WhoRuns, trees: Sequence[Tree]) -> Iterator[tuple[Fault, Verdict]]:
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def work(fault: Fault) -> tuple[Fault, Verdict, float]:
        tree, begun = free.get(), time.monotonic()
        try:
            verdict = judge(fault, who_runs.tests(fault.name, fault.edit.line), tree)
        finally:
            free.put(tree)
        return fault, verdict, time.monotonic() - begun

    with ThreadPoolExecutor(len(trees)) as pool:
        for number, (fault, verdict, seconds) in enumerate(pool.map(work, faults), start=1):
            sys.stdout.write(
                f"{number:4}/{len(faults)} {verdict:10} {seconds:6.1f} s  {fault.where} {fault.edit.kind}\n"
            )
            if verdict is not Verdict.NOTICED:
                sys.stdout.write(fault.diff() + "\n")
            sys.stdout.flush()
            yield fault, verdict


def _told(verdicts: Sequence[tuple[Fault, Verdict]], *, least: float) -> int:
    count = Counter(verdict for _, verdict in verdicts)
    share = 100 * count[Verdict.NOTICED] / len(verdicts)
    others = ", ".join(
        f"{times} {verdict.lower()}" for verdict, times in count.items() if verdict is not Verdict.NOTICED
    )
    sys.stdout.write(f"\n{count[Verdict.NOTICED]} of {len(verdicts)} noticed, {share:.0f} %; {others or 'no other'}\n")
    for room in sorted({"/".join(fault.name.split("/")[:4]) for fault, _ in verdicts}):
        here = [verdict for fault, verdict in verdicts if fault.name.startswith(room)]
        sys.stdout.write(f"{here.count(Verdict.NOTICED):5} of {len(here):3} in {room}\n")
    for fault, verdict in verdicts:
        if verdict is not Verdict.NOTICED:
            sys.stdout.write(f"{verdict} {fault.where} {fault.edit.kind}\n{fault.diff()}\n")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
