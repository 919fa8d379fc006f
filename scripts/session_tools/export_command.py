"""`scripts/export_sessions.py`: which sessions, from which table, into which file."""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from core.application.intake.customer_ids import conversation_ids
from core.config.loader import load_settings
from core.config.mistakes import CompanyFilesError
from core.config.settings import Settings
from core.domain.conversation import EffectKind
from core.domain.messages import Sender
from local_stack.local_settings import checkout_settings
from local_stack.places import ROOT
from replay.anonymising.pseudonyms import Pseudonyms
from replay.anonymising.sessions import ANONYMISER_VERSION, Anonymiser, key_id
from replay.exporting.export import Choice, Tally, chosen_sessions, exported
from replay.exporting.table_pages import TablePages
from replay.playing.company import Company, read_company, settings_of, settings_to_plain
from replay.playing.player import Player
from replay.playing.prompt_texts import matching_texts
from replay.session_file.reader import SessionFile
from replay.session_file.records import Header, RecordedSession
from replay.session_file.writer import SessionWriter

from .errors import CommandError
from .progress import Bar
from .tables import pages_of

_KEY_BYTES = 32
_SHOWN = 10
_LEFT_OUT, _BLOCKED, _USAGE = 0, 4, 2
_UNUSED = {
    "TABLE_NAME": "-", "QUEUE_URL": "-", "IDENTITY_KEY": "-", "OPENAI_API_KEY": "-",
    "WHATSAPP_PHONE_NUMBER_ID": "-", "WHATSAPP_ACCESS_TOKEN": "-",
}  # fmt: skip
_EPILOG = """\
examples:
  .venv/bin/python scripts/export_sessions.py .local/sessions.jsonl                 # the running local stack
  .venv/bin/python scripts/export_sessions.py a.jsonl --table balcao --since 2026-11-01 --sample 10
  .venv/bin/python scripts/export_sessions.py a.jsonl --table balcao --reason llm_invalid_json
  IDENTITY_KEY=… .venv/bin/python scripts/export_sessions.py a.jsonl --table balcao --phone 5511980000101

Nothing is written that names anybody: what still looks personal blocks the export (exit code 4), until it is allowed by
--allow FILE (a line each) or left out by --leave-out. Settings are read from .env and the environment, as deployed.
"""


def main(arguments: list[str] | None = None) -> int:
    """0 with a file; 2 for wrong usage; 4 where something blocks, and then no file is written."""
    options = _parser().parse_args(arguments)
    logging.disable(logging.CRITICAL)
    try:
        return _export(options)
    except (CommandError, CompanyFilesError, RuntimeError) as error:
        print(f"export_sessions: {error}", file=sys.stderr)
        return _USAGE
    except KeyboardInterrupt:
        print("\nexport_sessions: stopped, nothing was written", file=sys.stderr)
        return 130


def _export(options: argparse.Namespace) -> int:
    settings = _settings(options)
    company = read_company(options.prompts, settings.company)
    pages, tally = pages_of(options.table), Tally()
    sessions = chosen_sessions(_conversations(options, pages, settings), _choice(options), tally)
    first = next(sessions, None)
    if first is None:
        message = f"no session matches ({tally.seen} were looked at): ask for more, or for another table"
        raise CommandError(message)
    if _notifies(first):
        settings = replace(settings, handoff_topic_arn="recorded")
    key = _key(options)
    anonymiser = _anonymiser(company, settings, key, _allowed(options))
    with SessionWriter(options.file, _header(first, company, settings, key, options)) as file:
        for session in _counted(exported(chain([first], sessions), anonymiser, tally)):
            file.add(session)
        written = bool(tally.taken) and (options.leave_out or not tally.blocked)
        if not written:
            file.discard()
    if not written:
        return _tell_blocked(tally, options, written=False)
    SessionFile(options.file)  # what others will read is read once here
    print(f"{options.file}: {tally.taken} sessions of {tally.seen} looked at, anonymised and proved by replay")
    for number, said in (
        (tally.incomplete, "are incomplete: replays tell them apart"),
        (tally.unreadable, "conversations could not be read"),
        (tally.differs, "replay otherwise than recorded before a name was changed: other code, company or settings?"),
    ):
        if number:
            print(f"  {number} {said}")
    return _tell_blocked(tally, options, written=True) if tally.blocked else _LEFT_OUT


def _counted(sessions: Iterator[RecordedSession]) -> Iterator[RecordedSession]:
    with Bar("exporting") as bar:
        for session in sessions:
            bar.step()
            yield session


def _tell_blocked(tally: Tally, options: argparse.Namespace, *, written: bool) -> int:
    for each in tally.blocked[:_SHOWN]:
        print(f"blocked: session {each.session}: {each.why}", file=sys.stderr)
    if len(tally.blocked) > _SHOWN:
        print(f"blocked: and {len(tally.blocked) - _SHOWN} more sessions", file=sys.stderr)
    if written:
        print(f"{len(tally.blocked)} sessions were left out", file=sys.stderr)
        return _LEFT_OUT
    print(
        f"export_sessions: {options.file} was not written. Next: look at these turns, and put what is nobody's into "
        "a file for --allow; or write the rest with --leave-out",
        file=sys.stderr,
    )
    return _BLOCKED


