"""One run of the use case: what is asked, and what outlives the attempts that a newcomer undoes."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.application.delivery.typing_sign import TypingSign
from core.application.journal import TurnJournal
from core.application.turn.opening import OpenTurn
from core.domain.deadline import Deadline
from core.domain.handoff import HandoffRequest
from core.domain.policy import RERUN_SECONDS_MAX, RERUNS_MAX


@dataclass(slots=True, kw_only=True)
class TurnRun:
    """Mutable on purpose: it lives for one call of the use case.

    `sk` is the message that asks, None for a handoff of its own; `forced` hands over without a model. `heard` are the
    words of voice notes by key, "" for those that nobody could hear; `overtaken` is the turn that a conflict undid;
    `effects_wait`: what people are told is not this run's to finish; `typing` is what the customer sees meanwhile.
    """

    conversation: str
    sk: str | None
    deadline: Deadline
    forced: HandoffRequest | None
    journal: TurnJournal
    started_at_ms: int
    heard: dict[str, str] = field(default_factory=dict)
    overtaken: OpenTurn | None = None
    effects_wait: bool = False
    typing: TypingSign | None = None

    def starts_again(self, turn: OpenTurn) -> None:
        """The conversation moved under the turn: what it paid for stays in the ledger."""
        self.journal.restart()
        self.overtaken = turn

    def yields_to_newcomers(self, turn: OpenTurn) -> bool:
        """Whether another message may still undo this answer: after a few reruns the customer gets what there is."""
        late = turn.opened_at_ms - self.started_at_ms > RERUN_SECONDS_MAX * 1000
        return self.journal.reruns < RERUNS_MAX and not late
