"""An inbound queue in memory: faithful because it takes each pointer or hands it back, in order, and never raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.domain.messages import InboundPointer


class FakeInboundQueue:
    """`taken` is the queue; `refuse` says which pointers the next calls hand back."""

    def __init__(self) -> None:
        self.taken: list[InboundPointer] = []
        self.refuse: Callable[[InboundPointer], bool] = lambda _pointer: False

    def enqueue(self, pointers: Sequence[InboundPointer]) -> Sequence[InboundPointer]:
        left: list[InboundPointer] = []
        behind: set[str] = set()
        for pointer in pointers:
            if pointer.conversation in behind or self.refuse(pointer):
                behind.add(pointer.conversation)
                left.append(pointer)
            else:
                self.taken.append(pointer)
        return tuple(left)
