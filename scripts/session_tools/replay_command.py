"""`scripts/replay.py`: what is asked, what is played, and what is shown of it."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import chain, count
from pathlib import Path

from command_line.reader_gone import nobody_may_read
from core.config.mistakes import CompanyFilesError
from core.config.settings import ModelSettings
from model_choice import HELP as WHO
from replay.comparing.accepted import AcceptedChange, ReviewFileError, Rules, read_accepted, read_rules
from replay.playing.prompt_texts import PromptChange, prompt_changes
from replay.reporting.summary import Exit, Gathering, Result, Summary
from replay.running.plan import RunPlan
from replay.running.pool import ProgressFile, key_of, run
from replay.session_file.errors import SessionFileError
from replay.session_file.reader import SessionFile

from .errors import CommandError
from .models import MODELS, check_live_model, chosen_models, live_model_of
from .progress import Bar

SRC = Path(__file__).resolve().parents[2] / "src"

ROOT = Path(__file__).resolve().parents[2]
EFFECT_PERCENT = 8.0
_UNNAMED = re.compile(r"[^A-Za-z0-9._-]+")
_EPILOG = """\
examples:
  .venv/bin/python scripts/replay.py sessions.jsonl
  .venv/bin/python scripts/replay.py sessions.jsonl --carry --out .local/replay
  .venv/bin/python scripts/replay.py sessions.jsonl --baseline /tmp/old/prompts --model live --budget-usd 2
  .venv/bin/python scripts/replay.py sessions.jsonl --from 4 --model local
  .venv/bin/python scripts/replay.py sessions.jsonl --accept accepted.toml --rules rules.toml

exit codes: 0 clean · 1 regression · 2 usage, or a file that can't be read · 3 inconclusive · 4 incomplete
A run with --out that was stopped goes on where it was when the same is asked again. docs/replay.md says the rest.
"""


def main(arguments: list[str] | None = None) -> int:
    """The exit code of the page: errors and gaps never count as passes."""
    options = _parser().parse_args(arguments)
    logging.disable(logging.CRITICAL)  # what a turn logs was logged when it took place
    try:
        return _run(options)
    except (SessionFileError, ReviewFileError, CommandError) as error:
        print(f"replay: {error}", file=sys.stderr)
    except CompanyFilesError as error:
        print(f"replay: {error}\nNext: correct the file, or name the company with --company", file=sys.stderr)
    except KeyboardInterrupt:
        again = "; with the same words it goes on from here" if options.out else ""
        print(f"\nreplay: stopped{again}", file=sys.stderr)
        return 130
    return Exit.USAGE


def _run(options: argparse.Namespace) -> int:
    accepted, expired = _accepted(options)
    plan = _plan(options, tuple(accepted))
    files = _files(options.files)
    gathering = Gathering(is_live=plan.is_live, has_baseline=plan.baseline is not None, effect=options.effect / 100)
    for name, file in files.items():
        gathering.take(_named(result, name if len(files) > 1 else "") for result in _results(file, plan, options))
    summary = gathering.summary(prompt_changes=_changes(files.values(), plan), expired=expired)
    with nobody_may_read():
        _report(summary, options)
    return summary.exit


def _files(paths: Sequence[Path]) -> Mapping[str, SessionFile]:
    """By a name that no other has: sessions of two exports may have the same id. A file that is given twice is no
    second witness. Raises `SessionFileError`.
    """
    files: dict[str, SessionFile] = {}
    for path in {path.resolve(): path for path in paths}.values():
        stem = _UNNAMED.sub("-", path.stem)
        name = next(each for each in chain([stem], (f"{stem}-{n}" for n in count(2))) if each not in files)
        files[name] = SessionFile(path)
    return files


def _named(result: Result, file: str) -> Result:
    return {**result, "id": f"{file}:{result['id']}"} if file else result


def _results(file: SessionFile, plan: RunPlan, options: argparse.Namespace) -> Iterator[Result]:
    """What was written before, then what is played now."""
    plan.candidate(file.header.company), plan.baseline_company(file.header.company)  # told before anything is played
    asked = json.dumps([file.header.company, str(plan), _fingerprints(file, plan), code_mark()], sort_keys=True)
    progress = _progress(options, file, key_of(file, asked))
    done = progress.done() if progress else frozenset()
    with Bar(file.path.name, total=file.counts.get("session", 0), done=len(done)) as bar:
        if progress:
            yield from progress.open().results()
        for result in run(file, plan, jobs=options.jobs, done=done):
            if progress:
                progress.add(result)
            bar.step()
            yield result


def _fingerprints(file: SessionFile, plan: RunPlan) -> Sequence[str]:
    """What the lanes' files read: a run goes on only with the same."""
    lanes = (plan.candidate(file.header.company), plan.baseline_company(file.header.company))
    return [f"{name} {mark}" for lane in lanes if lane for name, mark in sorted(lane.prompts.fingerprints.items())]


def code_mark(root: Path = SRC) -> str:
    """A hash of the code and its tables: what other code gave is no result of this one."""
    files = sorted(path for path in root.rglob("*") if path.suffix in {".py", ".toml"})
    marks = (f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files)
    return hashlib.sha256("\n".join(marks).encode()).hexdigest()


