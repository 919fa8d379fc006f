"""Which keys of a line hold what nobody wrote (`line_keys.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_suffix(".toml")


@cache
def line_keys(kind: str) -> frozenset[str]:
    """`structural` or `identifiers`."""
    return frozenset(tomllib.loads(_TABLE.read_text("utf-8"))[kind].split())
