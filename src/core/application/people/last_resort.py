"""A conversation of which something cannot be read: its customer is told, and people get it as it stands.

Needs no more than the newest message's sender and, for the usual way, HEAD (docs/turn.md, "When things fail").
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import asdict, dataclass, replace

from core.application.delivery.send_parts import LEASE_MARGIN_MS, OutboundService, plan_parts
from core.application.operational_summary import minimal_summary
from core.application.people.card import card_of
from core.application.people.handoff import HandoffService
from core.application.ports import Clock, ConversationStore, MessageFormatter
from core.domain import head_transitions as transitions
from core.domain.conversation import ConversationState, Effect, Head, Mode, Seizure, TurnCommit
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart
from core.domain.errors import UnreadableItemError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.ledger import TurnRecord
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import turn_sk
from core.domain.reply import AgentReply, ReplyKind
from core.domain.salvage import Salvage

_log = logging.getLogger(__name__)

OUTCOME, FORWARDED = "unreadable", "forwarded"
# The failure that is being caught is not counted yet.
_FAILURES_BEFORE = 1
_MOST_HOPS = 8
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LastResort:
    """Asks no model and reads no STATE, which stays as it is."""

    store: ConversationStore
    outbound: OutboundService
    handoffs: HandoffService
    formatter: MessageFormatter
    clock: Clock
    policy: ConversationPolicy

    def take(
        self, conversation: str, error: UnreadableItemError, deadline: Deadline, *, at_once: bool = False
    ) -> str | None:
        """Hands over what `error` says cannot be read; the turn's id, None where people have everything already.

        Raises the error itself the first time, unless `at_once`: what a deployment of two versions reads ill may be
        read well by the next process.
        """
        left = self._salvage(conversation)
        if not at_once and left.failures is not None and left.failures < _FAILURES_BEFORE:
            raise error
        extra = {"conversation": left.conversation, "item": error.what, "reason": error.reason}
        _log.error("conversation_unreadable", extra={**extra, "head_read": left.head is not None})
        request = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail=f"unreadable_{error.what}")
        if left.head is None:
            return self._seize(left, request, deadline)
        if self._people_have(left.head):
            return self._leave_to_people(left.conversation, left.head, request)
        return self._hand_over(left, left.head, request, deadline)

    def _people_have(self, head: Head) -> bool:
        """As everywhere: a technical handoff that nobody took is said anew to whoever writes again."""
        asked_ms = self.clock.now_ms() - (head.handoff_since_ms or 0)
        in_time = head.handoff_acknowledged or asked_ms < self.policy.handoff_ack_minutes * 60_000
        return head.mode is Mode.HUMAN and (in_time or not head.pending)

    def _hand_over(self, left: Salvage, seen: Head, request: HandoffRequest, deadline: Deadline) -> str:
        turn, now_ms = _name(left.conversation, f"{seen.ver}|{sorted(seen.pending)}"), self.clock.now_ms()
        parts, effects = self._parts(left, turn, request, deadline), self._effects(turn, request)
        head = _taken(seen, turn)
        if self.policy.handoff_enabled:
            head = transitions.handed_over(head, reason=request.reason.value, now_ms=now_ms, due_ms=self._due_ms())
        commit = _commit(left.conversation, seen, head, self._record(turn, seen, request, parts))
        self.store.commit(replace(commit, parts=parts, effects=effects))
        self._tell(left.conversation, request, parts, effects, deadline)
        return turn

    def _leave_to_people(self, conversation: str, seen: Head, request: HandoffRequest) -> str | None:
        """They have it: what came since is theirs to read, and nothing more is said."""
        if not seen.pending:
            return None
        turn = _name(conversation, f"{seen.ver}|{sorted(seen.pending)}")
        record = replace(self._record(turn, seen, request, ()), outcome=FORWARDED, handoff_reason=None)
        self.store.commit(_commit(conversation, seen, _taken(seen, turn), record))
        return turn

    def _seize(self, left: Salvage, request: HandoffRequest, deadline: Deadline) -> str | None:
        """Nothing says what was done before: once a day, however much the customer writes."""
        now_ms = self.clock.now_ms()
        turn = _name(left.conversation, f"head|{now_ms // _DAY_MS}")
        parts, effects = self._parts(left, turn, request, deadline), self._effects(turn, request)
        record = replace(self._record(turn, None, request, parts), sk=turn_sk(now_ms // _DAY_MS * _DAY_MS, turn))
        seizure = Seizure(
            conversation=left.conversation,
            reason=request.reason.value,
            since_ms=now_ms,
            due_ms=self._due_ms(),
            turn=record,
            parts=parts,
            effects=effects,
        )
        if not self.store.seize(seizure):
            return None
        self._tell(left.conversation, request, parts, effects, deadline)
        return turn

    def _tell(
        self,
        conversation: str,
        request: HandoffRequest,
        parts: tuple[OutboundPart, ...],
        effects: tuple[Effect, ...],
        deadline: Deadline,
    ) -> None:
        self.outbound.send(conversation, parts, deadline)
        if effects:
            self.handoffs.finish(conversation, request, ConversationState(), effects, history=(), deadline=deadline)

    def _parts(self, left: Salvage, turn: str, request: HandoffRequest, deadline: Deadline) -> tuple[OutboundPart, ...]:
        last, now_ms = left.last, self.clock.now_ms()
        if last is None or now_ms >= last.window_closes_ms:
            return ()
        return plan_parts(
            self.formatter.parts(self.handoffs.text_for(request, agent_text="", now_ms=now_ms)),
            turn_id=turn,
            recipient=last.recipient,
            reply_to=last.provider_id,
            now_ms=now_ms,
            newest_inbound_ms=last.sent_at_ms,
            lease_until_ms=deadline.ends_at_ms + LEASE_MARGIN_MS,
            exempt=True,
            window_closes_ms=last.window_closes_ms,
        )

    def _effects(self, turn: str, request: HandoffRequest) -> tuple[Effect, ...]:
        """With a card that needs no STATE: whoever finishes them reads nothing either."""
        card = minimal_summary(card_of(request, ConversationState(), (), self.handoffs.catalog))
        written = {"summary": asdict(card), "calls": []}
        effects = self.handoffs.effects(turn, request, now_ms=self.clock.now_ms())
        return tuple(replace(effect, payload={**effect.payload, **written}) for effect in effects)

    def _record(
        self, turn: str, seen: Head | None, request: HandoffRequest, parts: tuple[OutboundPart, ...]
    ) -> TurnRecord:
        now_ms = self.clock.now_ms()
        text = "\n".join(part.text for part in parts)
        return TurnRecord(
            sk=turn_sk(now_ms, turn),
            turn=turn,
            inbound=tuple(sorted(seen.pending)) if seen else (),
            decided_at_ms=now_ms,
            started_at_ms=now_ms,
            wall_ms=0,
            outcome=OUTCOME,
            reply=AgentReply(kind=ReplyKind.ESCALATION, text=text) if text else None,
            handoff_reason=request.reason.value,
            handoff_detail=request.detail,
        )

    def _due_ms(self) -> int:
        return self.clock.now_ms() + self.policy.handoff_ack_minutes * 60_000

    def _salvage(self, conversation: str) -> Salvage:
        left = self.store.salvage(conversation)
        for _ in range(_MOST_HOPS):
            if left.head is None or left.head.moved_to is None:
                break
            left = self.store.salvage(left.head.moved_to)
        return left


def _taken(seen: Head, turn: str) -> Head:
    return transitions.forwarded(seen, turn=turn, pending=seen.pending, session_start_ms=seen.session_start_ms)


def _commit(conversation: str, seen: Head, head: Head, record: TurnRecord) -> TurnCommit:
    return TurnCommit(
        conversation=conversation,
        seen=seen,
        head=head,
        state=None,
        turn=record,
        answered=seen.pending,
        guard_in_rev=False,
    )


def _name(conversation: str, what: str) -> str:
    return hashlib.sha256(f"{conversation}|{OUTCOME}|{what}".encode()).hexdigest()[:12]