def _progress(options: argparse.Namespace, file: SessionFile, key: str) -> ProgressFile | None:
    if options.out is None:
        return None
    return ProgressFile(options.out / f"{file.path.stem}-{file.sha256[:8]}.progress.jsonl", key=key)


def _changes(files: Iterable[SessionFile], plan: RunPlan) -> Sequence[PromptChange]:
    found: list[PromptChange] = []
    for file in files:
        header = file.header
        company = plan.candidate(header.company)
        found += prompt_changes(company, plan.prompts_dir, recorded=header.fingerprints, texts=header.prompts)
    return list(dict.fromkeys(found))


def _report(summary: Summary, options: argparse.Namespace) -> None:
    from replay.reporting.page import write_page
    from replay.reporting.plain import summary_to_plain
    from replay.reporting.terminal import show

    from .console import ReportConsole

    if options.out is not None:
        plain = summary_to_plain(summary)
        (options.out / "replay.json").write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", "utf-8")
        write_page(options.out / "replay.html", summary)
    show(summary, ReportConsole(highlight=False), shown=options.show)
    if options.out is not None:
        print(f"written to {options.out / 'replay.html'} and {options.out / 'replay.json'}")
    elif summary.exit is not Exit.CLEAN:
        print("Next: the same with --out .local/replay writes a page with every change side by side")


def _plan(options: argparse.Namespace, accepted: tuple[AcceptedChange, ...]) -> RunPlan:
    make_model = MODELS[options.model]
    if options.model == "live" and options.budget_usd is None:
        message = "a live model costs money: say how much it may, for example --budget-usd 2"
        raise CommandError(message)
    if options.live_from > 1 and make_model is None:
        message = "--from N asks a model from turn N on: add --model live or --model local"
        raise CommandError(message)
    if options.repeat and (options.baseline is None or make_model is None):
        message = "--repeat plays again where two lanes differ: add --baseline DIR and --model live or --model local"
        raise CommandError(message)
    if options.baseline is not None and not options.baseline.is_dir():
        message = f"--baseline {options.baseline}: no such folder; git worktree add /tmp/old main makes one"
        raise CommandError(message)
    models = _live_models(options)
    if models is not None:
        make_model = partial(live_model_of, models)
    return RunPlan(
        prompts_dir=options.prompts,
        company=options.company,
        make_model=make_model,
        carry=options.carry,
        live_from=options.live_from,
        baseline=options.baseline,
        repeat=options.repeat,
        budget_usd=None if options.budget_usd is None else options.budget_usd / options.jobs,
        budget_calls=None if options.budget_calls is None else max(1, options.budget_calls // options.jobs),
        rules=read_rules(options.rules) if options.rules else Rules(),
        accepted=accepted,
        models=models,
    )


def _live_models(options: argparse.Namespace) -> ModelSettings | None:
    """Those of `--provider`; None for the file's own."""
    if options.provider and options.model != "live":
        message = "--provider says whom a live model asks: add --model live"
        raise CommandError(message)
    if options.provider:
        return chosen_models(options.provider)
    if options.model == "live":
        check_live_model()
    return None


def _accepted(options: argparse.Namespace) -> tuple[Sequence[AcceptedChange], Sequence[AcceptedChange]]:
    if options.accept is None:
        return (), ()
    return read_accepted(options.accept, today=datetime.now(UTC).date())


def _money(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and amount > 0):
        message = f"{text!r} is no amount"
        raise argparse.ArgumentTypeError(message)
    return amount


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        message = f"{text!r} is no number from 1"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/replay.py",
        description="Plays logged sessions again with this checkout's code and prompts, and says what changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="session files")
    parser.add_argument("--model", choices=sorted(MODELS), default="recorded", help="who answers (default: recorded)")
    parser.add_argument("--provider", default="", metavar="WHO", help=f"whom a live model asks: {WHO}")
    parser.add_argument("--carry", action="store_true", help="run on from turn to turn, up to the first divergence")
    parser.add_argument(
        "--from", dest="live_from", type=_positive, default=1, metavar="N", help="ask the model from N on"
    )
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", metavar="DIR", help="what is judged")
    parser.add_argument("--company", default="", metavar="NAME", help="another than the one that the file names")
    parser.add_argument("--baseline", type=Path, metavar="DIR", help="older prompts, or an older company: a lane")
    parser.add_argument("--repeat", type=int, default=0, metavar="N", help="fresh runs where two lanes differ")
    parser.add_argument("--effect", type=float, default=EFFECT_PERCENT, metavar="PERCENT",
                        help="share of worse sessions that the run must be able to see (default 8)")  # fmt: skip
    parser.add_argument("--budget-usd", type=_money, metavar="AMOUNT", help="what a live model may cost")
    parser.add_argument("--budget-calls", type=_positive, metavar="N", help="how often it may be asked")
    parser.add_argument("--jobs", type=_positive, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--rules", type=Path, metavar="FILE", help="what counts, and what no turn may do (TOML)")
    parser.add_argument("--accept", type=Path, metavar="FILE", help="changes that are wanted (TOML)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where replay.html, replay.json and the progress go")
    parser.add_argument("--show", type=int, default=5, metavar="N", help="changed sessions shown here (default 5)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
