"""Files at the Graph API: taken by an upload, told of by their ids, fetched by an address with the same token.

POST /{version}/{phone number id}/media   multipart: messaging_product, type, file
GET  /{version}/{media id}                its address, type and size
GET  /files/{media id}                    its bytes
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .http_standin import Answer, Request
from .whatsapp_rules import MEDIA, RefusedError

_MB = 1024 * 1024
# Each type that Meta takes for messages, with the kinds of message that may hold it and the most bytes of it.
_DOCUMENT_MAX = 100 * _MB
_TYPES: dict[str, tuple[tuple[str, ...], int]] = {
    "image/jpeg": (("image", "document"), 5 * _MB),
    "image/png": (("image", "document"), 5 * _MB),
    "image/webp": (("sticker",), _MB // 2),
    "video/mp4": (("video", "document"), 16 * _MB),
    "video/3gpp": (("video", "document"), 16 * _MB),
    **dict.fromkeys(("audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"), (("audio",), 16 * _MB)),
    **dict.fromkeys(("application/pdf", "text/plain"), (("document",), _DOCUMENT_MAX)),
}
_BOUNDARY = re.compile(r'multipart/form-data;.*boundary="?([^";]+)"?', re.IGNORECASE)
_NAME = re.compile(rb'[; ]name="([^"]*)"', re.IGNORECASE)
_TYPE = re.compile(rb"content-type: *([^\r\n;]+)", re.IGNORECASE)
_ABOUT = re.compile(r"/v\d+\.\d+/(\d+)")
_FILE = re.compile(r"/files/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    content: bytes
    mime_type: str


class GraphMedia:
    """What was uploaded, by media id."""

    def __init__(self) -> None:
        self._files: dict[str, _Part] = {}

    def upload(self, request: Request) -> str:
        """The id of the file that it brings. Raises `RefusedError`."""
        form = _form_of(request)
        if form.get("messaging_product", _Part(content=b"", mime_type="")).content != b"whatsapp":
            raise RefusedError(100, "The parameter messaging_product is required.")
        file, declared = form.get("file"), form.get("type")
        if file is None or not file.content:
            raise RefusedError(100, "The parameter file is required.")
        if declared is None:
            raise RefusedError(100, "The parameter type is required.")
        _, most = _TYPES.get(file.mime_type, ((), 0))
        if not most or declared.content.decode("latin-1") != file.mime_type:
            raise RefusedError(100, f"Param file must be a file with one of the following types: {', '.join(_TYPES)}")
        if len(file.content) > most:
            raise RefusedError(100, f"Param file must be at most {most} bytes")
        media_id = str(10**14 + secrets.randbelow(9 * 10**14))
        self._files[media_id] = file
        return media_id

    def check(self, message: Mapping[str, Any]) -> None:
        """Whether a message holds a file that is here, and of a type that its kind takes. Raises `RefusedError`."""
        kind = str(message.get("type", "text"))
        if kind not in MEDIA or not (media_id := message[kind].get("id")):
            return
        file = self._files.get(str(media_id))
        if file is None:
            raise RefusedError(100, f"Param {kind}['id'] is not a valid whatsapp business account media attachment ID")
        if kind not in _TYPES[file.mime_type][0]:
            raise RefusedError(131053, f"Media of type {file.mime_type} cannot be sent as {kind}")

    def about(self, request: Request, base_url: str) -> Answer | None:
        """What is known of a file; None where the path is nobody's here."""
        match = _ABOUT.fullmatch(request.path)
        file = self._files.get(match[1]) if match else None
        if match is None or file is None:
            return None
        told = {
            "messaging_product": "whatsapp",
            "url": f"{base_url}/files/{match[1]}",
            "mime_type": file.mime_type,
            "sha256": hashlib.sha256(file.content).hexdigest(),
            "file_size": len(file.content),
            "id": match[1],
        }
        return Answer.of(told)

    def content(self, request: Request) -> Answer | None:
        """A file's bytes; None where the path is nobody's here."""
        match = _FILE.fullmatch(request.path)
        file = self._files.get(match[1]) if match else None
        return None if file is None else Answer(body=file.content, headers={"content-type": file.mime_type})


def _form_of(request: Request) -> dict[str, _Part]:
    """The fields of a multipart body by name."""
    match = _BOUNDARY.match(request.headers.get("content-type", ""))
    if match is None:
        raise RefusedError(100, "The body is not multipart/form-data")
    form = {}
    for piece in (b"\r\n" + request.body).split(b"\r\n--" + match[1].encode())[1:-1]:
        head, _, content = piece.partition(b"\r\n\r\n")
        if (name := _NAME.search(head)) is not None:
            kind = _TYPE.search(head)
            form[name[1].decode("latin-1")] = _Part(
                content=content, mime_type=kind[1].decode("latin-1").strip() if kind else ""
            )
    return form
