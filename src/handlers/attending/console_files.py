"""The console's files, beside the code: read once, given with a name that lasts as long as their content."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from handlers.attending.answers import HEADERS, Answer

FOLDER = Path(__file__).resolve().parents[2] / "console"
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*\.[a-z0-9]+")
_BINARY = frozenset({"png", "ico", "woff2"})


def console_answer(path: str, if_none_match: str | None) -> Answer | None:
    """A file of the console; None for what is none of it."""
    name = "index.html" if path in ("/console", "/console/") else path.removeprefix("/console/")
    if not path.startswith("/console") or not _NAME.fullmatch(name):
        return None
    found = _file(name)
    if found is None:
        return None
    body, tag, kind = found
    headers = {**HEADERS, "content-type": kind, "cache-control": "no-cache", "etag": tag}
    if if_none_match == tag:
        return {"statusCode": 304, "headers": headers, "body": "", "isBase64Encoded": False}
    if name.rpartition(".")[2] in _BINARY:
        encoded = base64.b64encode(body).decode()
        return {"statusCode": 200, "headers": headers, "body": encoded, "isBase64Encoded": True}
    return {"statusCode": 200, "headers": headers, "body": body.decode("utf-8"), "isBase64Encoded": False}


@cache
def _file(name: str) -> tuple[bytes, str, str] | None:
    kind = _TYPES.get(name.rpartition(".")[2])
    path = FOLDER / name
    if kind is None or not path.is_file():
        return None
    body = path.read_bytes()
    return body, f'"{hashlib.sha256(body).hexdigest()[:16]}"', kind
