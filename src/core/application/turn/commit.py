"""The one transaction of a turn: HEAD, STATE, TURN, parts and effects (docs/turn.md, "Commit")."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.application.delivery.send_parts import LEASE_MARGIN_MS, plan_parts
from core.application.delivery.undelivered import refused_since_ms, unread_texts, waiting_texts
from core.application.journal import TurnJournal
from core.application.people.handoff import HandoffService
from core.application.people.quotes import QuoteDesk
from core.application.ports import Clock, ConversationStore, MessageFormatter
from core.application.turn.decision import Decision, TurnOutcome, TurnResult
from core.application.turn.opening import OpenTurn, leave_in_state
from core.application.turn.run import TurnRun
from core.domain import head_transitions as transitions
from core.domain.conversation import ConversationState, Effect, Head, TurnCommit
from core.domain.delivery import OutboundPart, PartState
from core.domain.handoff import OUR_DETAILS, HandoffReason, HandoffRequest
from core.domain.ledger import TurnRecord
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import turn_sk
from core.domain.reply import AgentReply
from core.domain.spending import Spend


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """A run whose transaction stands: what is left is to send and to finish. `text` is uncut."""

    turn: OpenTurn
    decision: Decision
    journal: TurnJournal
    text: str
    parts: tuple[OutboundPart, ...]
    effects: tuple[Effect, ...]

    def result(self, *, sent_parts: int) -> TurnResult:
        """What the door reports of the turn."""
        request = self.decision.handoff
        return TurnResult(
            outcome=self.decision.outcome,
            turn_id=self.turn.turn_id,
            reason=request.reason.value if request else "",
            detail=_loggable_detail(request),
            model_calls=len(self.journal.calls),
            sent_parts=sent_parts,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCommitter:
    """Words, cuts and commits a decision.

    `fingerprints` are hashes of prompts, catalogue and settings, and the code version: replay needs them. `template` is
    WhatsApp's, for outside the 24 h window.
    """

    store: ConversationStore
    formatter: MessageFormatter
    handoffs: HandoffService
    quotes: QuoteDesk
    clock: Clock
    policy: ConversationPolicy
    fingerprints: Mapping[str, str]
    template: str = ""

    def commit(self, turn: OpenTurn, decision: Decision, run: TurnRun) -> Committed:
        """All or nothing. Raises what `ConversationStore.commit` raises; the decision is then to be made anew."""
        now_ms = self.clock.now_ms()
        text, effects = decision.text, tuple[Effect, ...]()
        if decision.handoff is not None:
            text = self.handoffs.text_for(decision.handoff, agent_text=decision.text, now_ms=now_ms)
            unread = unread_texts(turn.snapshot)
            effects = self.handoffs.effects(
                turn.turn_id, decision.handoff, now_ms=now_ms, unread=unread, at_once=run.effects_wait
            )
        text, template = self._in_time(turn, decision, text, now_ms=now_ms)
        goes_on = decision.handoff is not None and decision.handoff.reason is HandoffReason.CHANNEL_REFUSED
        waiting = waiting_texts(turn.snapshot) if goes_on and text and not template else ()
        parts = plan_parts(
            (*waiting, *self._texts(text, template)),
            turn_id=turn.turn_id,
            recipient=turn.newest.recipient,
            reply_to=turn.newest.message.provider_id,
            now_ms=now_ms,
            newest_inbound_ms=turn.newest.message.sent_at_ms,
            lease_until_ms=run.deadline.ends_at_ms + LEASE_MARGIN_MS,
            exempt=(decision.handoff is not None and not goes_on) or decision.outcome is TurnOutcome.OPT_OUT,
            unless_taken=decision.handoff is not None,
            refused_since_ms=refused_since_ms(turn.snapshot),
            template=template,
            window_closes_ms=turn.window_closes_ms,
        )
        state = leave_in_state(decision.state, turn, self.handoffs.catalog)
        if decision.handoff is not None:
            effects += self._quote(turn, decision.handoff, state, now_ms=now_ms)
        if decision.close:
            state = replace(state, closed_at_ms=state.closed_at_ms or now_ms)
        if decision.handoff is not None and self.policy.handoff_enabled:
            state = replace(state, human_since_ms=now_ms, human_until_ms=None, agreed=None)
        answered = turn.snapshot.head.pending
        self.store.commit(
            TurnCommit(
                conversation=turn.conversation,
                seen=turn.snapshot.head,
                head=self._head_after(turn, decision, answered, now_ms=now_ms),
                state=state,
                turn=self._record(turn, decision, run, state, text, now_ms=now_ms),
                answered=answered,
                parts=parts,
                effects=effects,
                cancelled_parts=_overtaken_parts(turn, decision),
                guard_in_rev=decision.guard_in_rev and run.yields_to_newcomers(turn),
                spent=Spend(day=turn.day, micro_usd=run.journal.cost) if run.journal.cost else None,
            )
        )
        return Committed(turn=turn, decision=decision, journal=run.journal, text=text, parts=parts, effects=effects)

    def _in_time(self, turn: OpenTurn, decision: Decision, text: str, *, now_ms: int) -> tuple[str, str | None]:
        """What is sent, and the template it stands for: too late for a text, only who waits for an answer or a person
        is sent anything at all.
        """
        if now_ms < turn.window_closes_ms:
            return text, None
        if self.template and (decision.template or (text and decision.handoff)):
            return f"[mensagem modelo: {self.template}]", self.template
        return "", None

    def _quote(
        self, turn: OpenTurn, request: HandoffRequest, state: ConversationState, *, now_ms: int
    ) -> tuple[Effect, ...]:
        sender = turn.newest.message.sender
        return self.quotes.effects(
            turn.turn_id, request, state, turn.newest.recipient, profile_name=sender.name, now_ms=now_ms
        )

    def _texts(self, text: str, template: str | None) -> tuple[str, ...]:
        if template or not text:
            return (text,) if text else ()
        return self.formatter.parts(text)

    def write_off(self, turn: OpenTurn, run: TurnRun, outcome: TurnOutcome) -> None:
        """A TURN that stands for nothing but its cost: `overtaken` by another worker's commit, or `postponed`."""
        now_ms = self.clock.now_ms()
        name = _written_off_id(turn, run.journal, now_ms=now_ms)
        nothing = Decision(outcome=outcome, state=turn.state)
        record = self._record(turn, nothing, run, turn.state, "", now_ms=now_ms)
        self.store.append_turn(turn.conversation, replace(record, sk=turn_sk(now_ms, name), turn=name, inbound=()))

    def _head_after(self, turn: OpenTurn, decision: Decision, answered: frozenset[str], *, now_ms: int) -> Head:
        seen, start_ms = turn.snapshot.head, turn.session_start_ms
        if decision.stay_human:
            return transitions.forwarded(seen, turn=turn.turn_id, pending=answered, session_start_ms=start_ms)
        head = transitions.answered(
            seen, turn=turn.turn_id, pending=answered, session_start_ms=start_ms, closed=decision.close
        )
        if decision.handoff is None or not self.policy.handoff_enabled:
            return head
        due_ms = now_ms + self.policy.handoff_ack_minutes * 60_000
        return transitions.handed_over(head, reason=decision.handoff.reason.value, now_ms=now_ms, due_ms=due_ms)

    def _record(
        self,
        turn: OpenTurn,
        decision: Decision,
        run: TurnRun,
        state: ConversationState,
        text: str,
        *,
        now_ms: int,
    ) -> TurnRecord:
        journal = run.journal
        reply = AgentReply(kind=decision.kind, text=text, citations=decision.citations, rationale=decision.rationale)
        return TurnRecord(
            sk=turn_sk(now_ms, turn.turn_id),
            turn=turn.turn_id,
            inbound=tuple(entry.sk for entry in turn.inbounds),
            decided_at_ms=turn.opened_at_ms,
            started_at_ms=run.started_at_ms,
            wall_ms=now_ms - run.started_at_ms,
            outcome=decision.outcome.value,
            reply=reply if text else None,
            codes=tuple(journal.codes),
            stage_before=turn.state.stage.value,
            stage_after=state.stage.value,
            calls=tuple(journal.calls),
            guard=dict(journal.guard),
            repair_method=journal.repair_method,
            dropped_prefix=journal.dropped_prefix,
            egress_findings=tuple(journal.egress_findings),
            handoff_reason=decision.handoff.reason.value if decision.handoff else None,
            handoff_detail=decision.handoff.detail if decision.handoff else "",
            packages=tuple(journal.packages),
            action_errors=tuple(journal.action_errors),
            reruns=journal.reruns,
            session_start_ms=turn.session_start_ms,
            forced=run.forced,
            parts_before=_not_sent(turn),
            head_before=replace(turn.snapshot.head, name=None, owner_name=None),
            state_before=turn.snapshot.state,
            state_after=state,
            fingerprints=self.fingerprints,
        )


