"""The table in memory as one recorded turn met it."""

from __future__ import annotations

from dataclasses import replace

from core.domain.conversation import Effect, Snapshot, TurnCommit
from core.domain.delivery import OutboundPart, PartOutcome
from core.domain.spending import Spend
from replay.memory.clock import ClockHand, RecordedClock
from replay.memory.store import READ_LIMIT, MemoryConversationStore

_LOG_LIMIT = READ_LIMIT - 2  # HEAD and STATE


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


class PinnedStore(TurnStore):
    """One turn's table: what was laid in it is what the turn reads, and nobody comes in between.

    Nothing is written down as items, since nothing is read again: that is most of a replay's time.
    """

    def lay(self, snapshot: Snapshot) -> None:
        """The snapshot as one read of the table would show it."""
        log = sorted(snapshot.log, key=lambda entry: entry.sk)
        shown = {entry.sk for entry in log[-_LOG_LIMIT:]} | snapshot.head.pending
        self._snapshot = replace(snapshot, log=tuple(entry for entry in log if entry.sk in shown))

    def read(self, conversation: str, *, ensure: str | None = None) -> Snapshot:
        """What was laid."""
        del conversation, ensure
        self._turn_clock.opens()
        return self._snapshot

    def commit(self, commit: TurnCommit) -> None:
        """Kept for whoever compares."""
        self.commits.append(commit)

    def record_outcome(
        self,
        conversation: str,
        outcome: PartOutcome,
        *,
        start_next: OutboundPart | None = None,
        release: str | None = None,
        release_due_ms: int = 0,
    ) -> bool:
        """Every next part may be sent."""
        del conversation, outcome, release, release_due_ms
        return start_next is not None

    def read_effect(self, conversation: str, sk: str) -> Effect | None:
        """Cards of earlier turns are not on file."""
        del conversation, sk
        return None

    def update_effect(self, conversation: str, effect: Effect) -> None:
        """Kept for whoever compares."""
        del conversation
        self.finished[effect.sk] = effect

    def add_spent(self, conversation: str, spent: Spend) -> None:
        """HEAD says what was spent when the turn began."""
        del conversation, spent
