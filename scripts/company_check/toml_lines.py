"""Finds the line of a key in a TOML file, by the names that the readers give to tables.

tomllib keeps no positions. Tables are named as people count them: `fields[3] (finalidade).values[1] (outra)`,
`services (limpeza).required`, `handoff.stale`; an entry of a list is known by its place or by its `id`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

_HEADER = re.compile(r"^\s*(\[{1,2})\s*([\w.\"-]+)\s*\]{1,2}")
_KEY = re.compile(r"^\s*([\w.\"-]+)\s*=")
_ID = re.compile(r"""^\s*id\s*=\s*["']([^"']*)["']""")
_SEGMENT = re.compile(r"(?P<name>[\w-]+)(?:\[(?P<place>\d+)\])?(?: \((?P<id>[^)]*)\))?")
_POSITION = re.compile(r"\(at line (\d+), column \d+\)")

Place = tuple[tuple[str, int], ...]
"""A table: names from the outside in, each with its place in a list, or 0."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    place: Place
    key: str = ""


def line_of(text: str, table: str, key: str) -> int:
    """The line of a key, else of its table, else 1."""
    lines, ids = _read(text)
    segments = [match.groupdict() for match in _SEGMENT.finditer(table)] if table else []
    best = 1
    for line in lines:
        if _is_at(line.place, segments, ids):
            if line.key == key:
                return line.number
            best = line.number if best == 1 and not line.key else best
        elif not line.key and line.place and line.place[-1][0] == key and _is_at(line.place[:-1], segments, ids):
            return line.number  # the key is a table of its own
        elif _is_dotted(line, segments, ids, key):
            return line.number
    return best


def line_in_error(message: str) -> int | None:
    """The line that tomllib's own message names."""
    found = _POSITION.search(message)
    return int(found[1]) if found else None


def _read(text: str) -> tuple[list[_Line], dict[Place, str]]:
    lines, ids = list[_Line](), dict[Place, str]()
    place: Place = ()
    counts = Counter[Place]()
    for number, raw in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(raw):
            place = _entered(header[2], counts, is_list=header[1] == "[[")
            lines.append(_Line(number, place))
        elif key := _KEY.match(raw):
            lines.append(_Line(number, place, key[1].replace('"', "")))
            if found := _ID.match(raw):
                ids.setdefault(place, found[1])
    return lines, ids


def _entered(dotted: str, counts: Counter[Place], *, is_list: bool) -> Place:
    """The place behind a header: of a list that is entered again, the next; of those around it, the present one."""
    place: Place = ()
    names = dotted.replace('"', "").split(".")
    for depth, name in enumerate(names):
        bare = (*place, (name, 0))
        if is_list and depth == len(names) - 1:
            counts[bare] += 1
        place = (*place, (name, counts[bare]))
    return place


def _is_at(place: Place, segments: list[dict[str, str | None]], ids: dict[Place, str]) -> bool:
    if len(place) != len(segments):
        return False
    for depth, ((name, number), wanted) in enumerate(zip(place, segments, strict=True), start=1):
        if name != wanted["name"]:
            return False
        if wanted["place"] is not None and int(wanted["place"]) != number:
            return False
        if wanted["place"] is None and wanted["id"] is not None and ids.get(place[:depth]) != wanted["id"]:
            return False
    return True


def _is_dotted(line: _Line, segments: list[dict[str, str | None]], ids: dict[Place, str], key: str) -> bool:
    """`required.qualificacao = [...]` written in the table around it."""
    if not segments or "." not in line.key:
        return False
    return line.key == f"{segments[-1]['name']}.{key}" and _is_at(line.place, segments[:-1], ids)