def _loggable_detail(request: HandoffRequest | None) -> str:
    """An agent words its own reason, and may quote the customer: the ledger has it, the log does not."""
    if request is None or (request.reason is HandoffReason.AGENT_REQUESTED and request.detail not in OUR_DETAILS):
        return ""
    return request.detail


def _written_off_id(turn: OpenTurn, journal: TurnJournal, *, now_ms: int) -> str:
    """Of its own: the commit that was first may have answered the same read, under the same turn id."""
    calls = "|".join(f"{call.request_id}:{call.latency_ms}" for call in journal.calls)
    return hashlib.sha256(f"{turn.turn_id}|overtaken|{now_ms}|{calls}".encode()).hexdigest()[:12]


def _not_sent(turn: OpenTurn) -> Mapping[str, str]:
    """What the agent may read otherwise than it will stand on the table later."""
    return {part.sk: part.state.value for part in turn.snapshot.parts if part.state is not PartState.SENT}


def _overtaken_parts(turn: OpenTurn, decision: Decision) -> tuple[str, ...]:
    """A later turn's commit cancels what an older one has not begun to send, handoff texts excepted, and what waits for
    the channel where the turn says nothing itself; an opt-out, everything. What an attendant wrote is theirs.
    """
    everything, silent = decision.outcome is TurnOutcome.OPT_OUT, decision.stay_human
    return tuple(
        entry.sk
        for entry in turn.snapshot.parts
        if entry.state is PartState.PENDING
        and entry.author is None
        and (everything or not (entry.exempt or (silent and entry.unless_taken)))
    )
