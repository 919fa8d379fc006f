"""Who attends customers, as one secret holds it: JSON, the hash of each token and never a token.

`{"bia": {"name": "Bia Lima", "role": "atendente", "sha256": "…"}}`; `scripts/attendants.py` writes it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.attendant import Attendant, Role
from core.domain.errors import BadInputError

NAME_CHARACTERS = 60
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_HASH = re.compile(r"[0-9a-f]{64}")
# Names that HEAD uses itself.
_RESERVED = frozenset({"aplicativo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """An attendant, and what their token hashes to."""

    attendant: Attendant
    token_sha256: str


def hash_of(token: str) -> str:
    """What is kept of a token: 32 random bytes need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """32 random bytes, as text that fits a header and a cookie."""
    return secrets.token_urlsafe(32)


def read_attendants(text: str) -> tuple[Registration, ...]:
    """Raises `BadInputError` for what the command would not have written; nobody, where there is nothing."""
    try:
        entries: Any = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        raise BadInputError("attendants_not_json") from None
    if not isinstance(entries, dict):
        raise BadInputError("attendants_not_json")
    return tuple(_registration(name, entry) for name, entry in entries.items())


def write_attendants(registrations: tuple[Registration, ...]) -> str:
    """What `read_attendants` reads; never empty, since an empty secret cannot be told from a lost one."""
    entries = {
        each.attendant.id: {
            "name": each.attendant.name,
            "role": each.attendant.role.value,
            "sha256": each.token_sha256,
        }
        for each in registrations
    }
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":"))


def checked_attendant(attendant_id: str, name: str, role: Role) -> Attendant:
    """Raises `BadInputError` for an id or a name that nobody could use."""
    if not _ID.fullmatch(attendant_id) or attendant_id in _RESERVED:
        raise BadInputError("attendant_id")
    if not name.strip() or len(name) > NAME_CHARACTERS or not name.isprintable():
        raise BadInputError("attendant_name")
    return Attendant(id=attendant_id, name=name.strip(), role=role)


def attendant_of(token: str, registrations: tuple[Registration, ...]) -> Attendant | None:
    """Whose token it is: every hash is looked at, each in constant time."""
    found, digest = None, hash_of(token)
    for each in registrations:
        if hmac.compare_digest(each.token_sha256, digest):
            found = each.attendant
    return found


def _registration(name: str, entry: object) -> Registration:
    if not isinstance(entry, Mapping) or not _HASH.fullmatch(str(entry.get("sha256", ""))):
        raise BadInputError("attendant_hash")
    try:
        role = Role(str(entry.get("role")))
    except ValueError:
        raise BadInputError("attendant_role") from None
    attendant = checked_attendant(name, str(entry.get("name", "")), role)
    return Registration(attendant=attendant, token_sha256=str(entry["sha256"]))
