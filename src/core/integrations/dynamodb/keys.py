"""The table's keys (20-turn.md, "The table"). Conversations are keyed hashes: `pk` holds no phone."""

from __future__ import annotations

import hashlib

from core.domain.errors import BadInputError

HEAD = "S#HEAD"
STATE = "S#STATE"

# One read takes everything from the oldest message to STATE, newest first: STATE, HEAD, then messages.
READ_FROM, READ_TO = "M#", "S#~"

DUE_INDEX = "due"
DUE_SHARDS = ("D#0", "D#1", "D#2", "D#3")

_PREFIX = "C#"
_KEY_BYTES = 1024


def pk_of(conversation: str) -> str:
    """Raises `BadInputError` for an identity that cannot be a key."""
    if not conversation:
        raise BadInputError("empty_conversation")
    return f"{_PREFIX}{conversation}"


def conversation_of(pk: str) -> str:
    """The hash that `pk_of` was given."""
    return pk.removeprefix(_PREFIX)


def checked_sk(sk: str) -> str:
    """Raises `BadInputError` for what the table does not take as a key."""
    if not sk or len(sk.encode()) > _KEY_BYTES:
        raise BadInputError("unusable_key")
    return sk


def due_shard(pk: str) -> str:
    """Where an item waits in the sparse index: stable, and spread over as many partitions as there are shards."""
    return DUE_SHARDS[hashlib.sha256(pk.encode()).digest()[0] % len(DUE_SHARDS)]


def is_inbound(sk: str) -> bool:
    """`M#<ms>#i…`, as against `M#<ms>#o…`."""
    return sk[15:17] == "#i"


def ms_of(sk: str) -> int:
    """The time that a message's key begins with. Raises `BadInputError`."""
    digits = sk[2:15]
    if not (sk.startswith("M#") and len(digits) == 13 and digits.isascii() and digits.isdigit()):
        raise BadInputError("unusable_key")
    return int(digits)
