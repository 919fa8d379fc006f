"""The command line of scripts/evaluate.py."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from core.config.mistakes import CompanyFilesError
from evaluation.answers import CommittedAnswer, read_answers, stamped, write_answers
from evaluation.case_file import CaseFileError, read_cases
from evaluation.cases import Case
from evaluation.evaluate import Evaluation, Exit, evaluate_committed
from evaluation.matrix import Lane, matrix_lines
from evaluation.report import as_json, as_markdown, failure_lines, summary_line
from evaluation_tools.live import LIVE, LiveEvaluation, LiveSetupError
from model_choice import HELP as WHO
from model_choice import ModelChoiceError, read_choice
from replay.playing.company import Company, read_company

ROOT = Path(__file__).resolve().parents[2]
ANSWERS_FILE = "answers.jsonl"
_EPILOG = f"""\
examples:
  .venv/bin/python scripts/evaluate.py evaluations/*/cases.jsonl
  .venv/bin/python scripts/evaluate.py evaluations/petshop/cases.jsonl --only injection --out .local/evaluation
  .venv/bin/python scripts/evaluate.py evaluations/laboratorio/cases.jsonl --stamp lab-inj-01
  {LIVE}=1 .venv/bin/python scripts/evaluate.py evaluations/laboratorio/cases.jsonl --budget-usd 0.50
  {LIVE}=1 .venv/bin/python scripts/evaluate.py evaluations/*/cases.jsonl --record .local/answers --everything
  {LIVE}=1 .venv/bin/python scripts/evaluate.py evaluations/petshop/cases.jsonl --provider anthropic/claude-haiku-4-5
  {LIVE}=1 .venv/bin/python scripts/evaluate.py evaluations/laboratorio/cases.jsonl --repeat 20 --budget-usd 10 \
      --matrix openai/gpt-5.6-luna openai/gpt-5.6-luna:schema

Without {LIVE}=1 no model is asked: each case is played with its committed answer (answers.jsonl beside the cases).
With it, and with the key of whoever is asked, the cases that hold a must are played live, within a budget that is
asked for.

exit codes:
  0  every must holds (with --strict: every expectation)
  1  a must failed
  2  wrong usage, or a file that cannot be read
  4  incomplete: an answer is missing, stale or left over, or the model or the budget failed
