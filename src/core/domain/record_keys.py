"""Every key of the table, and all that can be read from one (docs/turn.md, "The table").

| `sk` | record |
|---|---|
| `S#HEAD`, `S#STATE` | where the conversation stands, what is known of it |
| `M#<ms>#i<hash>` | a message that came in |
| `I#<hash>` | that a message without a time is known, and where |
| `M#<ms>#o<turn>.<part>` | a part of an answer |
| `T#<ms>#<turn>` | a turn |
| `E#<turn>#<kind>` | a side effect |
| `E#reply#<id>` | that an attendant's reply is written, by its client's own id |
| `A#<ms>#<hash>` | what an attendant did |

`pk` is `C#<hash>`: conversations are keyed hashes, so no key holds a phone. What all conversations cost is under a `pk`
of its own, an item for each hour.
"""

from __future__ import annotations

import hashlib
import re

from core.domain.errors import BadInputError

HEAD = "S#HEAD"
STATE = "S#STATE"
MESSAGES, TURNS, EFFECTS, AUDIT = "M#", "T#", "E#", "A#"

# One read takes everything from the oldest message to STATE, newest first: STATE, HEAD, then messages.
READ_FROM, READ_TO = MESSAGES, "S#~"

# As regular expressions, for what comes from outside: a queue's record, a status.
PART_PATTERN = r"M#[0-9]{13}#o[0-9a-f]+\.[0-9]"
MESSAGE_PATTERN = r"M#[0-9]{13}#[io][0-9A-Za-z._-]{1,128}"

PARTS_MAX = 9

DUE_SHARDS = ("D#0", "D#1", "D#2", "D#3")

SPENDING = "G#SPENDING"

# The one partition of the index of conversations that people have.
PEOPLE = "P#"

_CONVERSATION = "C#"
_KEY_BYTES = 1024
_INBOUND, _PART = "#i", "#o"
_KNOWN = "I#"
_MS = slice(2, 15)
_SIDE = slice(15, 17)


def pk_of(conversation: str) -> str:
    """Raises `BadInputError` for an identity that cannot be a key."""
    if not conversation:
        raise BadInputError("empty_conversation")
    return f"{_CONVERSATION}{conversation}"


def conversation_of(pk: str) -> str:
    """The hash that `pk_of` was given."""
    return pk.removeprefix(_CONVERSATION)


def checked_sk(sk: str) -> str:
    """Raises `BadInputError` for what the table does not take as a key."""
    if not sk or len(sk.encode()) > _KEY_BYTES:
        raise BadInputError("unusable_key")
    return sk


def inbound_sk(ms: int, name: str) -> str:
    """A message that came in, by the provider's time; `name` is the hash of its id."""
    return f"{MESSAGES}{max(ms, 0):013d}{_INBOUND}{name}"


def known_sk(name: str) -> str:
    """That a message is known by the hash of its id, whenever it came."""
    return f"{_KNOWN}{name}"


def part_sk(ms: int, turn: str, number: int) -> str:
    """A part of an answer, from 1."""
    return f"{MESSAGES}{ms:013d}{_PART}{turn}.{number}"


def parts_from(sk: str) -> tuple[str, ...]:
    """A part's key and those that the parts behind it may have; of any other key, the key alone."""
    if not is_part(sk):
        return (sk,)
    stem, _, number = sk.rpartition(".")
    return tuple(f"{stem}.{each}" for each in range(int(number), PARTS_MAX + 1)) or (sk,)


def turn_sk(ms: int, turn: str) -> str:
    """A turn."""
    return f"{TURNS}{ms:013d}#{turn}"


def effect_sk(turn: str, kind: str) -> str:
    """A side effect: its key is derived, so that doing it twice is seen."""
    return f"{effects_of(turn)}{kind}"


def reply_sk(client_id: str) -> str:
    """That an attendant's reply is written, by the id that its client gave it."""
    return effect_sk("reply", client_id)


def audit_sk(ms: int, name: str) -> str:
    """What an attendant did."""
    return f"{AUDIT}{ms:013d}#{name}"


def hour_sk(hour: int) -> str:
    """What an hour cost, counted in hours since the epoch."""
    return f"H#{hour:07d}"


def effects_of(turn: str) -> str:
    """What the keys of a turn's effects begin with."""
    return f"{EFFECTS}{turn}#"


def is_inbound(sk: str) -> bool:
    """Whether a message's key is one that came in, as against a part of ours."""
    return sk[_SIDE] == _INBOUND


def is_part(sk: str) -> bool:
    """Whether a key is a part's of an answer."""
    return sk.startswith(MESSAGES) and sk[_SIDE] == _PART


def is_message(sk: str) -> bool:
    """Whether a key is a message's, of either side."""
    return sk.startswith(MESSAGES)


def is_reply_mark(sk: str) -> bool:
    """Whether a key says only that an attendant's reply is written: its words are the part's."""
    return sk.startswith(reply_sk(""))


def is_effect(sk: str) -> bool:
    """Whether a key is a side effect's."""
    return sk.startswith(EFFECTS)


def is_erasable(sk: str) -> bool:
    """Whether an erasure takes an item that is old enough: not HEAD and STATE, which it has settled itself, nor its own
    job, nor that a message without a time is known, which would be taken for new when it is told again.
    """
    return sk not in (HEAD, STATE, erase_job_sk()) and not sk.startswith(_KNOWN)


def dated_ms(sk: str) -> int | None:
    """The time in a key that begins with one: a message's, a turn's, an audit's; None for any other."""
    digits = sk[_MS]
    dated = sk.startswith((MESSAGES, TURNS, AUDIT)) and len(digits) == 13 and digits.isascii() and digits.isdigit()
    return int(digits) if dated else None


def is_audit(sk: str) -> bool:
    """Whether a key is of what an attendant did."""
    return sk.startswith(AUDIT)


def erase_job_sk() -> str:
    """The job that erases the rest, and the proof that it did."""
    return effect_sk("erase", "job")


def is_turn(sk: str) -> bool:
    """Whether a key is a turn's."""
    return sk.startswith(TURNS)


def public_key(sk: str) -> str:
    """A message's or turn's key as those outside see it: it sorts as the key does, and fits a path."""
    return sk[2:].replace("#", ".", 1)


def message_sk(public: str) -> str:
    """The message that `public_key` was given. Raises `BadInputError` for what it never gives."""
    return _checked(MESSAGES, public)


def turn_key(public: str) -> str:
    """The same of a turn."""
    return _checked(TURNS, public)


def _checked(kind: str, public: str) -> str:
    if not re.fullmatch(r"[0-9]{13}\.[0-9A-Za-z._-]{1,130}", public, flags=re.ASCII):
        raise BadInputError("unusable_key")
    return f"{kind}{public.replace('.', '#', 1)}"


def ms_of(sk: str) -> int:
    """The time that a message's key holds. Raises `BadInputError`."""
    digits = sk[_MS]
    if not (sk.startswith(MESSAGES) and len(digits) == 13 and digits.isascii() and digits.isdigit()):
        raise BadInputError("unusable_key")
    return int(digits)


def due_shard(pk: str) -> str:
    """Where an item waits in the sparse index: stable, and spread over as many partitions as there are shards."""
    return DUE_SHARDS[hashlib.sha256(pk.encode()).digest()[0] % len(DUE_SHARDS)]
