"""What a turn decided, before it is worded, committed and sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from core.application.turn.opening import OpenTurn
from core.domain.conversation import ConversationState
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.reply import ReplyKind


class TurnOutcome(StrEnum):
    """What became of a turn, for the ledger and the door's log."""

    ANSWERED = "answered"
    GUARD = "guard"
    HANDOFF = "handoff"
    COURTESY = "courtesy"
    OPT_OUT = "opt_out"
    ASKED_TO_TYPE = "asked_to_type"
    FORWARDED = "forwarded"
    WITHDRAWN = "withdrawn"
    WORDLESS = "wordless"
    TEMPLATE = "template"
    ALREADY_ANSWERED = "already_answered"
    OVERTAKEN = "overtaken"
    POSTPONED = "postponed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """`text` is empty for a silent turn. `guard_in_rev` is False where a newcomer must not undo the decision.

    `template`: too late for a text, the approved template is sent.
    """

    outcome: TurnOutcome
    state: ConversationState
    text: str = ""
    kind: ReplyKind = ReplyKind.ANSWER
    citations: tuple[str, ...] = ()
    rationale: str | None = None
    handoff: HandoffRequest | None = None
    template: bool = False
    close: bool = False
    stay_human: bool = False
    guard_in_rev: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """What the door reports: metrics and one log line, no text."""

    outcome: TurnOutcome
    turn_id: str = ""
    reason: str = ""
    detail: str = ""
    model_calls: int = 0
    sent_parts: int = 0


def handed_off(turn: OpenTurn, reason: HandoffReason, detail: str = "", *, text: str = "") -> Decision:
    """A decision to hand the conversation to a person; `text` is the agent's, where the reason lets it speak."""
    return Decision(
        outcome=TurnOutcome.HANDOFF,
        state=replace(turn.state, pending_offer=False),
        text=text,
        kind=ReplyKind.ESCALATION,
        handoff=HandoffRequest(reason=reason, detail=detail),
        guard_in_rev=False,
    )
