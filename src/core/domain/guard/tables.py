"""The guard's TOML files beside this module, and what is said of one that is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

FOLDER = resources.files("core.domain.guard")


class GuardTableError(Exception):
    """A table names what is nowhere, or cannot be read. `file` is its name in this folder, `line` counts from 1."""

    def __init__(self, file: str, line: int, what: str) -> None:
        super().__init__(f"{file}, line {line}: {what}")
        self.file = file
        self.line = line
        self.what = what


@cache
def read_table(name: str) -> Mapping[str, Any]:
    """The TOML file of this name, read once; what reads it is not loaded before either. Raises `GuardTableError`."""
    import tomllib

    try:
        return tomllib.loads(_text_of(name))
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        raise GuardTableError(f"{name}.toml", int(at[1]) if at else 1, f"no TOML: {error}") from None


def table_error(name: str, written: str, what: str) -> GuardTableError:
    """The error of a table, with the first line in which the word at fault is written."""
    lines = enumerate(_text_of(name).splitlines(), 1)
    line = next((number for number, text in lines if written in text.partition("# ")[0]), 1)
    return GuardTableError(f"{name}.toml", line, what)


def _text_of(name: str) -> str:
    return FOLDER.joinpath(f"{name}.toml").read_text("utf-8")
