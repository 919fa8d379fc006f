"""A queue as SQS behaves: visibility, receive counts, order within a FIFO group, and a dead end after ten receives."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.domain.messages import InboundPointer
from core.domain.pointer import pointer_body
from tests.fakes.clock import FakeClock

# As template.yaml has them.
VISIBILITY_MS = 360_000
RECEIVES_MAX = 10


@dataclass(slots=True, kw_only=True)
class Held:
    """A message on the queue; not to be had before `visible_at_ms`."""

    id: str
    body: str
    group: str
    visible_at_ms: int
    receives: int = 0

    def record(self, *, fifo: bool) -> dict[str, Any]:
        """As Lambda is given it."""
        attributes = {"ApproximateReceiveCount": str(self.receives)}
        if fifo:
            attributes["MessageGroupId"] = self.group
        return {"messageId": self.id, "receiptHandle": self.id, "body": self.body, "attributes": attributes}


@dataclass(slots=True)
class Queue:
    """Implements `InboundQueue` and, for the door, the shortening of visibility. Takes everything it is given."""

    clock: FakeClock
    fifo: bool = True
    held: list[Held] = field(default_factory=list)
    dead: list[Held] = field(default_factory=list)
    _ids: Any = field(default_factory=lambda: itertools.count(1))

    def enqueue(self, pointers: Sequence[InboundPointer]) -> tuple[InboundPointer, ...]:
        for pointer in pointers:
            self.put(pointer_body(pointer), group=pointer.conversation)
        return ()

    def put(self, body: str, *, group: str, delay_ms: int = 0) -> None:
        """Any body, as other producers may put it there."""
        visible = self.clock.now_ms() + delay_ms
        self.held.append(Held(id=f"q{next(self._ids)}", body=body, group=group, visible_at_ms=visible))

    def receive(self, most: int = 1) -> list[Held]:
        """What a poll brings; it comes again after the visibility timeout unless it is done."""
        now_ms, behind, batch = self.clock.now_ms(), set[str](), list[Held]()
        for held in list(self.held):
            if held.visible_at_ms > now_ms or (self.fifo and held.group in behind):
                behind.add(held.group)
                continue
            if held.receives == RECEIVES_MAX:
                self.held.remove(held)
                self.dead.append(held)
                continue
            if len(batch) == most:
                break
            batch.append(held)
        for held in batch:
            held.receives += 1
            held.visible_at_ms = now_ms + VISIBILITY_MS
        return batch

    def done(self, ids: set[str]) -> None:
        """Answered: never again."""
        self.held = [held for held in self.held if held.id not in ids]

    def retry_in(self, receipt_handle: str, *, seconds: int) -> None:
        for held in self.held:
            if held.id == receipt_handle:
                held.visible_at_ms = self.clock.now_ms() + seconds * 1000

    @property
    def waiting(self) -> bool:
        """Whether a poll now would bring something."""
        behind = set[str]()
        for held in self.held:
            if held.visible_at_ms <= self.clock.now_ms() and held.group not in behind:
                return True
            if self.fifo:
                behind.add(held.group)
        return False
