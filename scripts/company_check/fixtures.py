"""A company's cases and committed answers against its catalogue and against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from core.domain.catalogue.catalog import Catalog
from evaluation.answers import read_answers
from evaluation.case_file import CaseFileError, read_cases

from .findings import Finding, shown_path

CASES = Path("evaluations")
_PLACE = re.compile(r"^(?P<path>.*?):(?P<line>\d+): (?P<what>.*)$", re.DOTALL)


def check_fixtures(company: str, root: Path, catalog: Catalog) -> Iterator[Finding]:
    """Ids that the catalogue does not have, values that no field takes, answers that fit no case."""
    folder = root / CASES / company
    if not (folder / "cases.jsonl").is_file():
        return
    try:
        cases = read_cases(folder / "cases.jsonl", catalog)
        answers = read_answers(folder / "answers.jsonl")
    except CaseFileError as error:
        yield from _told(error, root)
        return
    shown = shown_path(folder / "cases.jsonl", root)
    for case in cases:
        answer = answers.get(case.id)
        if answer is None or not answer.fits(case):
            what = f"{case.id}: its committed answer is {'missing' if answer is None else 'stale'}"
            mend = f"read or write it again, then: scripts/evaluate.py {shown} --stamp {case.id}"
            yield Finding(path=shown, line=case.line, what=what, mend=mend)
    for name in sorted(set(answers) - {case.id for case in cases}):
        shown_answers = shown_path(folder / "answers.jsonl", root)
        yield Finding(path=shown_answers, line=1, what=f"{name} answers no case", mend="take it out")


def _told(error: CaseFileError, root: Path) -> Iterator[Finding]:
    for mistake in error.mistakes:
        if place := _PLACE.match(mistake):
            shown = shown_path(Path(place["path"]), root)
            yield Finding(
                path=shown, line=int(place["line"]), what=place["what"], mend="docs/evaluation.md says what goes there"
            )
