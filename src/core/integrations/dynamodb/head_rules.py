"""What becomes of HEAD when a turn or a mode change is written: pure, shared by the table's adapter and its fake."""

from __future__ import annotations

from dataclasses import replace

from core.domain.conversation import Head, Mode
from core.domain.errors import NewcomerError, OvertakenError, StoreConflictError, TakeoverError
from core.integrations.dynamodb.keys import ms_of


def head_after(*, base: Head, wanted: Head, answered: frozenset[str], now_ms: int) -> Head:
    """The head that a write leaves: the caller's words, and what the table alone knows (`ver`, `in_rev`, `pending`).

    While messages are left pending, `pending_since` is never lost, and the head is due for them whatever the caller
    asks for; it moves forward to the oldest one left, so that a conversation that is answered all along never looks
    neglected.
    """
    left = base.pending - answered
    since = None
    if left:
        known = [ms for ms in (base.pending_since_ms, wanted.pending_since_ms) if ms is not None]
        since = max([*known, min(now_ms, *(ms_of(sk) for sk in left))])
    return replace(
        wanted,
        ver=base.ver + 1,
        in_rev=base.in_rev,
        pending=left,
        pending_since_ms=since,
        aliases=base.aliases,
        bsuid=base.bsuid,
    )


def alias_lasts_until_ms(*, now_ms: int, ttl: int) -> int:
    """Half of an alias's life (`ttl`, seconds): a message after that renews it."""
    return (now_ms + ttl * 1000) // 2


def conflict(*, seen: Head, actual: Head, guard_in_rev: bool) -> StoreConflictError | None:
    """Why a head that was read as `seen` refuses a write; None when nothing but an unguarded `in_rev` moved.

    A takeover is a person's: any other change of mode came with a commit, and is read again like one.
    """
    if actual.mode is Mode.HUMAN and seen.mode is not Mode.HUMAN:
        return TakeoverError("taken_over")
    if actual.ver != seen.ver or actual.mode is not seen.mode:
        return OvertakenError("overtaken")
    if guard_in_rev and actual.in_rev != seen.in_rev:
        return NewcomerError("newcomer")
    return None
