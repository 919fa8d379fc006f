"""`.env`: what a user sets for this checkout, with the line of each name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from dotenv.parser import parse_stream


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvFile:
    """`lines` are the places of the names; `unreadable` lines hold no setting, and say which text stands there."""

    path: Path
    values: Mapping[str, str] = field(repr=False)
    lines: Mapping[str, int]
    unreadable: tuple[tuple[int, str], ...] = ()

    @staticmethod
    def nearest(name: str, known: EnvFile) -> str:
        """A known name that looks like it, or ""."""
        return next(iter(get_close_matches(name, known.values, n=1)), "")


def read_env_file(path: Path) -> EnvFile | None:
    """None where there is no such file. Variables in values are not expanded: a secret may hold a dollar."""
    if not path.is_file():
        return None
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    unreadable: list[tuple[int, str]] = []
    with path.open(encoding="utf-8") as stream:
        for binding in parse_stream(stream):
            skipped = binding.original.string
            line = binding.original.line + len(skipped) - len(skipped.lstrip("\n"))
            if binding.error or (binding.key is not None and binding.value is None):
                unreadable.append((line, skipped.strip().partition("=")[0][:40]))
            elif binding.key is not None:
                values[binding.key], lines[binding.key] = binding.value or "", line
    return EnvFile(path=path, values=values, lines=lines, unreadable=tuple(unreadable))
