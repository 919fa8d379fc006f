"""`PYTHONPATH=src:scripts python -m tests.replay.record_demo`: the demo's sessions into `tests/cases/sessions`, as an export writes them.

Run it when a company's files, the prompts or the code are meant to change what the demo says; the diff says what changed.
"""

from __future__ import annotations

import logging
from pathlib import Path

from replay.anonymising.pseudonyms import Pseudonyms
from replay.anonymising.sessions import ANONYMISER_VERSION, Anonymiser, key_id
from replay.exporting.export import Tally, exported
from replay.playing.company import read_company, settings_of
from replay.playing.player import Player
from replay.playing.prompt_texts import matching_texts
from replay.session_file.records import Header
from replay.session_file.writer import SessionWriter
from tests.replay.scene_recording import header_of, recorded_desk, recorded_sessions
from tests.shipped_companies import NAMES, PROMPTS_DIR
from tests.shipped_companies import read_company as company_files

FOLDER = Path(__file__).resolve().parents[1] / "cases" / "sessions"
_KEY = b"of the repository: these people were invented before too"


def golden_file(company: str) -> Path:
    """Where a company's sessions are."""
    return FOLDER / f"demo.{company}.jsonl"


def record(company: str, path: Path) -> Tally:
    """The company's scenes, played, anonymised and proved."""
    desk, files = recorded_desk(company_files(PROMPTS_DIR, company)), read_company(PROMPTS_DIR, company)
    header, tally = header_of(desk), Tally()
    prompts = matching_texts(files, PROMPTS_DIR, header.fingerprints)
    player = Player(company=files, settings=settings_of(header.settings, company=company))
    told = Header(
        code=header.code,
        company=company,
        fingerprints=header.fingerprints,
        settings=header.settings,
        prompts={name: text for name, text in prompts.items() if name in _SHORT},
        anonymiser={"version": ANONYMISER_VERSION, "key": key_id(_KEY)},
    )
    with SessionWriter(path, told) as file:
        for session in exported(recorded_sessions(desk), Anonymiser(player, Pseudonyms(_KEY)), tally):
            file.add(session)
    return tally


# One text is enough to show how drift is told; all of them are in the repository already.
_SHORT = frozenset({"lembrete.md"})


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    for name in NAMES:
        print(name, record(name, golden_file(name)))  # noqa: T201 - a command
