"""An attendant's file as it stands in a call, decoded and checked (docs/attendants.md, "Files")."""

from __future__ import annotations

import base64
import binascii

from core.domain.errors import BadInputError
from core.domain.outgoing_file import CAPTION_CHARACTERS, OutgoingFile, outgoing_file
from handlers.attending.bodies import Reply


class UnusableFileError(Exception):
    """A file that is not sent; `code` names the message that says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def file_of(body: Reply) -> OutgoingFile | None:
    """The file of a reply, None where it has none. Raises `UnusableFileError`."""
    if body.file is None:
        return None
    if len(body.text or "") > CAPTION_CHARACTERS:
        raise UnusableFileError("caption_too_long")
    try:
        content = base64.b64decode(body.file.content, validate=True)
    except (binascii.Error, ValueError):
        raise UnusableFileError("file_unreadable") from None
    try:
        return outgoing_file(name=body.file.name, mime_type=body.file.mime_type, content=content)
    except BadInputError as error:
        raise UnusableFileError(error.reason) from None
