"""Which tests run a line, by coverage's contexts: collected once for a state of the project and kept in .local/."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
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
    status = tree.pytest(*how)
    if status != 0:
        message = f"the tests must pass before faults are put in; pytest ended with {status}\n{tree.said}"
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
        """Through whatever an import makes of it: a constant that is a field's default is read where the field is, and
        a default by code of no line, so tests that name it are asked too.
        """
        if line not in self.lines.get(name, {}):
            return frozenset()
        found: set[str] = set()
        known: set[str] = set()
        waiting = list(names_given_at((ROOT / name).read_bytes(), line))
        while waiting:
            given = waiting.pop()
            known.add(given)
            for other, number in self._lines_with(given):
                tests = self.lines[other].get(number, frozenset())
                found |= tests
                if not tests:
                    waiting += set(names_given_at((ROOT / other).read_bytes(), number)) - known - set(waiting)
        return frozenset(found | _files_that_name(known))

    def _lines_with(self, word: str) -> Iterator[tuple[str, int]]:
        used = re.compile(rf"\b{re.escape(word)}\b")
        for name in self.lines:
            text = (ROOT / name).read_text(encoding="utf-8").splitlines()
            yield from ((name, number) for number, written in enumerate(text, start=1) if used.search(written))


def _files_that_name(words: set[str]) -> set[str]:
    """Whole files of unit tests: a test that only reads a default runs no line at all, so no context tells of it."""
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, words)) or '(?!)'})\b")
    files = ((ROOT / "tests" / "unit").rglob("test_*.py")) if words else ()
    return {file.relative_to(ROOT).as_posix() for file in files if used.search(file.read_text(encoding="utf-8"))}


def _tests(contexts: Sequence[str]) -> list[str]:
    return [context.rpartition("|")[0] for context in contexts if context]


def _nearness(test: str, name: str) -> int:
    """The test of the same module before one of its folder, and that before all others."""
    module = Path(name)
    if module.stem in test.partition("::")[0]:
        return 2
    return int(f"/{module.parent.name}/" in test)
