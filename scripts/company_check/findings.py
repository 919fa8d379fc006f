"""A finding: where a person looks, what is wrong there, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.config.mistakes import Mistake

from .toml_lines import line_in_error, line_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """`path` as the user would type it; `is_warning`: allowed, and worth a look."""

    path: str
    line: int
    what: str
    mend: str = ""
    is_warning: bool = False

    def __str__(self) -> str:
        kind = "warning: " if self.is_warning else ""
        mend = f"\n    → {self.mend}" if self.mend else ""
        return f"{self.path}:{self.line}: {kind}{self.what}{mend}"


def findings_of(mistakes: Iterable[Mistake], folders: Iterable[Path], root: Path) -> list[Finding]:
    """Mistakes of the readers with the line in the user's own file. A file is looked for in each folder in turn."""
    found = []
    for mistake in mistakes:
        path = next((folder / mistake.file for folder in folders if (folder / mistake.file).exists()), None)
        shown = path or next(iter(folders)) / mistake.file
        line = 1
        if path is not None and path.suffix == ".toml":
            text = path.read_text("utf-8", "replace")
            line = line_in_error(mistake.what) or line_of(text, mistake.table, mistake.key)
        found.append(Finding(path=shown_path(shown, root), line=line, what=str(mistake), mend=_mend(mistake)))
    return found


def shown_path(path: Path, root: Path) -> str:
    """Relative to the checkout where it is in it."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


_MENDS = {
    "is not a known key": "correct its name, or take the line out",
    "belongs to no package": "add a [[packages]] entry with this id to catalog.toml, or remove the file",
    "stands more than once": "keep one of them: a customer's word must lead to one entry",
    "which is no field": "write the id of one of the [[fields]], or add that field",
    "is no TOML": "correct the line that is named",
    "cannot be read": "correct the line that is named",
}


def _mend(mistake: Mistake) -> str:
    if mistake.what == "is missing" and mistake.key:
        table = mistake.table.rpartition(".")[2] if "[" not in mistake.table else ""
        return f'write {mistake.key} = "…"{f" in [{mistake.table}]" if table else " in this table"}'
    if mistake.what == "is missing":
        return "write the file; another company's shows what goes into it"
    return next((mend for words, mend in _MENDS.items() if words in mistake.what), "")
