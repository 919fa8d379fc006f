"""Writes a session file line by line; what is not finished is never seen under its name."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from replay.session_file.lines import header_lines, session_lines
from replay.session_file.records import Header, RecordedSession


class SessionWriter:
    """`with SessionWriter(path, header) as file: file.add(session)`. Left by an exception, it leaves no file."""

    def __init__(self, path: Path, header: Header) -> None:
        self._path, self._header = path, header
        self._fresh = path.with_name(path.name + ".part")
        self._digest, self._counts = hashlib.sha256(), Counter[str]()
        self._out: BinaryIO | None = None
        self._keeps = True

    def __enter__(self) -> SessionWriter:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._out = self._fresh.open("wb")
        self._write(header_lines(self._header))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._keeps = self._keeps and kind is None
        if self._keeps:
            counts = dict(sorted(self._counts.items()))
            self._write([{"type": "end", "counts": counts, "sha256": self._digest.hexdigest()}])
        self._file.close()
        if self._keeps:
            self._fresh.replace(self._path)
        else:
            self._fresh.unlink(missing_ok=True)

    def discard(self) -> None:
        """No file after all."""
        self._keeps = False

    def add(self, session: RecordedSession) -> None:
        """One session more."""
        self._write(session_lines(session))

    @property
    def _file(self) -> BinaryIO:
        if self._out is None:
            raise RuntimeError("the file is open only inside `with`")
        return self._out

    def _write(self, lines: Iterable[Mapping[str, Any]]) -> None:
        for line in lines:
            ordered = {"type": line["type"], **dict(sorted(line.items()))}
            text = json.dumps(ordered, ensure_ascii=False, separators=(",", ":")) + "\n"
            data = text.encode("utf-8", "replace")  # half an emoji is no UTF-8
            self._digest.update(data)
            self._counts[line["type"]] += 1
            self._file.write(data)
