"""Whether a test notices a fault."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mutation.operators import Edit
from mutation.tree import Tree

# The first few say yes nine times in ten; the rest are asked only where these do not.
_FIRST = 60
_SECONDS = 900.0
_PASSED, _MISUSED, _NOTHING_RUN = 0, 4, 5


class Verdict(StrEnum):
    NOTICED = "noticed"
    SURVIVED = "SURVIVED"
    NEVER_RUN = "NEVER RUN"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True, slots=True)
class Fault:
    """One edit of one file, whose text is `right`: the checkout may go on while faults are judged."""

    name: str
    right: bytes
    edit: Edit

    @property
    def where(self) -> str:
        return f"{self.name}:{self.edit.line}"

    def source(self) -> bytes:
        return self.edit.applied(self.right)

    def diff(self) -> str:
        """The line as it is and as it would be."""
        before, after = self.right.decode().splitlines(), self.source().decode().splitlines()
        at = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
        gone = len(before) - len(after)
        return "\n".join(
            [*(f"    - {line.strip()}" for line in before[at : at + 1 + gone]), f"    + {after[at].strip()}"]
        )


def judge(fault: Fault, tests: Sequence[str], tree: Tree) -> Verdict:
    """By the tests that run the line, the nearest first."""
    if not tests:
        return Verdict.NEVER_RUN
    with tree.holding(fault.name, fault.source()):
        try:
            for some in (tests[:_FIRST], tests[_FIRST:]):
                if some and _fails(some, tree):
                    return Verdict.NOTICED
        except subprocess.TimeoutExpired:
            return Verdict.UNDECIDED
    return Verdict.SURVIVED


def _fails(tests: Sequence[str], tree: Tree) -> bool:
    plainly = ("-x", "-p", "mutation.guard", "-p", "no:cov", "-p", "no:xdist")
    status = tree.pytest(*plainly, tests=tests, seconds=_SECONDS)
    if status == _MISUSED:  # a fault in what a test's cases are made of: their names are others now
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        status = tree.pytest(*plainly, tests=files, seconds=_SECONDS)
    return status not in {_PASSED, _NOTHING_RUN}
