"""Files that attendants send: what may leave, and under which name (docs/attendants.md, "Files")."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.domain.errors import BadInputError
from core.domain.text import clean_text, is_seen

FILE_MAX_BYTES = 4_000_000
# WhatsApp's limits of a document's name and of what stands below a file.
NAME_CHARACTERS, CAPTION_CHARACTERS = 240, 1024

# How files of each type begin, and the endings that their names may have; the first is given to a name without one.
_BEGINNINGS = {"application/pdf": b"%PDF-", "image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG\r\n\x1a\n"}
_ENDINGS = {"application/pdf": (".pdf",), "image/jpeg": (".jpg", ".jpeg"), "image/png": (".png",)}
_NAMELESS = "arquivo"
# Separators of folders, and what no file system takes.
_NOT_IN_NAMES = frozenset('/\\:*?"<>|')


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingFile:
    """A file on its way to the channel: never stored here, never logged."""

    content: bytes = field(repr=False)
    mime_type: str
    filename: str


def outgoing_file(*, name: str, mime_type: str, content: bytes) -> OutgoingFile:
    """A PDF or a picture, by what it is called and by how it begins. Raises `BadInputError` with `file_empty`,
    `file_too_large` or `file_type`.
    """
    if not content:
        raise BadInputError("file_empty")
    if len(content) > FILE_MAX_BYTES:
        raise BadInputError("file_too_large")
    if not (begins := _BEGINNINGS.get(mime_type)) or not content.startswith(begins):
        raise BadInputError("file_type")
    return OutgoingFile(content=content, mime_type=mime_type, filename=_clean_name(name, _ENDINGS[mime_type]))


def _clean_name(name: str, endings: tuple[str, ...]) -> str:
    """Without folders and what is not seen, and with an ending of its type: a phone opens files by their endings."""
    last = clean_text(name).replace("\\", "/").rpartition("/")[2]
    seen = "".join(character for character in last if (is_seen(character) or character == " "))
    stem = "".join("_" if character in _NOT_IN_NAMES else character for character in seen).rstrip(" .")
    ending = next((each for each in endings if stem.lower().endswith(each)), "")
    stem = (stem[: -len(ending)] if ending else stem).strip(" .")
    ending = ending or endings[0]
    return (stem or _NAMELESS)[: NAME_CHARACTERS - len(ending)] + ending
