"""One turn (20-turn.md): read, decide, commit, send, hand over. A table of contents; each step has its own file."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.application.delivery.send_parts import OutboundService, SendReport
from core.application.delivery.undelivered import undelivered
from core.application.intake.identity_links import read_home
from core.application.journal import PriceOf, TurnJournal
from core.application.parser import LLMResponseParseError, ParsedLLMResponse, parse_llm_response
from core.application.people.handoff import HandoffService
from core.application.ports import AgentInvoker, Clock, ConversationStore
from core.application.turn.agent_rounds import AgentWork
from core.application.turn.commit import Committed, TurnCommitter
from core.application.turn.decision import Decision, TurnOutcome, TurnResult
from core.application.turn.failure_handoffs import AGENT_FAILURES, handoff_for
from core.application.turn.gates import GateKeeper, handed_off
from core.application.turn.opening import OpenTurn, open_turn
from core.application.turn.second_chance import ReplyRepair
from core.application.turn.voice_notes import VoiceNotes, with_transcripts
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation import Mode, Snapshot
from core.domain.deadline import Deadline
from core.domain.errors import (
    IntegrationError,
    InvalidContractError,
    LLMError,
    NewcomerError,
    StoreConflictError,
)
from core.domain.handoff import OUR_DETAILS, HandoffReason, HandoffRequest
from core.domain.ledger import CallOutcome
from core.domain.messages import InboundPointer
from core.domain.policy import (
    RECEIVES_BEFORE_HANDOFF,
    RERUN_SECONDS_MAX,
    RERUNS_MAX,
    ConversationPolicy,
)
from core.domain.record_keys import is_part

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
    repairs: ReplyRepair
    voice_notes: VoiceNotes | None = None

    def execute(
        self,
        pointer: InboundPointer,
        *,
        deadline: Deadline,
        receive_count: int = 1,
        forced: HandoffRequest | None = None,
    ) -> TurnResult:
        """Answer everything pending in the pointer's conversation, once.

        Raises what the store raises; the caller reports the record failed and the queue brings it again. From the
        third receive on, no model is asked: the conversation goes to a person. A pointer to a part of an answer says
        that WhatsApp could not deliver it.
        """
        if is_part(pointer.sk):
            return self._undelivered(pointer, deadline)
        if receive_count >= RECEIVES_BEFORE_HANDOFF and forced is None:
            forced = HandoffRequest(reason=HandoffReason.INTERNAL_ERROR, detail="repeated_failure")
        return self._run(pointer.conversation, pointer.sk, deadline, forced)

    def hand_over(self, conversation: str, request: HandoffRequest, *, deadline: Deadline) -> TurnResult:
        """A handoff that no message asks for: overdue messages, an answer that cannot be delivered."""
        return self._run(conversation, None, deadline, request)

    def _undelivered(self, pointer: InboundPointer, deadline: Deadline) -> TurnResult:
        """A failure that a status told after the fact: people learn of it, unless somebody knows by now."""
        snapshot = self.store.read(pointer.conversation, ensure=pointer.sk)
        request = undelivered(snapshot, pointer.sk)
        if request is None:
            return TurnResult(outcome=TurnOutcome.ALREADY_ANSWERED)
        return self.hand_over(pointer.conversation, request, deadline=deadline)

    def _run(self, conversation: str, sk: str | None, deadline: Deadline, forced: HandoffRequest | None) -> TurnResult:
        committed = self._decide_and_commit(conversation, sk, deadline, forced)
        if committed is None:
            return TurnResult(outcome=TurnOutcome.ALREADY_ANSWERED)
        conversation = committed.turn.conversation
        report = self.outbound.send(conversation, committed.parts, deadline)
        self._finish(committed, deadline)
        if report.refused_for_good is not None and committed.decision.handoff is None:
            detail = str(report.refused_for_good.code or report.refused_for_good.failure.value)
            request = HandoffRequest(reason=HandoffReason.OUTSIDE_WINDOW, detail=detail)
            return self.hand_over(conversation, request, deadline=deadline)
        return self._result(committed, report)

    def _decide_and_commit(
        self, conversation: str, sk: str | None, deadline: Deadline, forced: HandoffRequest | None
    ) -> Committed | None:
        """Run until a commit stands; None when there is nothing (more) to do, whoever did it."""
        started_at_ms = self.clock.now_ms()
        journal = TurnJournal(self.price_of)
        overtaken: OpenTurn | None = None
        heard: dict[str, str] = {}
        while True:
            snapshot = with_transcripts(read_home(self.store, conversation, ensure=sk), heard)
            now_ms = self.clock.now_ms()
            turn = open_turn(snapshot, catalog=self.catalog, policy=self.policy, now_ms=now_ms)
            if turn is None or not _is_due(snapshot, sk):
                if sk is not None and snapshot.inbound(sk) is None:
                    _log.warning("pointer_without_message", extra={"conversation": conversation})
                self._write_off(overtaken, journal, started_at_ms)
                return None
            if journal.reruns == 0 and turn.inbounds:
                self.outbound.acknowledge(turn.newest.recipient, turn.newest.message.provider_id)
            if forced is None:
                turn = self._listened(turn, heard, journal, deadline)
            decision = self._decide(turn, journal, deadline, forced)
            late = journal.reruns >= RERUNS_MAX or now_ms - started_at_ms > RERUN_SECONDS_MAX * 1000
            try:
                return self.committer.commit(
                    turn,
                    decision,
                    journal,
                    deadline=deadline,
                    started_at_ms=started_at_ms,
                    guard_in_rev=decision.guard_in_rev and not late,
                )
            except StoreConflictError as conflict:
                newcomer = isinstance(conflict, NewcomerError)
                _log.info("turn_overtaken", extra={"conversation": conversation, "newcomer": newcomer})
                journal.restart()
                overtaken = turn

    def _listened(self, turn: OpenTurn, heard: dict[str, str], journal: TurnJournal, deadline: Deadline) -> OpenTurn:
        """The turn with the words of its voice notes; `heard` keeps them for a rerun."""
        if self.voice_notes is None or not self.gates.listens(turn):
            return turn
        heard.update(self.voice_notes.hear(turn, tried=heard, journal=journal, deadline=deadline))
        snapshot = with_transcripts(turn.snapshot, heard)
        return open_turn(snapshot, catalog=self.catalog, policy=self.policy, now_ms=turn.opened_at_ms) or turn

    def _decide(
        self, turn: OpenTurn, journal: TurnJournal, deadline: Deadline, forced: HandoffRequest | None
    ) -> Decision:
        decision = self.gates.decide(turn, journal=journal, forced=forced)
        if decision is not None:
            return decision
        work = AgentWork(turn=turn, state=turn.state, journal=journal, catalog=self.catalog)
        try:
            return work.run(lambda: self._invoke_and_parse(work, journal, deadline))
        except AGENT_FAILURES as error:
            if isinstance(error, InvalidContractError):
                journal.mark_last(CallOutcome.REJECTED)
            return self._handle_llm_failure(turn, handoff_for(error))

    def _invoke_and_parse(self, work: AgentWork, journal: TurnJournal, deadline: Deadline) -> ParsedLLMResponse:
        """One model reply, parsed strictly, with one repair (document 000)."""
        seconds = deadline.model_seconds()
        try:
            answer = self.invoker.invoke(work.request(), timeout_seconds=seconds)
        except LLMError as error:
            journal.failed(error, self.invoker.requested_model(work.agent), work.purpose)
            raise
        journal.answered(answer, work.purpose)
        raw = answer.result.raw_response
        try:
            return parse_llm_response(raw)
        except LLMResponseParseError as error:
            _log.warning("llm_response_parse_retry", extra={"kind": error.kind.value, "position": error.position})
            return self._try_repair_llm_response_format(raw, error, journal, deadline)

    def _try_repair_llm_response_format(
        self, raw: str, error: LLMResponseParseError, journal: TurnJournal, deadline: Deadline
    ) -> ParsedLLMResponse:
        """Locally, else with one model call; raises the original error when neither saves the reply (document 000)."""
        return self.repairs.repair(raw, error, journal, deadline)

    def _handle_llm_failure(self, turn: OpenTurn, request: HandoffRequest) -> Decision:
        """Document 002's single way out of a model that failed: a visible handoff with a fixed text."""
        _log.error("llm_failure_handoff", extra={"reason": request.reason.value, "detail": request.detail})
        return handed_off(turn, request.reason, request.detail)

    def _finish(self, committed: Committed, deadline: Deadline) -> None:
        """What may take time, after the customer has been told."""
        request = committed.decision.handoff
        if request is None or not committed.effects:
            return
        self.handoffs.finish(
            committed.turn,
            request,
            committed.decision.state,
            committed.effects,
            said=committed.text,
            deadline=deadline,
        )

    def _result(self, committed: Committed, report: SendReport) -> TurnResult:
        request = committed.decision.handoff
        return TurnResult(
            outcome=committed.decision.outcome,
            turn_id=committed.turn.turn_id,
            reason=request.reason.value if request else "",
            detail=_loggable_detail(request),
            model_calls=len(committed.journal.calls),
            sent_parts=report.sent,
        )

    def _write_off(self, overtaken: OpenTurn | None, journal: TurnJournal, started_at_ms: int) -> None:
        """What was paid for and answers nothing, because another worker was first."""
        if overtaken is None or not journal.calls:
            return
        _log.warning("calls_discarded", extra={"conversation": overtaken.conversation, "calls": len(journal.calls)})
        try:
            self.committer.write_off(overtaken, journal, started_at_ms=started_at_ms)
        except IntegrationError as error:  # nobody would come back for it: the messages are answered
            _log.error("ledger_incomplete", extra={"conversation": overtaken.conversation, "error": str(error)})


def _loggable_detail(request: HandoffRequest | None) -> str:
    """An agent words its own reason, and may quote the customer: the ledger has it, the log does not."""
    if request is None or (request.reason is HandoffReason.AGENT_REQUESTED and request.detail not in OUR_DETAILS):
        return ""
    return request.detail


def _is_due(snapshot: Snapshot, sk: str | None) -> bool:
    """A message while it is pending; a handoff of its own while nobody has taken over, or messages wait."""
    if sk is not None:
        return sk in snapshot.head.pending
    return snapshot.head.mode is not Mode.HUMAN or bool(snapshot.head.pending)
