"""The texts behind the ledger's hashes: from the folder whose fingerprints match, else known by hash alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from replay.playing.company import Company

_HASH_CHARS = 12
_LINE_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """A file that reads otherwise than it did. `line` is the first that differs, None where only the hash is known."""

    file: str
    line: int | None = None
    before: str = ""
    after: str = ""


def matching_texts(company: Company, prompts_dir: Path, fingerprints: Mapping[str, str]) -> Mapping[str, str]:
    """Each file of the folders that is still what the ledger names, by its name."""
    texts = {name: _read(company, prompts_dir, name) for name in fingerprints}
    return {
        name: text
        for name, text in texts.items()
        if text is not None and hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS] == fingerprints[name]
    }


def prompt_changes(
    company: Company, prompts_dir: Path, *, recorded: Mapping[str, str], texts: Mapping[str, str]
) -> tuple[PromptChange, ...]:
    """What changed since the recording, file by file; `recorded` are hashes, `texts` those that the file holds."""
    now = company.prompts.fingerprints
    changed = sorted(name for name in now if name in recorded and now[name] != recorded[name])
    return tuple(_change(name, texts.get(name), _read(company, prompts_dir, name)) for name in changed)


def _change(name: str, before: str | None, after: str | None) -> PromptChange:
    if before is None or after is None:
        return PromptChange(file=name)
    pairs = zip_longest(before.splitlines(), after.splitlines(), fillvalue="")
    for number, (one, other) in enumerate(pairs, 1):
        if one != other:
            return PromptChange(file=name, line=number, before=one[:_LINE_CHARS], after=other[:_LINE_CHARS])
    return PromptChange(file=name)


def _read(company: Company, prompts_dir: Path, name: str) -> str | None:
    for folder in (prompts_dir, company.folder):
        try:
            return (folder / name).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    return None
