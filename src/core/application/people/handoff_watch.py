"""Looks after conversations that people have: told when nobody comes, handed back when nobody stays."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, replace

from core.application.delivery.send_parts import LEASE_MARGIN_MS, OutboundService, plan_parts
from core.application.history.effective_log import as_it_stands
from core.application.history.session_history import session_history
from core.application.people.handoff import HandoffService
from core.application.people.quotes import QuoteDesk
from core.application.ports import Clock, ConversationStore, MessageFormatter
from core.domain import head_transitions as transitions
from core.domain.conversation import (
    ConversationState,
    Effect,
    EffectKind,
    Head,
    InboundRecord,
    Mode,
    Snapshot,
    TurnCommit,
)
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart
from core.domain.errors import StoreConflictError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.ledger import TurnRecord
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import effect_sk, turn_sk
from core.domain.reply import AgentReply, ReplyKind
from core.domain.service_window import window_closes_ms
from core.domain.texts import FixedTexts

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffWatch:
    """Every step is a conditional write on HEAD: a person who moves at the same moment wins."""

    store: ConversationStore
    outbound: OutboundService
    handoffs: HandoffService
    quotes: QuoteDesk
    formatter: MessageFormatter
    clock: Clock
    policy: ConversationPolicy
    texts: FixedTexts

    def look_after(self, snapshot: Snapshot, deadline: Deadline) -> bool:
        """What a due HEAD needs while a person has the conversation. False when it is not due, whatever the index says:
        it may have listed the conversation for its messages.
        """
        head, now_ms = snapshot.head, self.clock.now_ms()
        if head.due_ms is None or head.due_ms > now_ms:
            return False
        if head.mode is not Mode.HUMAN or head.handoff_since_ms is None:
            self._forget_due(snapshot)
        elif now_ms - head.handoff_since_ms >= self.policy.handoff_idle_hours * 3_600_000:
            self._hand_back(snapshot)
        elif head.owner is not None and head.owner != transitions.BUSINESS_APP:
            self._look_at_owner(snapshot)
        elif not head.handoff_acknowledged:
            self._nobody_came(snapshot, deadline)
        else:
            self._wait_for_idle(snapshot)
        return True

    def finish_effect(self, conversation: str, sk: str, deadline: Deadline) -> bool:
        """A quote, or a summary, queue item or notification that its own process did not finish: whether it is
        finished now.
        """
        effect = self.store.read_effect(conversation, sk)
        if effect is None or effect.due_ms is None:
            return True
        if effect.kind is EffectKind.QUOTE:
            return self.quotes.finish(conversation, effect, deadline)
        effect = self._as_queued(conversation, effect)
        request = HandoffRequest(
            reason=HandoffReason(str(effect.payload["reason"])), detail=str(effect.payload.get("detail", ""))
        )
        if "summary" in effect.payload:  # paid for, or made where nothing else could be read
            return self.handoffs.finish(
                conversation, request, ConversationState(), (effect,), history=(), deadline=deadline
            )
        snapshot = self.store.read(conversation)
        history = session_history(
            as_it_stands(snapshot),
            snapshot.state,
            session_start_ms=snapshot.head.session_start_ms,
            limit=self.policy.history_max_messages,
        )
        return self.handoffs.finish(
            conversation, request, snapshot.state, (effect,), history=history, deadline=deadline
        )

    def _as_queued(self, conversation: str, effect: Effect) -> Effect:
        """A notification says what the queue item says: one summary, paid for once."""
        if effect.kind is not EffectKind.NOTIFY or "summary" in effect.payload:
            return effect
        queued = self.store.read_effect(conversation, effect_sk(effect.turn, EffectKind.HANDOFF.value))
        return effect if queued is None else replace(effect, payload={**queued.payload, **effect.payload})

    def _nobody_came(self, snapshot: Snapshot, deadline: Deadline) -> None:
        """The customer is told once; the people's side is alerted again."""
        now_ms = self.clock.now_ms()
        last = snapshot.newest_inbound
        may_write = now_ms < window_closes_ms(snapshot) and not snapshot.state.opted_out
        parts = self._told(snapshot, last, deadline) if last and may_write else ()
        turn = _reminder_id(snapshot)
        head = transitions.reminded(snapshot.head, turn=turn, due_ms=self._idle_at_ms(snapshot.head))
        try:
            commit = _reminder(snapshot, turn, head, parts, now_ms=now_ms)
            self.store.commit(replace(commit, effects=self._told_again(snapshot.head, turn)))
        except StoreConflictError:
            return
        waited = (now_ms - (snapshot.head.handoff_since_ms or now_ms)) // 60_000
        _log.error("handoff_unacknowledged", extra={"conversation": snapshot.conversation, "minutes": waited})
        self.outbound.send(snapshot.conversation, parts, deadline)

    def _told_again(self, head: Head, turn: str) -> tuple[Effect, ...]:
        """The notification once more, of a wait that goes on; the card is there."""
        if head.handoff_reason is None:
            return ()
        request = HandoffRequest(reason=HandoffReason(head.handoff_reason), detail="still_waiting")
        effects = self.handoffs.effects(turn, request, now_ms=self.clock.now_ms(), at_once=True)
        waits = {"waiting_since_ms": head.people_since_ms or head.handoff_since_ms or 0, "summary": {}}
        again = (each for each in effects if each.kind is EffectKind.NOTIFY)
        return tuple(replace(each, payload={**each.payload, **waits}) for each in again)

    def _told(self, snapshot: Snapshot, last: InboundRecord, deadline: Deadline) -> tuple[OutboundPart, ...]:
        return plan_parts(
            self.formatter.parts(self.texts.nobody_took_it),
            turn_id=_reminder_id(snapshot),
            recipient=last.recipient,
            reply_to=None,
            now_ms=self.clock.now_ms(),
            newest_inbound_ms=last.message.sent_at_ms,
            lease_until_ms=deadline.ends_at_ms + LEASE_MARGIN_MS,
            exempt=True,
            unless_taken=True,
            window_closes_ms=window_closes_ms(snapshot),
        )

    def _hand_back(self, snapshot: Snapshot) -> None:
        """Nobody stayed: the bot answers the next message, with the human stretch marked in its context."""
        completed = snapshot.head.handoff_reason == HandoffReason.COMPLETED.value
        head = transitions.handed_back(snapshot.head, closed=completed)
        if self.store.update_head(snapshot.conversation, seen=snapshot.head, head=head):
            _log.info("handed_back_idle", extra={"conversation": snapshot.conversation})

    def _look_at_owner(self, snapshot: Snapshot) -> None:
        """An owner who lets the customer wait loses the conversation; one who waits for the customer keeps it."""
        head, now_ms = snapshot.head, self.clock.now_ms()
        idle_ms = self.policy.owner_idle_minutes * 60_000
        waits_ms = _waits_for_owner_since(snapshot)
        if waits_ms is None or now_ms - waits_ms < idle_ms:
            due_ms = min((now_ms if waits_ms is None else waits_ms) + idle_ms, self._idle_at_ms(head))
            waits = transitions.waiting_for_idle(head, due_ms=due_ms)
            self.store.update_head(snapshot.conversation, seen=head, head=waits)
            return
        ack_ms = self.policy.handoff_ack_minutes * 60_000
        released = transitions.released(head, now_ms=now_ms, due_ms=now_ms + ack_ms)
        if self.store.update_head(snapshot.conversation, seen=head, head=released):
            _log.warning("owner_idle", extra={"conversation": snapshot.conversation})

    def _wait_for_idle(self, snapshot: Snapshot) -> None:
        head = transitions.waiting_for_idle(snapshot.head, due_ms=self._idle_at_ms(snapshot.head))
        self.store.update_head(snapshot.conversation, seen=snapshot.head, head=head)

    def _idle_at_ms(self, head: Head) -> int:
        """When the people's time is over."""
        since = head.handoff_since_ms or self.clock.now_ms()
        return since + self.policy.handoff_idle_hours * 3_600_000

    def _forget_due(self, snapshot: Snapshot) -> None:
        self.store.update_head(snapshot.conversation, seen=snapshot.head, head=transitions.not_due(snapshot.head))


