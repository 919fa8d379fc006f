"""Lines of older files as today's: pure functions, one for each step (docs/replay.md, "Versions")."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from replay.session_file.errors import SessionFileError

NAME = "balcao.session"
MAJOR = 1
_SCHEMA = re.compile(rf"{re.escape(NAME)}/(\d+)(?:\.\d+)?")

Line = dict[str, Any]
Upgrade = Callable[[Mapping[str, Any]], Line]

# From a major version to the next: each takes any line of a file and gives the line that the next version would have.
UPGRADES: Mapping[int, Upgrade] = {}


def major_of(schema: object) -> int:
    """Raises `SessionFileError` for what this code cannot read."""
    match = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if match is None:
        raise SessionFileError(f"its schema is {schema!r}, not {NAME}/{MAJOR}: export the sessions with this code")
    major = int(match[1])
    if major > MAJOR or any(step not in UPGRADES for step in range(major, MAJOR)):
        raise SessionFileError(
            f"its schema is {schema}, and this code reads {NAME}/{MAJOR}: "
            "use the code that wrote it, or export the sessions again"
        )
    return major


def upgraded(line: Mapping[str, Any], major: int) -> Line:
    """A line of that version as today's."""
    for step in range(major, MAJOR):
        line = UPGRADES[step](line)
    return dict(line)
