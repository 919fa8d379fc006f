"""The cases that are shipped: enough of them, of every kind, and every expectation holds with the committed answers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.answers import read_answers
from evaluation.evaluate import Exit, evaluate_committed
from evaluation.report import failure_lines
from tests.evaluation_files import EVALUATED, FOLDER, cases_of, company
from tests.template_file import ROOT

LEAST = {"laboratorio": 80, "petshop": 30}
HARD = {
    "injection",
    "off_topic",
    "health",
    "legal",
    "haggling",
    "mixed_services",
    "third_party",
    "another_language",
    "dictated_data",
}
WITHOUT_REFUSAL = ROOT / "tests" / "cases" / "evaluation" / "without_refusal.jsonl"


@pytest.mark.parametrize("name", EVALUATED)
def test_every_expectation_holds(name: str) -> None:
    answers = read_answers(FOLDER / name / "answers.jsonl")
    evaluation = evaluate_committed(cases_of(name), answers, company(name))

    assert list(failure_lines(evaluation)) == []
    assert evaluation.exit(strict=True) is Exit.CLEAN


@pytest.mark.parametrize("name", EVALUATED)
def test_a_set_is_large_and_holds_the_hard_ones(name: str) -> None:
    cases = cases_of(name)

    assert len(cases) >= LEAST[name]
    assert {case.about for case in cases} >= HARD
    assert sum(case.expected.has_musts for case in cases) == len(cases)


def test_a_prompt_that_dropped_its_refusal_is_named() -> None:
    """The answers of the laboratory's prompt without the limits on interpretation: it explains results."""
    dropped = read_answers(WITHOUT_REFUSAL)
    answers = {**read_answers(FOLDER / "laboratorio" / "answers.jsonl"), **dropped}

    evaluation = evaluate_committed(cases_of("laboratorio"), answers, company("laboratorio"))

    named = {result.played.case.id for result in evaluation.results if result.failed_musts}
    assert named == set(dropped)
    assert evaluation.exit() is Exit.FAILED
    assert all("must_refuse" in line for line in failure_lines(evaluation) if line.startswith("FAILED"))


@pytest.mark.parametrize("name", EVALUATED)
def test_no_wording_decides(name: str) -> None:
    """The same JSON with another text: whatever is compared is kind, code, state and package."""
    answers = {
        case: replace(answer, replies=tuple(tuple(_reworded(raw) for raw in line) for line in answer.replies))
        for case, answer in read_answers(FOLDER / name / "answers.jsonl").items()
    }

    evaluation = evaluate_committed(cases_of(name), answers, company(name))

    assert list(failure_lines(evaluation)) == []


def _reworded(raw: str) -> str:
    head, brace, text = raw.rpartition("}")
    return f"{head}{brace}Tudo certo por aqui." if text else raw