def _settings(options: argparse.Namespace) -> Settings:
    environ = {**_UNUSED, **checkout_settings(), **{name: each for name, each in os.environ.items() if each}}
    if options.company:
        environ["COMPANY"] = options.company
    return load_settings(environ)


def _anonymiser(company: Company, settings: Settings, key: bytes, allowed: frozenset[str]) -> Anonymiser:
    replayed = settings_of(settings_to_plain(settings), company=company.name)
    return Anonymiser(Player(company=company, settings=replayed), Pseudonyms(key), allowed)


def _header(
    first: RecordedSession, company: Company, settings: Settings, key: bytes, options: argparse.Namespace
) -> Header:
    recorded = dict(first.turns[-1].record.fingerprints)
    return Header(
        code=recorded.pop("code", "unversioned"),
        company=company.name,
        fingerprints=recorded,
        packages=tuple(package.id for package in company.catalog.packages),
        settings=settings_to_plain(settings),
        prompts=matching_texts(company, options.prompts, recorded),
        anonymiser={"version": ANONYMISER_VERSION, "key": key_id(key)},
    )


def _notifies(session: RecordedSession) -> bool:
    return any(effect.kind is EffectKind.NOTIFY for turn in session.turns for effect in turn.effects)


def _conversations(
    options: argparse.Namespace, pages: TablePages, settings: Settings
) -> Iterable[tuple[str, Sequence[Mapping[str, Any]]]]:
    if not options.phone:
        return pages.conversations()
    if settings.identity_key == "-" or settings.whatsapp.phone_number_id == "-":
        message = "--phone needs IDENTITY_KEY and WHATSAPP_PHONE_NUMBER_ID: conversations go by a keyed hash"
        raise CommandError(message)
    ids = conversation_ids(Sender(phone=options.phone), settings.whatsapp.phone_number_id, settings.identity_key)
    return ((each, list(pages.items(each))) for each in map(pages.home, ids))


def _choice(options: argparse.Namespace) -> Choice:
    return Choice(
        since_ms=options.since,
        until_ms=options.until,
        reasons=frozenset(options.reason),
        outcomes=frozenset(options.outcome),
        sample=options.sample / 100,
        seed=options.seed,
    )


def _key(options: argparse.Namespace) -> bytes:
    """Made for this export and thrown away with it, unless a file holds one."""
    if options.key_file is None:
        return secrets.token_bytes(_KEY_BYTES)
    try:
        key: bytes = options.key_file.read_bytes().strip()
    except OSError as error:
        message = f"--key-file {options.key_file}: {error.strerror}"
        raise CommandError(message) from error
    if len(key) < _KEY_BYTES:
        message = f"--key-file {options.key_file}: at least {_KEY_BYTES} bytes: openssl rand -hex 32 > key"
        raise CommandError(message)
    return key


def _allowed(options: argparse.Namespace) -> frozenset[str]:
    if options.allow is None:
        return frozenset()
    try:
        lines = options.allow.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        message = f"--allow {options.allow}: {error}"
        raise CommandError(message) from error
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def _day(text: str) -> int:
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        message = f"{text!r} is no day (2026-11-30) or time (2026-11-30T12:00)"
        raise argparse.ArgumentTypeError(message) from None
    return round((day if day.tzinfo else day.replace(tzinfo=UTC)).timestamp() * 1000)


def _percent(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0
    if not 0 < share <= 100:
        message = f"{text!r} is no percentage"
        raise argparse.ArgumentTypeError(message)
    return share


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/export_sessions.py",
        description="Writes logged sessions into a file for scripts/replay.py, with other people's names in them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the session file to write")
    parser.add_argument("--table", metavar="NAME", help="a table of your AWS account (default: the local stack's)")
    parser.add_argument("--since", type=_day, metavar="DAY", help="sessions that were still going on then (UTC)")
    parser.add_argument("--until", type=_day, metavar="DAY", help="sessions whose last turn was before")
    parser.add_argument(
        "--reason", action="append", default=[], metavar="REASON", help="handed over for it; repeatable"
    )
    parser.add_argument(
        "--outcome", action="append", default=[], metavar="OUTCOME", help="with such a turn; repeatable"
    )
    parser.add_argument("--phone", metavar="DIGITS", help="one customer's (needs IDENTITY_KEY)")
    parser.add_argument("--sample", type=_percent, default=100.0, metavar="PERCENT", help="a share of them")
    parser.add_argument("--seed", default="", metavar="TEXT", help="another share for another text")
    parser.add_argument("--company", default="", metavar="NAME", help="whose prompts (default: COMPANY)")
    parser.add_argument("--prompts", type=Path, default=ROOT / "prompts", metavar="DIR", help="as deployed then")
    parser.add_argument("--allow", type=Path, metavar="FILE", help="what is nobody's though it looks so, a line each")
    parser.add_argument("--leave-out", action="store_true", help="leave out what blocks, write the rest")
    parser.add_argument("--key-file", type=Path, metavar="FILE", help="the same names as in another export with it")
    return parser
