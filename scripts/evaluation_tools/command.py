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
from evaluation.report import as_json, as_markdown, failure_lines, summary_line
from evaluation_tools.live import LIVE, LiveEvaluation, LiveSetupError
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

Without {LIVE}=1 no model is asked: each case is played with its committed answer (answers.jsonl beside the cases).
With it, and with OPENAI_API_KEY, the cases that hold a must are played live, within a budget that is asked for.

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
        evaluations = [_evaluate(path, options, environ) for path in options.cases]
    except CaseFileError as error:
        print(*error.mistakes, sep="\n", file=sys.stderr)
        return Exit.USAGE
    except (CompanyFilesError, LiveSetupError) as error:
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
    live.add_argument("--jobs", type=int, default=4, metavar="N", help="cases side by side (default: 4)")
    live.add_argument("--repeat", type=int, default=1, metavar="N", help="play each case so often; each time must hold")
    live.add_argument("--everything", action="store_true", help="cases without a must as well")
    live.add_argument("--record", type=Path, metavar="DIR", help="write what the model answered, as committed answers")
    return parser


def _evaluate(path: Path, options: argparse.Namespace, environ: Mapping[str, str]) -> Evaluation:
    company = read_company(options.prompts, options.company or path.resolve().parent.name)
    every = read_cases(path, company.catalog)
    cases = tuple(case for case in every if not options.only or {case.id, case.about} & set(options.only))
    if not cases:
        raise CaseFileError([f"{path}:1: holds no case named {', '.join(options.only)}"])
    if environ.get(LIVE) == "1":
        return LiveEvaluation(options=options, environ=environ, company=company).run(cases)
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
