"""Changes that somebody looked at and wants, and rules that every played turn keeps: reviewed files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from core.domain.errors import BalcaoError
from replay.playing.facts import ASPECTS

_COUNTS = ("fail", "tell")


class ReviewFileError(BalcaoError):
    """A file of accepted changes or of rules that cannot be used; the sentence says what to correct."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedChange:
    """`words` as the report names the change; it holds until `until`, the last day included."""

    aspect: str
    words: str
    until: date
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Must:
    """No turn may have `aspect` in words that match `never`."""

    name: str
    aspect: str
    never: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What counts. `told` are aspects whose changes are shown and fail nothing."""

    told: frozenset[str] = frozenset()
    musts: tuple[Must, ...] = ()

    def broken(self, facts: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the musts that a turn breaks."""
        return tuple(must.name for must in self.musts if must.never.search(_searched(facts.get(must.aspect))))


def read_accepted(path: Path, *, today: date) -> tuple[Sequence[AcceptedChange], Sequence[AcceptedChange]]:
    """Those that hold and those that have expired. Raises `ReviewFileError`."""
    changes = [_accepted(path, number, row) for number, row in enumerate(_tables(path, "accept"), 1)]
    return [each for each in changes if each.until >= today], [each for each in changes if each.until < today]


def read_rules(path: Path) -> Rules:
    """Raises `ReviewFileError`."""
    content = _content(path)
    counts = content.get("counts", {})
    for aspect, how in counts.items():
        if aspect not in ASPECTS or how not in _COUNTS:
            raise ReviewFileError(f"{path}: counts.{aspect} must be an aspect ({', '.join(ASPECTS)}) with fail or tell")
    musts = tuple(_must(path, number, row) for number, row in enumerate(_tables(path, "must", content), 1))
    return Rules(told=frozenset(aspect for aspect, how in counts.items() if how == "tell"), musts=musts)


def _accepted(path: Path, number: int, row: Mapping[str, Any]) -> AcceptedChange:
    try:
        change = AcceptedChange(aspect=row["aspect"], words=row["words"], until=row["until"], reason=row["reason"])
    except KeyError as error:
        raise ReviewFileError(f"{path}: [[accept]] {number} lacks {error.args[0]}") from None
    if change.aspect not in ASPECTS or not isinstance(change.until, date) or not str(change.reason).strip():
        raise ReviewFileError(
            f"{path}: [[accept]] {number} needs an aspect ({', '.join(ASPECTS)}), "
            "a day as `until` (2027-01-31) and a reason"
        )
    return change


def _must(path: Path, number: int, row: Mapping[str, Any]) -> Must:
    try:
        must = Must(name=row["name"], aspect=row["aspect"], never=re.compile(row["never"]))
    except KeyError as error:
        raise ReviewFileError(f"{path}: [[must]] {number} lacks {error.args[0]}") from None
    except re.error as error:
        raise ReviewFileError(f"{path}: [[must]] {number}: `never` is no regular expression: {error}") from None
    if must.aspect not in ASPECTS:
        raise ReviewFileError(f"{path}: [[must]] {number} has an aspect that is none of {', '.join(ASPECTS)}")
    return must


def _tables(path: Path, name: str, content: Mapping[str, Any] | None = None) -> Sequence[Mapping[str, Any]]:
    rows = (content if content is not None else _content(path)).get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ReviewFileError(f"{path}: write [[{name}]], one for each")
    return rows


def _content(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ReviewFileError(f"{path}: {error}") from None


def _searched(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_searched(each) for each in value.values())
    return " ".join(_searched(each) for each in value) if isinstance(value, list | tuple) else str(value or "")
