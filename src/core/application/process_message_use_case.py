"""One turn (docs/turn.md): open → gates → rounds → commit → send → finish. Each step has its file in `turn/`."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from core.application.delivery.send_parts import OutboundService, SendReport
from core.application.delivery.undelivered import handoff_for_report, handoff_for_undelivered
from core.application.intake.identity_links import read_home
from core.application.journal import PriceOf, TurnJournal
from core.application.log_context import about
from core.application.parser import LLMResponseParseError, ParsedLLMResponse, parse_llm_response
from core.application.people.handoff import HandoffService
from core.application.people.last_resort import LastResort
from core.application.ports import AgentInvoker, Clock, ConversationStore
from core.application.spend_meter import SpendMeter, note_spent
from core.application.turn.agent_rounds import REPLY_FAULTS, AgentRounds
from core.application.turn.commit import Committed, TurnCommitter
from core.application.turn.correction import TO_THE_AGENT, completed_by, may_correct
from core.application.turn.decision import Decision, TurnOutcome, TurnResult, handed_off
from core.application.turn.failure_handoffs import (
    AGENT_FAILURES,
    failure_kind,
    handoff_after_failures,
    handoff_for,
    passes_by_itself,
)
from core.application.turn.gates import GateKeeper
from core.application.turn.opening import OpenTurn, is_due, open_turn
from core.application.turn.reply_check import ReplyCheck
from core.application.turn.run import TurnRun
from core.application.turn.second_chance import ReplyRepair
from core.application.turn.turn_log import TurnTimes, figures_of, tell_turn
from core.application.turn.voice_notes import VoiceNotes, with_transcripts
from core.application.turn_scope import one_turn
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import ConversationState
from core.domain.deadline import Deadline
from core.domain.errors import IntegrationError, LLMError, NewcomerError, StoreConflictError, UnreadableItemError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.messages import InboundPointer
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import is_part
from core.domain.spending import spending_day

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessMessageUseCase:
    """Everything that a turn needs; one is made per invocation, since its sender's connections live that long."""

    store: ConversationStore
    invoker: AgentInvoker
    outbound: OutboundService
    handoffs: HandoffService
    gates: GateKeeper
    committer: TurnCommitter
    clock: Clock
    catalog: Catalog
    policy: ConversationPolicy
    price_of: PriceOf
    meter: SpendMeter
    repairs: ReplyRepair
    reply_check: ReplyCheck
    last_resort: LastResort
    voice_notes: VoiceNotes | None = None

    def execute(
        self,
        pointer: InboundPointer,
        *,
        deadline: Deadline,
        forced: HandoffRequest | None = None,
    ) -> TurnResult:
        """Answer everything pending in the pointer's conversation, once.

        Raises what the store raises, and a model's rate limit; the caller reports the record failed, calls
        `note_failure`, and the queue brings it again. When that goes on, no model is asked: the conversation goes to a
        person. A pointer to a part of an answer says that WhatsApp could not deliver it.
        """
        told = is_part(pointer.sk)
        with about(pointer.conversation), one_turn():
            try:
                if told:
                    return self._tell_people_of_undelivered(pointer, deadline)
                return self._run(self._new_run(pointer.conversation, pointer.sk, deadline, forced))
            except UnreadableItemError as error:
                return self.hand_over_unread(pointer.conversation, error, deadline=deadline, at_once=told)

    def hand_over_unread(
        self, conversation: str, error: UnreadableItemError, *, deadline: Deadline, at_once: bool = True
    ) -> TurnResult:
        """What to do about a conversation that cannot be read: see `LastResort`."""
        turn_id = self.last_resort.take(conversation, error, deadline, at_once=at_once)
        if turn_id is None:
            return _nothing_to_do(conversation)
        reason, detail = HandoffReason.INTERNAL_ERROR.value, f"unreadable_{error.what}"
        result = TurnResult(outcome=TurnOutcome.HANDOFF, turn_id=turn_id, reason=reason, detail=detail)
        tell_turn(conversation, result)
        return result

    def note_failure(self, pointer: InboundPointer, error: Exception) -> None:
        """Counts a turn that failed, at best effort: what the table does not hear of, the sweep finds."""
        try:
            self.store.note_failure(pointer.conversation, kind=failure_kind(error))
        except IntegrationError as lost:
            _log.warning("failure_not_noted", extra={"conversation": pointer.conversation, "error": str(lost)})

    def hand_over(
        self, conversation: str, request: HandoffRequest, *, deadline: Deadline, effects_wait: bool = False
    ) -> TurnResult:
        """A handoff that no message asks for: overdue messages, an answer that cannot be delivered. With
        `effects_wait` its card and its notification are due at once, and left to whoever looks for what is due.
        """
        run = self._new_run(conversation, None, deadline, request)
        run.effects_wait = effects_wait
        with about(conversation), one_turn():
            return self._run(run)

    def _run(self, run: TurnRun) -> TurnResult:
        committed: Committed | None = None
        try:
            committed = self._decide_until_committed(run)
        finally:
            if run.typing is not None:
                run.typing.end()
            if committed is None:
                self._note_spent_in_vain(run)
        if committed is None:
            return _nothing_to_do(run.conversation)
        committed_ms = self.clock.now_ms()
        report = self.outbound.send(committed.turn.conversation, committed.parts, run.deadline)
        sent_ms = self.clock.now_ms()
        if not run.effects_wait:
            self._finish(committed, run.deadline)
        result = committed.result(sent_parts=report.sent)
        times = TurnTimes(
            started_ms=run.started_at_ms, committed_ms=committed_ms, sent_ms=sent_ms, finished_ms=self.clock.now_ms()
        )
        tell_turn(run.conversation, result, figures_of(committed.turn, run.journal, times))
        return self._hand_over_refused(committed, report, run) or result

    def _decide_until_committed(self, run: TurnRun) -> Committed | None:
        """Again in place while newcomers or other workers come first; None when there is nothing (more) to do."""
        while True:
            turn = self._open(run)
            if turn is None:
                self._write_off(run, TurnOutcome.OVERTAKEN)
                return None
            decision = self.gates.decide(turn, journal=run.journal, forced=run.forced)
            if decision is None:
                decision = self._ask_agent(turn, run)
            elif decision.outcome is TurnOutcome.FORWARDED and run.forced is None and self._may_correct(turn, run):
                decision = self._note_correction(turn, decision, run)
            try:
                return self.committer.commit(turn, decision, run)
            except StoreConflictError as conflict:
                newcomer = isinstance(conflict, NewcomerError)
                _log.info("turn_overtaken", extra={"conversation": turn.conversation, "newcomer": newcomer})
                run.starts_again(turn)

    def _open(self, run: TurnRun) -> OpenTurn | None:
        """What is pending, voice notes heard; None when somebody answered it already, or nobody has written."""
        snapshot = read_home(self.store, run.conversation, ensure=run.sk)
        turn = open_turn(
            with_transcripts(snapshot, run.heard),
            catalog=self.catalog,
            policy=self.policy,
            now_ms=self.clock.now_ms(),
        )
        if turn is None or not is_due(snapshot, run.sk):
            if run.sk is not None and snapshot.inbound(run.sk) is None:
                _log.warning("pointer_without_message", extra={"conversation": run.conversation})
            return None
        if run.forced is None and run.sk is not None:
            run.forced = handoff_after_failures(snapshot.head, now_ms=turn.opened_at_ms)
        if run.journal.reruns == 0 and turn.inbounds and self.gates.has_the_word(turn):
            run.typing = self.outbound.acknowledge(turn.newest.recipient, turn.newest.message.provider_id)
        return self._hear(turn, run) if run.forced is None else turn

    def _hear(self, turn: OpenTurn, run: TurnRun) -> OpenTurn:
        """The turn with the words of its voice notes, which a rerun need not hear again."""
        if self.voice_notes is None or not self.gates.listens(turn, run.journal):
            return turn
        run.heard.update(self.voice_notes.hear(turn, tried=run.heard, journal=run.journal, deadline=run.deadline))
        snapshot = with_transcripts(turn.snapshot, run.heard)
        return open_turn(snapshot, catalog=self.catalog, policy=self.policy, now_ms=turn.opened_at_ms) or turn

    def _ask_agent(self, turn: OpenTurn, run: TurnRun) -> Decision:
        """Rounds until the agent answers; whatever fails for good is a handoff that the customer can see."""
        rounds = AgentRounds(
            turn=turn, journal=run.journal, catalog=self.catalog, check=self.reply_check, state=turn.state
        )
        try:
            while request := rounds.next():
                try:
                    rounds.take(self._invoke_and_parse(request, rounds, run))
                except REPLY_FAULTS as fault:
                    rounds.ask_again(fault)
        except AGENT_FAILURES as error:
            if passes_by_itself(error):
                run.starts_again(turn)
                self._write_off(run, TurnOutcome.POSTPONED)
                raise
            return self._handle_llm_failure(turn, rounds.state, handoff_for(error))
        return rounds.answer

    def _may_correct(self, turn: OpenTurn, run: TurnRun) -> bool:
        """Nobody waits for a correction to be read: without money for it, people read it themselves."""
        return may_correct(turn) and self.gates.spend_limit(turn, run.journal) is None

    def _note_correction(self, turn: OpenTurn, decision: Decision, run: TurnRun) -> Decision:
        """A forwarded message's facts, read by the agent without a word to the customer; none where that fails."""
        rounds = AgentRounds(
            turn=turn,
            journal=run.journal,
            catalog=self.catalog,
            check=self.reply_check,
            state=turn.state,
            observations=[TO_THE_AGENT],
            second_chance=False,
        )
        try:
            request = rounds.next()
            parsed = self._invoke_and_parse(request, rounds, run) if request else None
        except AGENT_FAILURES as error:
            _log.warning("correction_not_read", extra={"failure": type(error).__name__})
            return decision
        return replace(decision, state=rounds.keep(parsed)) if parsed else decision

    def _invoke_and_parse(self, request: AgentRequest, rounds: AgentRounds, run: TurnRun) -> ParsedLLMResponse:
        """One model reply, parsed strictly, with one repair (document 000)."""
        seconds = run.deadline.model_seconds()
        try:
            answer = self.invoker.invoke(request, timeout_seconds=seconds)
        except LLMError as error:
            run.journal.failed(error, self.invoker.requested_model(request.agent), request.purpose)
            raise
        run.journal.answered(answer, request.purpose)
        raw = answer.result.raw_response
        try:
            parsed = parse_llm_response(raw)
            return parsed if parsed.message.strip() else self.repairs.find_message(raw, parsed, run.journal)
        except LLMResponseParseError as error:
            _log.warning("llm_response_parse_retry", extra={"kind": error.kind.value, "position": error.position})
            return self._try_repair_llm_response_format(raw, error, rounds, run)

    def _try_repair_llm_response_format(
        self, raw: str, error: LLMResponseParseError, rounds: AgentRounds, run: TurnRun
    ) -> ParsedLLMResponse:
        """Locally, else with one model call, the turn's second chance; raises the original error when neither saves
        the reply (document 000): while the chance is there, the agent is asked again.
        """
        calls = len(run.journal.calls)
        try:
            return self.repairs.repair(raw, error, run.journal, run.deadline, may_call=rounds.second_chance)
        finally:
            if len(run.journal.calls) > calls:
                rounds.second_chance = False
                run.journal.asked_again("repair")

    def _handle_llm_failure(self, turn: OpenTurn, kept: ConversationState, request: HandoffRequest) -> Decision:
        """Document 002's single way out of a model that failed: a visible handoff with a fixed text, facts kept."""
        _log.error("llm_failure_handoff", extra={"reason": request.reason.value, "detail": request.detail})
        return replace(handed_off(turn, request.reason, request.detail), state=replace(kept, pending_offer=False))

    def _finish(self, committed: Committed, deadline: Deadline) -> None:
        """What may take time, after the customer has been told: summary, queue item, notification."""
        turn, request = committed.turn, committed.decision.handoff
        if committed.decision.outcome is TurnOutcome.FORWARDED and committed.decision.state.fields != turn.state.fields:
            self.handoffs.update_card(turn.conversation, completed_by(turn.snapshot), committed.decision.state)
        if request is None or not committed.effects:
            return
        last = (HistoryLine(role="user", text=turn.text), HistoryLine(role="assistant", text=committed.text))
        history = (*turn.history, *(line for line in last if line.text))
        self.handoffs.finish(
            turn.conversation, request, committed.decision.state, committed.effects, history=history, deadline=deadline
        )

    def _hand_over_refused(self, committed: Committed, report: SendReport, run: TurnRun) -> TurnResult | None:
        """An answer that the channel does not take: people are told, unless they were just called."""
        request = handoff_for_report(report)
        if request is None or committed.decision.handoff is not None:
            return None
        return self.hand_over(
            committed.turn.conversation, request, deadline=run.deadline, effects_wait=run.effects_wait
        )

    def _tell_people_of_undelivered(self, pointer: InboundPointer, deadline: Deadline) -> TurnResult:
        """A failure that a status told after the fact: people learn of it, unless somebody knows by now."""
        request = handoff_for_undelivered(self.store.read(pointer.conversation, ensure=pointer.sk), pointer.sk)
        if request is None:
            return _nothing_to_do(pointer.conversation)
        return self.hand_over(pointer.conversation, request, deadline=deadline)

    def _write_off(self, run: TurnRun, outcome: TurnOutcome) -> None:
        """What was paid for and answers nothing: another worker was first, or the turn comes back later."""
        turn, calls = run.overtaken, len(run.journal.calls)
        if turn is None or not calls:
            return
        _log.warning("calls_discarded", extra={"conversation": turn.conversation, "calls": calls})
        try:
            self.committer.write_off(turn, run, outcome)
        except IntegrationError as error:  # nobody would come back for it: the messages are answered
            _log.error("ledger_incomplete", extra={"conversation": turn.conversation, "error": str(error)})

    def _note_spent_in_vain(self, run: TurnRun) -> None:
        """Calls of a run that ends without a commit, whatever ended it, count for the conversation all the same."""
        day = spending_day(self.catalog.hours.local_date(self.clock.now_ms()))
        note_spent(self.store, run.conversation, day=day, cost=run.journal.cost)

    def _new_run(self, conversation: str, sk: str | None, deadline: Deadline, forced: HandoffRequest | None) -> TurnRun:
        return TurnRun(
            conversation=conversation,
            sk=sk,
            deadline=deadline,
            forced=forced,
            journal=TurnJournal(self.price_of, self.meter.spent),
            started_at_ms=self.clock.now_ms(),
        )


def _nothing_to_do(conversation: str) -> TurnResult:
    result = TurnResult(outcome=TurnOutcome.ALREADY_ANSWERED)
    tell_turn(conversation, result)
    return result
