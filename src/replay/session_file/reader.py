"""Reads a session file session by session: first proved whole, then in constant memory."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from replay.session_file.errors import SessionFileError
from replay.session_file.lines import Line, header_of, session_of
from replay.session_file.records import Header, RecordedSession
from replay.session_file.upgrades import major_of, upgraded

_AGAIN = "export the sessions again, or copy the file whole"
_TYPE = b'{"type":"'


class SessionFile:
    """`SessionFile(path)` has read the file once and proved it. Raises `SessionFileError` for one that is cut, that
    was changed after it was written, or whose schema this code does not read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._major = 0
        self.counts: dict[str, int] = {}
        self.sha256 = ""
        self._prove()
        self.header = self._read_header()

    def sessions(self) -> Iterator[RecordedSession]:
        """One after another, each whole."""
        for lines in self.lines_of_sessions():
            yield self._session(lines)

    def lines_of_sessions(self) -> Iterator[list[str]]:
        """The lines of each session, unread: what a worker is given."""
        waiting: list[str] = []
        with self.path.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                kind = _kind(line.encode())
                if kind == "end":
                    break
                if kind == "session" and waiting:
                    yield waiting
                    waiting = []
                if kind == "session" or waiting:
                    waiting.append(line)
        if waiting:
            yield waiting

    def session_of(self, lines: list[str]) -> RecordedSession:
        """What `lines_of_sessions` gave, read."""
        return self._session(lines)

    def _session(self, lines: list[str]) -> RecordedSession:
        try:
            return session_of([self._parsed(line) for line in lines])
        except (KeyError, TypeError, AttributeError) as error:
            raise SessionFileError(f"{self.path}: a session lacks {error}: {_AGAIN}") from error

    def _parsed(self, line: str) -> Line:
        return upgraded(json.loads(line), self._major)

    def _read_header(self) -> Header:
        blobs: dict[str, str] = {}
        first: Line = {}
        with self.path.open(encoding="utf-8", newline="\n") as lines:
            for line in lines:
                kind = _kind(line.encode())
                if kind not in ("header", "blob"):
                    break
                read = self._parsed(line)
                if kind == "header":
                    first = read
                else:
                    blobs[read["id"]] = read["text"]
        try:
            return header_of(first, blobs)
        except (KeyError, TypeError) as error:
            raise SessionFileError(f"{self.path}: its header lacks {error}: {_AGAIN}") from error

    def _prove(self) -> None:
        digest, counts, end = hashlib.sha256(), Counter[str](), None
        try:
            with self.path.open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    if end is not None:
                        raise SessionFileError(f"{self.path}: line {number} stands after its end: {_AGAIN}")
                    kind = _kind(line)
                    self._major = self._major or self._major_of(line)
                    if kind == "end":
                        end = json.loads(line)
                        continue
                    digest.update(line)
                    counts[kind] += 1
        except OSError as error:
            raise SessionFileError(f"{self.path}: {error.strerror or error}: check the path") from error
        except ValueError as error:
            raise SessionFileError(f"{self.path}: a line is no JSON: {_AGAIN}") from error
        if end is None:
            raise SessionFileError(f"{self.path}: it is cut, its last line is missing: {_AGAIN}")
        if end.get("sha256") != digest.hexdigest() or end.get("counts") != dict(counts):
            raise SessionFileError(f"{self.path}: it was changed after it was written: {_AGAIN}")
        self.counts, self.sha256 = dict(counts), digest.hexdigest()

    def _major_of(self, line: bytes) -> int:
        try:
            header: Any = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("type") != "header":
            raise SessionFileError(f"{self.path}: it is no session file: scripts/export_sessions.py makes one")
        try:
            return major_of(header.get("schema"))
        except SessionFileError as error:
            raise SessionFileError(f"{self.path}: {error}") from None


def _kind(line: bytes) -> str:
    """A line's type, which stands first: nobody parses a whole line to know it."""
    if not line.startswith(_TYPE):
        return "?"
    return line[len(_TYPE) : line.find(b'"', len(_TYPE))].decode(errors="replace")
