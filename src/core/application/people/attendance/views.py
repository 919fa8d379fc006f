"""What attendants read: plain data, in their words. Keys are `public_key`s, times milliseconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who has a conversation; `aplicativo` is somebody who answered from the business's own app."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """A conversation in a list. `state` is `waiting`, `owned` or `bot`; `unread`: the customer waits for a word."""

    id: str
    name: str | None
    reason: str | None
    reason_text: str
    since_ms: int | None
    state: str
    owner: Owner | None
    last_inbound_ms: int | None
    window_closes_ms: int | None
    unread: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePage:
    """Who waits longest first."""

    items: tuple[QueueItem, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaRef:
    """A file of a message: fetched from the channel by its own call."""

    n: str
    mime_type: str
    filename: str | None
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A message of either side. `sender` is `customer`, `bot`, `attendant`, `app` or `template`; of ours, `state` says
    what became of it, `failure` why it did not arrive, `turn` which turn of the bot's said it.
    """

    key: str
    at_ms: int
    sender: str
    author: str | None
    kind: str
    text: str
    media: MediaRef | None
    state: str | None
    failure: str | None
    turn: str | None
    quoted: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A fact, and the message that it came from. `state` is `given` or `declined`."""

    label: str
    value: str
    entry: str | None
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What to know before the first word. `summary` is "" while it is still being written; `unread_texts` were written
    for the customer and did not reach them.
    """

    reason_text: str
    since_ms: int | None
    service: str
    segment: str
    summary: str
    next_action: str
    points: tuple[str, ...]
    lines: tuple[CardLine, ...]
    unread_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """What an attendant did, as people say it."""

    at_ms: int
    author: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationView:
    """A conversation as it is opened: the newest entries whole, and what lies between them and what was read."""

    item: QueueItem
    revision: str
    entries: tuple[Entry, ...]
    older_cursor: str | None
    cursor: str | None
    card: Card | None
    audit: tuple[AuditLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesPage:
    """Older entries, oldest first."""

    entries: tuple[Entry, ...]
    older_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallView:
    """A model call. `usd` is None where the price list does not know the model."""

    model: str
    purpose: str
    outcome: str
    tokens_input: int
    tokens_cached: int
    tokens_output: int
    usd: str | None
    latency_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """What a turn of the bot's did: codes, calls, money, time, and what of its answer was mended."""

    key: str
    id: str
    at_ms: int
    agent: str
    outcome: str
    codes: tuple[int, ...]
    calls: tuple[CallView, ...]
    usd: str
    latency_ms: int
    mended: tuple[str, ...]
    handoff: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsPage:
    """Newest first."""

    turns: tuple[TurnView, ...]
    older_cursor: str | None