def _waits_for_owner_since(snapshot: Snapshot) -> int | None:
    """Since when the customer waits for the owner: by what they wrote after the owner's last word or, where the owner
    has said nothing yet, since it was taken.
    """
    spoke_ms = snapshot.head.owner_spoke_ms or 0
    wrote = [e.received_at_ms for e in snapshot.inbounds if e.message.opens_turn and e.received_at_ms > spoke_ms]
    said_nothing = spoke_ms > (snapshot.head.handoff_since_ms or 0)
    return min([*wrote, *([spoke_ms] if said_nothing else [])], default=None)


def _reminder(snapshot: Snapshot, turn: str, head: Head, parts: tuple[OutboundPart, ...], *, now_ms: int) -> TurnCommit:
    text = "\n".join(part.text for part in parts)
    record = TurnRecord(
        sk=turn_sk(now_ms, turn),
        turn=turn,
        inbound=(),
        decided_at_ms=now_ms,
        started_at_ms=now_ms,
        wall_ms=0,
        outcome="nobody_came",
        reply=AgentReply(kind=ReplyKind.ESCALATION, text=text) if text else None,
        stage_before=snapshot.state.stage.value,
        stage_after=snapshot.state.stage.value,
    )
    return TurnCommit(
        conversation=snapshot.conversation,
        seen=snapshot.head,
        head=head,
        state=snapshot.state,
        turn=record,
        answered=frozenset(),
        parts=parts,
        guard_in_rev=False,
    )


def _reminder_id(snapshot: Snapshot) -> str:
    seed = f"{snapshot.conversation}|{snapshot.head.ver}|nobody_came"
    return hashlib.sha256(seed.encode()).hexdigest()[:12]
