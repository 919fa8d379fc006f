"""Who attends customers at the company's own door (docs/attendants.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What an attendant may do: only a `responsavel` exports and erases what is held of a customer."""

    ATENDENTE = "atendente"
    RESPONSAVEL = "responsavel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendant:
    """`id` is short and lasts, `name` is what colleagues read."""

    id: str
    name: str
    role: Role


class Refusal(StrEnum):
    """Why an attendant's call is not done."""

    NOT_FOUND = "not_found"
    OWNED = "owned"
    NOT_TAKEN = "not_taken"
    WITH_BOT = "with_bot"
    WINDOW_CLOSED = "window_closed"
    FILES_UNSUPPORTED = "files_unsupported"
    FILE_REFUSED = "file_refused"
    FILE_NOT_TAKEN = "file_not_taken"
    MOVED = "moved"
