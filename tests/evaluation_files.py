"""The cases and committed answers of the shipped companies, and small ones that a test writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.answers import CommittedAnswer, write_answers
from evaluation.case_file import read_cases
from evaluation.cases import Case
from evaluation.evaluate import Evaluation, evaluate_committed
from replay.playing.company import Company, read_company
from tests.shipped_companies import NAMES, PROMPTS_DIR
from tests.template_file import ROOT

FOLDER = ROOT / "evaluations"
EVALUATED = tuple(name for name in NAMES if (FOLDER / name).is_dir())


@cache
def company(name: str) -> Company:
    return read_company(PROMPTS_DIR, name)


def cases_of(name: str) -> tuple[Case, ...]:
    return read_cases(FOLDER / name / "cases.jsonl", company(name).catalog)


def write_case_file(path: Path, *cases: dict[str, Any]) -> Path:
    """Cases as a person writes them, each with what every case needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ({"id": f"case-{at}", "about": "test", **case} for at, case in enumerate(cases, start=1))
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return path


def evaluate(folder: Path, case: dict[str, Any], *replies: Sequence[str], name: str = "laboratorio") -> Evaluation:
    """One case, with what the model wrote for each of its lines."""
    cases = read_cases(write_case_file(folder / "cases.jsonl", case), company(name).catalog)
    answer = CommittedAnswer(case="case-1", of=cases[0].fingerprint, replies=tuple(tuple(each) for each in replies))
    write_answers(folder / "answers.jsonl", [answer])
    return evaluate_committed(cases, {"case-1": answer}, company(name))


def failed(evaluation: Evaluation) -> list[str]:
    """The names of what did not hold."""
    return [score.name for result in evaluation.results for score in result.failed]
