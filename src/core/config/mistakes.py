"""What is wrong in a company's files: where, and what, so that a person can find the line and mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """`file` is relative to the folder that was read; `table` names its place (`fields[3] (finalidade)`), "" where the
    file is no table; `key` is the key or, in prose, nothing.
    """

    file: str
    what: str
    table: str = ""
    key: str = ""

    def __str__(self) -> str:
        place = f"{self.table}: " if self.table else ""
        return f"{place}{self.key} {self.what}".replace("  ", " ").strip()


class CompanyFilesError(ValueError):
    """The files cannot be used; `mistakes` has all of them, and the message lists them, one a line."""

    def __init__(self, folder: object, mistakes: Sequence[Mistake]) -> None:
        lines = (f"- {mistake.file}: {mistake}" for mistake in mistakes)
        super().__init__("\n".join([f"{folder} has {len(mistakes)} mistake(s):", *lines]))
        self.mistakes = tuple(mistakes)
