"""Messages that were given up on, back into the inbound queue.

SQS has a task of its own for this, which takes FIFO queues too (StartMessageMoveTask). It moves all or nothing, says
neither what it moves nor why that was given up on, and the emulator has none; so each message is received, shown, sent
and then deleted. Whoever dies in between has sent a message twice at most, which a turn that is done already answers
with nothing (docs/turn.md), and never lost one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from core.domain.conversation import Head, Mode
from core.domain.errors import BadInputError, UnreadableItemError
from core.domain.pointer import parse_pointer
from core.integrations.dynamodb import codec
from replay.exporting.table_pages import TablePages

from .queues import HeldMessage, Queue
from .times import moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """`there` is what SQS counted at first; `shown` were looked at, `moved` sent again."""

    there: int
    shown: int
    moved: int


def redrive(
    dead: Queue,
    inbound: Queue,
    pages: TablePages,
    *,
    say: Callable[[str], None],
    at_most: int | None = None,
    dry_run: bool = False,
) -> Redriven:
    """Shows each message, and sends it again unless it is a dry run. No more than were there when it began: what is
    given up on again meanwhile is for another time. Raises what the clients raise; what was not sent yet is let go.
    """
    there = dead.depth()
    limit = there if at_most is None else min(there, at_most)
    held = list[HeldMessage]()
    shown = moved = 0
    try:
        for message in islice(_kept(dead, held), limit):
            shown += 1
            say(f"{shown}. {_described(message, pages)}")
            if dry_run:
                continue
            inbound.send_again(message)
            dead.delete(message)
            held.remove(message)
            moved += 1
    finally:
        for message in held:
            dead.release(message)
    return Redriven(there=there, shown=shown, moved=moved)


def _kept(dead: Queue, held: list[HeldMessage]) -> Iterator[HeldMessage]:
    """Messages with a note that they are ours for now: of a batch all are, looked at or not."""
    while batch := dead.receive():
        held += batch
        yield from batch


def _described(message: HeldMessage, pages: TablePages) -> str:
    """Where it belongs, since when it lies there and why, as far as the table knows."""
    since = f", sent {moment(message.sent_ms)}" if message.sent_ms else ""
    try:
        pointer = parse_pointer(message.body)
    except BadInputError as error:
        return (
            f"group {message.group}{since}: no message of this version ({error.reason}); it will be given up on again"
        )
    home = pages.home(pointer.conversation)
    try:
        head = codec.item_to_head(pages.head(home))
    except UnreadableItemError as error:
        return f"conversation {home}{since}: its head can't be read ({error.reason})"
    return f"conversation {home}{since}: {_why(head, pointer.sk)}"


def _why(head: Head, sk: str) -> str:
    facts = []
    if head.failures:
        facts.append(f"{head.failures} failures, the last one {head.failure_kind or 'unknown'}")
    if head.mode is Mode.HUMAN:
        facts.append(f"people have it ({head.handoff_reason or 'unknown'})")
    facts.append("still waits for an answer" if sk in head.pending else "nothing waits any more")
    return "; ".join(facts)
