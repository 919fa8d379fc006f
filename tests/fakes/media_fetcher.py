"""Faithful to `MediaFetcher`: it gives a file within the limits that it was asked for, or raises `MediaError`."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.errors import MediaError
from core.domain.media import MediaFile


@dataclass(slots=True)
class FakeMediaFetcher:
    """`files` by media id; an id that is not there is gone. `fetched` holds what was asked for."""

    files: dict[str, MediaFile] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    timeouts: list[float] = field(default_factory=list)

    def fetch(self, media_id: str, *, phone_number_id: str, max_bytes: int, timeout_seconds: float) -> MediaFile:
        self.fetched.append(media_id)
        self.timeouts.append(timeout_seconds)
        file = self.files.get(media_id)
        if file is None:
            raise MediaError("gone")
        if len(file.content) > max_bytes:
            raise MediaError("too_large")
        return file
