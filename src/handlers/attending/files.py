"""A customer's file as a browser may have it: never stored, never run (docs/attendants.md, "Files")."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response

from core.application.ports import MediaFetcher
from core.domain.errors import MediaError
from core.domain.messages import Media
from handlers.attending.answers import JSON, error_body

# Lambda's answer holds 6 MB, and bytes go as base64.
FILE_MAX_BYTES = 4_500_000
_SECONDS = 15.0
# What a browser shows and cannot run. Everything else is saved: HTML and SVG run scripts.
_SHOWN = frozenset(
    {
        "image/jpeg",
        "image/png",
        "image/webp",
        "image/gif",
        "audio/ogg",
        "audio/mpeg",
        "audio/mp4",
        "audio/aac",
        "audio/amr",
    }
)


def file_answer(fetcher: MediaFetcher | None, media: Media, *, phone_number_id: str) -> Response[Any]:
    """The bytes, or in words why not."""
    if fetcher is None:
        return _problem(409, "media_unsupported")
    try:
        found = fetcher.fetch(
            media.media_id, phone_number_id=phone_number_id, max_bytes=FILE_MAX_BYTES, timeout_seconds=_SECONDS
        )
    except MediaError as error:
        return _problem(413, "media_too_large") if error.reason == "too_large" else _problem(502, "media_gone")
    kind = found.mime_type.partition(";")[0].strip().lower()
    shown = kind in _SHOWN
    name = quote(media.filename or "arquivo", safe="")
    headers: dict[str, str | list[str]] = {
        "content-disposition": f"{'inline' if shown else 'attachment'}; filename*=UTF-8''{name}",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "no-store",
    }
    content_type = kind if shown else "application/octet-stream"
    return Response(status_code=200, content_type=content_type, body=found.content, headers=headers)


def _problem(status: int, code: str) -> Response[Any]:
    return Response(status_code=status, content_type=JSON, body=error_body(code))
