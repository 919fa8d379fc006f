"""Reading a TOML table key by key, gathering every mistake instead of stopping at the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

from core.config.mistakes import Mistake

_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(slots=True)
class TomlTable:
    """A table under a name that a person finds in its file. `mistakes` is shared by all tables of one folder."""

    file: str
    name: str
    values: Mapping[str, Any]
    mistakes: list[Mistake]
    _read: set[str] = field(default_factory=set)

    def text(self, key: str, *, default: str | None = None) -> str:
        """A string; without a default, one that must be there and not be blank."""
        value: str | None = self._take(key, str, "a text", required=default is None)
        if value is None:
            return default or ""
        if not value.strip() and default is None:
            self.problem(key, "is empty")
        return value.strip()

    def integer(self, key: str) -> int | None:
        """A whole number, or None when it is not there."""
        value: int | None = self._take(key, int, "a whole number")
        return value

    def number(self, key: str) -> int | float | None:
        """Any number, or None when it is not there."""
        value: int | float | None = self._take(key, (int, float), "a number")
        return value

    def flag(self, key: str) -> bool:
        """A boolean, false when it is not there."""
        return bool(self._take(key, bool, "true or false"))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty when it is not there."""
        value = self._take(key, list, "a list of texts") or []
        if all(isinstance(item, str) and item.strip() for item in value):
            return tuple(item.strip() for item in value)
        self.problem(key, "must be a list of texts, none of them empty")
        return ()

    def choice(self, key: str, of: type[_Choice], *, default: _Choice | None = None) -> _Choice | None:
        """One of an enumeration's values."""
        value = self._take(key, str, "a text", required=default is None)
        return default if value is None else self._member(key, of, value)

    def choices(self, key: str, of: type[_Choice]) -> tuple[_Choice, ...]:
        """A list of an enumeration's values."""
        members = (self._member(key, of, value) for value in self.texts(key))
        return tuple(member for member in members if member is not None)

    def table(self, key: str) -> TomlTable:
        """A table within; an empty one when it is not there."""
        name = f"{self.name}.{key}" if self.name else key
        return TomlTable(self.file, name, self._take(key, dict, "a table") or {}, self.mistakes)

    def tables(self, key: str) -> Sequence[TomlTable]:
        """A list of tables, each under its place and its id."""
        value = self._take(key, list, "a list of tables") or []
        prefix = f"{self.name}.{key}" if self.name else key
        found = []
        for place, item in enumerate(value, start=1):
            name = f"{prefix}[{place}]"
            if not isinstance(item, dict):
                self.mistakes.append(Mistake(file=self.file, table=name, what="must be a table"))
                continue
            label = item.get("id")
            shown = f"{name} ({label})" if isinstance(label, str) else name
            found.append(TomlTable(self.file, shown, item, self.mistakes))
        return found

    def problem(self, key: str, what: str) -> None:
        """A mistake at a key of this table."""
        self.mistakes.append(Mistake(file=self.file, table=self.name, key=key, what=what))

    def finish(self) -> None:
        """Names the keys that nobody read."""
        for key in self.values:
            if key not in self._read:
                near = get_close_matches(key, self._read, n=1)
                self.problem(key, f"is not a known key{f'; did you mean {near[0]!r}?' if near else ''}")

    def _member(self, key: str, of: type[_Choice], value: str) -> _Choice | None:
        if value in set(of):
            return of(value)
        self.problem(key, f"is {value!r}, not one of {', '.join(of)}")
        return None

    def _take(self, key: str, kind: type | tuple[type, ...], what: str, *, required: bool = False) -> Any:
        self._read.add(key)
        value = self.values.get(key)
        if value is None:
            if required:
                self.problem(key, "is missing")
            return None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.problem(key, f"must be {what}")
            return None
        return value
