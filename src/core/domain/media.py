"""Files that customers send, while they are looked at: never stored, never logged."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaFile:
    """A file's bytes and what the provider says that they are (`audio/ogg; codecs=opus`)."""

    content: bytes = field(repr=False)
    mime_type: str
