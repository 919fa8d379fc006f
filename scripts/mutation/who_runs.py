"""Which tests run a line, by coverage's contexts: collected once for a state of the project and kept in .local/."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

from mutation.operators import names_given_at
from mutation.tree import ROOT, Tree, fingerprint

# Lines, not branches: a tenth of the rows.
_COVERAGE = "[run]\nbranch = false\nsource = src\nparallel = true\nrelative_files = true\n"


def collected(tree: Tree, names: Sequence[str], *, jobs: int) -> Path:
    """The file of contexts; only a project that changed is measured again."""
    kept = ROOT / ".local" / "mutants" / f"{fingerprint(names)}.coverage"
    if kept.exists():
        return kept
    (tree.root / "contexts.coveragerc").write_text(_COVERAGE, encoding="utf-8")
    how = ("--cov", "--cov-config=contexts.coveragerc", "--cov-context=test", "--cov-report=", f"-n{jobs}")
    if tree.pytest(*how) != 0:
        message = f"the tests must pass before faults are put in\n{tree.said}"
        raise SystemExit(message)
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.glob("*.coverage"):
        old.unlink()
    kept.write_bytes((tree.root / ".coverage").read_bytes())
    return kept


@dataclass(frozen=True, slots=True)
class WhoRuns:
    """`lines`: tests by file and line; `reach`: how much of the project a test runs, which is how dear it is."""

    lines: dict[str, dict[int, frozenset[str]]]
    reach: Counter[str]

    @classmethod
    def read(cls, file: Path) -> WhoRuns:
        data = CoverageData(basename=str(file))
        data.read()
        lines: dict[str, dict[int, frozenset[str]]] = {}
        reach: Counter[str] = Counter()
        for name in data.measured_files():
            contexts = data.contexts_by_lineno(name)
            lines[name] = {line: frozenset(_tests(each)) for line, each in contexts.items()}
            for tests in lines[name].values():
                reach.update(tests)
        return cls(lines, reach)

    def tests(self, name: str, line: int) -> list[str]:
        """The nearest and smallest first. What an import runs is judged by whoever runs the lines that use it."""
        found = self.lines.get(name, {}).get(line, frozenset()) or self._by_use(name, line)
        return sorted(found, key=lambda test: (-_nearness(test, name), self.reach[test], test))

    def _by_use(self, name: str, line: int) -> frozenset[str]:
        given = set(names_given_at((ROOT / name).read_bytes(), line))
        if not given or line not in self.lines.get(name, {}):
            return frozenset()
        used = re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})\b")
        found: set[str] = set()
        for other, lines in self.lines.items():
            text = (ROOT / other).read_text(encoding="utf-8").splitlines()
            reading = (number for number, written in enumerate(text, start=1) if used.search(written))
            found.update(*(lines.get(number, frozenset()) for number in reading))
        return frozenset(found)


def _tests(contexts: Sequence[str]) -> list[str]:
    return [context.rpartition("|")[0] for context in contexts if context]


def _nearness(test: str, name: str) -> int:
    """The test of the same module before one of its folder, and that before all others."""
    module = Path(name)
    if module.stem in test.partition("::")[0]:
        return 2
    return int(f"/{module.parent.name}/" in test)
