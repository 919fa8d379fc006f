"""The table in memory as one recorded turn met it."""

from __future__ import annotations

from core.domain.conversation import Effect, Snapshot, TurnCommit
from replay.memory.clock import ClockHand, RecordedClock
from replay.memory.store import MemoryConversationStore


class TurnStore(MemoryConversationStore):
    """`commits` are what the turns wrote since `forget`; `finished` the effects as they were left."""

    def __init__(self, clock: RecordedClock, *, retention_days: int = 36_500) -> None:
        super().__init__(ClockHand(clock), retention_days=retention_days)
        self._turn_clock = clock
        self.commits: list[TurnCommit] = []
        self.finished: dict[str, Effect] = {}

    def forget(self) -> None:
        """What was written is laid aside; the conversation stays."""
        self.commits, self.finished = [], {}

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        """As the table's, and the clock moves on."""
        snapshot = super().read(conversation, ensure=ensure)
        self._turn_clock.opens()
        return snapshot

    def commit(self, commit: TurnCommit) -> None:
        """As the table's."""
        super().commit(commit)
        self.commits.append(commit)

    def update_effect(self, conversation: str, effect: Effect) -> None:
        """As the table's."""
        super().update_effect(conversation, effect)
        self.finished[effect.sk] = effect
