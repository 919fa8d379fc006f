"""Cases and answers as people write them: every mistake is told with its line, and what no longer fits is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.answers import CommittedAnswer, read_answers, stamped, write_answers
from evaluation.case_file import CaseFileError, read_cases
from evaluation.evaluate import Evaluation, Exit, evaluate_committed
from evaluation.report import failure_lines
from tests.evaluation_files import company, write_case_file

GREETING = {"customer": ["oi"], "must_answer": True}


def mistakes(path: Path) -> tuple[str, ...]:
    with pytest.raises(CaseFileError) as caught:
        read_cases(path, company("laboratorio").catalog)
    return caught.value.mistakes


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ({"customer": ["oi"]}, "expects nothing"),
        ({"customer": [], "must_answer": True}, "customer: needs at least one line"),
        ({**GREETING, "must_refuse": ["rude"]}, "must_refuse: 'rude' is not one of out_of_scope"),
        ({**GREETING, "must_escalate": ["llm_timeout"]}, "must_escalate: 'llm_timeout' is not one of"),
        ({**GREETING, "must_not": ["lie"]}, "must_not: 'lie' is not one of price"),
        ({**GREETING, "code": 7}, "code: 7 is not one of 1, 2"),
        ({**GREETING, "packages": ["WEATHER"]}, "packages: the catalogue has no package 'WEATHER'"),
        ({**GREETING, "fields": {"cor": "azul"}}, "fields: the catalogue has no field 'cor'"),
        ({**GREETING, "fields": {"numero_amostras": "muitas"}}, "is no value of numero_amostras"),
        ({**GREETING, "given": {"service": "banho"}}, "given.service: the catalogue has no service 'banho'"),
        ({**GREETING, "given": {"known": {"cpf": "529.982.247-24"}}}, "given.known:"),
        ({**GREETING, "given": {"history": [{"robot": "oi"}]}}, "given.history"),
        ({**GREETING, "must_refuze": True}, "must_refuze is no key"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, case: dict[str, Any], told: str) -> None:
    path = write_case_file(tmp_path / "cases.jsonl", GREETING, case)
    (mistake,) = mistakes(path)
    assert mistake.startswith(f"{path}:2: ")
    assert told in mistake


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = write_case_file(tmp_path / "cases.jsonl", {"customer": ["oi"]}, {"must_answer": True})
    path.write_text(path.read_text("utf-8") + "{\n[]\n", "utf-8")
    assert [each.split(":")[1] for each in mistakes(path)] == ["1", "2", "3", "4"]


def test_an_id_stands_once(tmp_path: Path) -> None:
    path = write_case_file(tmp_path / "cases.jsonl", GREETING, {**GREETING, "id": "case-1"})
    assert "stands in line 1 as well" in mistakes(path)[0]


def test_values_are_read_as_the_desk_keeps_them(tmp_path: Path) -> None:
    known = {"finalidade": "água para beber", "data_coleta": "2026-12-14", "cpf": "529.982.247-25"}
    path = write_case_file(tmp_path / "cases.jsonl", {**GREETING, "given": {"known": known}})
    (case,) = read_cases(path, company("laboratorio").catalog)
    assert case.given.known == {"finalidade": "potabilidade", "data_coleta": "2026-12-14", "cpf": "52998224725"}


# Answers


def with_answer(folder: Path, case: dict[str, Any], answer: dict[str, Any]) -> Evaluation:
    cases = read_cases(write_case_file(folder / "cases.jsonl", case), company("laboratorio").catalog)
    content = {"case": "case-1", "of": cases[0].fingerprint, "replies": [['{"s":1}Oi! O que você quer analisar?']]}
    (folder / "answers.jsonl").write_text(json.dumps({**content, **answer}) + "\n", "utf-8")
    return evaluate_committed(cases, read_answers(folder / "answers.jsonl"), company("laboratorio"))


def test_an_answer_that_fits_is_scored(tmp_path: Path) -> None:
    assert with_answer(tmp_path, GREETING, {}).exit() is Exit.CLEAN


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"of": "0123456789ab"}, "INCOMPLETE case-1: stale: the answer was written for 0123456789ab"),
        ({"replies": [["{}"], ["{}"]]}, "INCOMPLETE case-1: stale"),
        ({"case": "case-9"}, "INCOMPLETE case-9: an answer is committed, and there is no such case"),
        ({"case": "case-9"}, "INCOMPLETE case-1: no answer is committed"),
        ({"replies": [[]]}, "INCOMPLETE case-1: 1 call(s) found no committed reply"),
        ({"replies": [['{"s":1}Oi!', '{"s":1}Oi?']]}, "INCOMPLETE case-1: 1 committed reply(ies) were never asked for"),
    ],
)
def test_an_answer_that_does_not_fit_is_named_and_never_passes(
    tmp_path: Path, answer: dict[str, Any], told: str
) -> None:
    evaluation = with_answer(tmp_path, GREETING, answer)
    assert any(line.startswith(told) for line in failure_lines(evaluation))
    assert evaluation.exit() is Exit.INCOMPLETE


def test_an_answer_is_stale_when_the_model_would_be_told_something_else(tmp_path: Path) -> None:
    def fingerprint(case: dict[str, Any]) -> str:
        path = write_case_file(tmp_path / "cases.jsonl", case)
        return read_cases(path, company("laboratorio").catalog)[0].fingerprint

    same = fingerprint(GREETING)
    assert fingerprint({**GREETING, "must_not": ["price"], "code": 1}) == same
    assert fingerprint({**GREETING, "customer": ["olá"]}) != same
    assert fingerprint({**GREETING, "given": {"service": "analise_solo"}}) != same


def test_whoever_read_an_answer_again_may_say_that_it_fits(tmp_path: Path) -> None:
    cases = read_cases(write_case_file(tmp_path / "cases.jsonl", GREETING, GREETING), company("laboratorio").catalog)
    answers = {case.id: CommittedAnswer(case=case.id, of="old", replies=(("{}",),)) for case in cases}

    after = stamped(answers, cases, ["case-2"])
    write_answers(tmp_path / "answers.jsonl", after.values())

    assert [each.fits(case) for each, case in zip(after.values(), cases, strict=True)] == [False, True]
    assert read_answers(tmp_path / "answers.jsonl") == after


@pytest.mark.parametrize("line", ['{"case": "a"}', '{"case": "a", "of": "b", "replies": ["x"]}', "[]", "{"])
def test_a_line_that_is_no_answer_is_a_mistake(tmp_path: Path, line: str) -> None:
    (tmp_path / "answers.jsonl").write_text(line + "\n", "utf-8")
    with pytest.raises(CaseFileError):
        read_answers(tmp_path / "answers.jsonl")