"""


def main(arguments: Sequence[str] | None = None, environ: Mapping[str, str] = os.environ) -> int:
    """The exit code that the epilog tells."""
    options = _parser().parse_args(arguments)
    try:
        _check_choice(options, environ)
        if options.matrix:
            return _matrix(options, environ)
        evaluations = [_evaluate(path, options, environ) for path in options.cases]
    except CaseFileError as error:
        print(*error.mistakes, sep="\n", file=sys.stderr)
        return Exit.USAGE
    except (CompanyFilesError, LiveSetupError, ModelChoiceError) as error:
        print(error, file=sys.stderr)
        return Exit.USAGE
    for evaluation in evaluations:
        print(*failure_lines(evaluation), summary_line(evaluation), sep="\n")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "evaluation.md").write_text(as_markdown(evaluations), "utf-8")
        (options.out / "evaluation.json").write_text(as_json(evaluations, strict=options.strict), "utf-8")
        print(f"report: {options.out / 'evaluation.md'}, {options.out / 'evaluation.json'}")
    exits = {evaluation.exit(strict=options.strict) for evaluation in evaluations}
    return next(each for each in (Exit.FAILED, Exit.INCOMPLETE, Exit.CLEAN) if each in exits)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/evaluate.py",
        description="Plays cases through the real desk and says which of its musts fail.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "cases", nargs="+", type=Path, metavar="CASES", help="JSON Lines, in a folder named as the company"
    )
    parser.add_argument("--company", metavar="ID", help="another company than the folder's name says")
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", help="another folder of prompts")
    parser.add_argument(
        "--answers", type=Path, metavar="FILE", help=f"other answers than {ANSWERS_FILE} beside the cases"
    )
    parser.add_argument("--only", action="append", metavar="WORD", help="only this case id, or this kind (`about`)")
    parser.add_argument("--strict", action="store_true", help="code, stage, fields and packages fail as musts do")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write evaluation.md and evaluation.json there")
    parser.add_argument(
        "--stamp", nargs="+", default=[], metavar="ID", help="say that these answers, read again, fit their cases"
    )
    live = parser.add_argument_group(f"live ({LIVE}=1)")
    live.add_argument(
        "--budget-usd", type=Decimal, metavar="N", help="spend at most so much; asked for where it is not given"
    )
    live.add_argument(
        "--max-calls", type=int, metavar="N", help="make at most so many calls (default: 4 a customer's line)"
    )
    live.add_argument("--provider", metavar="WHO", help=f"ask another model than the settings': {WHO}")
    live.add_argument(
        "--matrix",
        nargs="+",
        default=[],
        metavar="WHO",
        help="play the cases with each, the budget in equal shares, and print a line a model",
    )
    live.add_argument("--jobs", type=int, default=4, metavar="N", help="cases side by side (default: 4)")
    live.add_argument("--repeat", type=int, default=1, metavar="N", help="play each case so often; each time must hold")
    live.add_argument("--everything", action="store_true", help="cases without a must as well")
    live.add_argument("--record", type=Path, metavar="DIR", help="write what the model answered, as committed answers")
    return parser


def _check_choice(options: argparse.Namespace, environ: Mapping[str, str]) -> None:
    """Raises `LiveSetupError` for a choice of models where none is asked, or one that contradicts another."""
    if (options.provider or options.matrix) and environ.get(LIVE) != "1":
        raise LiveSetupError(f"--provider and --matrix ask models: set {LIVE}=1")
    if options.matrix and (options.provider or options.record):
        raise LiveSetupError("--matrix plays every model that it names: leave --provider and --record out")
    if options.matrix and options.budget_usd is None:
        raise LiveSetupError("--matrix costs money with every model: say how much with --budget-usd N")


def _matrix(options: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Every model is checked before the first is asked. The exit code says whether the lanes are complete."""
    choices = [read_choice(each) for each in options.matrix]
    for choice in choices:
        choice.models(environ)
    share = options.budget_usd / (len(choices) * len(options.cases))
    exits, texts = [], []
    for path in options.cases:
        company, cases = _company_and_cases(path, options)[:2]
        lanes = []
        for choice in choices:
            print(f"{company.name}: {choice}", file=sys.stderr)
            live = LiveEvaluation(options=options, environ=environ, company=company, choice=choice, budget_usd=share)
            lanes.append(Lane(name=str(choice), evaluation=live.run(cases)))
        texts.append("\n".join(matrix_lines(lanes)))
        exits += [each.played.incomplete for lane in lanes for each in lane.evaluation.results]
    print("\n\n".join(texts))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "matrix.md").write_text("\n\n".join(texts) + "\n", "utf-8")
    return Exit.INCOMPLETE if any(exits) else Exit.CLEAN


def _company_and_cases(path: Path, options: argparse.Namespace) -> tuple[Company, tuple[Case, ...], Sequence[Case]]:
    """The company, the cases that are asked for, and every one of the file."""
    company = read_company(options.prompts, options.company or path.resolve().parent.name)
    every = read_cases(path, company.catalog)
    cases = tuple(case for case in every if not options.only or {case.id, case.about} & set(options.only))
    if not cases:
        raise CaseFileError([f"{path}:1: holds no case named {', '.join(options.only)}"])
    return company, cases, every


def _evaluate(path: Path, options: argparse.Namespace, environ: Mapping[str, str]) -> Evaluation:
    company, cases, every = _company_and_cases(path, options)
    if environ.get(LIVE) == "1":
        choice = read_choice(options.provider) if options.provider else None
        return LiveEvaluation(options=options, environ=environ, company=company, choice=choice).run(cases)
    return _committed(path, every, cases, company, options)


def _committed(
    path: Path, every: Sequence[Case], cases: Sequence[Case], company: Company, options: argparse.Namespace
) -> Evaluation:
    place = options.answers or path.with_name(ANSWERS_FILE)
    answers = read_answers(place)
    if options.stamp:
        answers = stamped(answers, every, options.stamp)
        write_answers(place, answers.values())
    left_out = {case.id for case in every} - {case.id for case in cases}
    return evaluate_committed(cases, _without(answers, left_out), company)


def _without(answers: Mapping[str, CommittedAnswer], names: set[str]) -> Mapping[str, CommittedAnswer]:
    return {name: answer for name, answer in answers.items() if name not in names}
