"""Plays a case through the real use case, over a table in memory, a sender without a network and a clock."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from core.application.actions.action_mapping import read_action
from core.application.intake.customer_ids import conversation_ids_of
from core.application.intake.record_message import Intake
from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.ports import AgentInvoker, LLMClient
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.reply.local_repair import repair_locally
from core.config.settings import ModelSettings, Settings, WhatsAppSettings
from core.domain.actions import SILENT_CODES, Agent, AgentAction
from core.domain.conversation import ConversationState, Head, InboundRecord, LogEntry, Snapshot
from core.domain.deadline import Deadline
from core.domain.delivery import OutboundPart, PartState, Recipient
from core.domain.errors import ActionError, IntegrationError
from core.domain.handoff import HandoffReason
from core.domain.ledger import CallOutcome, TurnRecord
from core.domain.messages import InboundMessage, MessageKind, Sender
from core.domain.policy import ConversationPolicy
from core.domain.record_keys import inbound_sk, part_sk
from core.domain.values.field_value import FieldStatus, FieldValue
from core.integrations.wiring.turn import wire_use_case
from evaluation.cases import Case, Given
from evaluation.models import CommittedReplies
from replay.memory.outside import AcceptingSender
from replay.memory.store import MemoryConversationStore
from replay.playing.company import Company

# 2026-11-30 12:00 UTC, a Monday morning in São Paulo.
_MONDAY_MS = 1_796_040_000_000
_BEFORE_MS = 60_000
_FUNCTION_MS = 60_000
_NUMBER = "330000000000982"
_CUSTOMER = Sender(phone="5511980000101")
_KEY = "evaluation"
_OUTAGES = frozenset({HandoffReason.LLM_TIMEOUT, HandoffReason.DEADLINE, HandoffReason.INTERNAL_ERROR})
# The turn that left what is given.
_EARLIER_TURN = "0e0"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """One line and what came of it. `written` is all that the customer wrote so far, `said` what we did.

    `actions` are the replies that could be read, those included that were refused; `served` is the one that counted.
    """

    line: str
    record: TurnRecord
    state: ConversationState
    written: str
    said: str
    actions: tuple[AgentAction, ...]
    served: AgentAction | None

    @property
    def text(self) -> str:
        """What the customer read."""
        return self.record.reply.text if self.record.reply else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedCase:
    """`incomplete` says why nothing can be said of it, "" where it was played to its end."""

    case: Case
    turns: tuple[PlayedTurn, ...] = ()
    incomplete: str = ""

    @property
    def last(self) -> PlayedTurn:
        """The turn that is judged."""
        return self.turns[-1]

    @property
    def raw_replies(self) -> tuple[tuple[str, ...], ...]:
        """As `CommittedAnswer` holds them. A call without a raw reply failed, and gave none."""
        return tuple(
            tuple(call.raw_reply for call in turn.record.calls if call.raw_reply is not None) for turn in self.turns
        )


@dataclass(slots=True)
class _StandingClock:
    now: int = _MONDAY_MS

    def now_ms(self) -> int:
        return self.now


class _Desk:
    """One conversation, standing as the case says."""

    def __init__(
        self, case: Case, company: Company, invoker: AgentInvoker, llm: LLMClient, models: ModelSettings
    ) -> None:
        self._company, self._invoker, self._llm = company, invoker, llm
        self._clock, self._sender, self._ids = _StandingClock(), AcceptingSender(), itertools.count(1)
        self._store = MemoryConversationStore(self._clock)
        self._settings = Settings(
            table_name="memory",
            queue_url="",
            identity_key=_KEY,
            prompts_dir="",
            company=company.name,
            models=models,
            whatsapp=WhatsAppSettings(phone_number_id=_NUMBER),
            conversation=ConversationPolicy(),
        )
        self._conversation = conversation_ids_of(self._message(""), _KEY)[0]
        self._written = [text for speaker, text in case.given.history if speaker == "customer"]
        self._said = [text for speaker, text in case.given.history if speaker == "assistant"]
        if case.given != Given():
            self._store.lay(self._standing(case.given))

    def says(self, line: str) -> PlayedTurn:
        """The customer writes, and the turn runs."""
        self._clock.now += 5_000
        intake = Intake(
            store=self._store, clock=self._clock, identity_key=_KEY, phone_number_id=_NUMBER, stale_after_seconds=900
        )
        pointer = intake.record(self._message(line))
        if pointer is None:
            raise IntegrationError("the line is no message for a desk")
        deadline = Deadline(now_ms=self._clock.now_ms, ends_at_ms=self._clock.now + _FUNCTION_MS)
        self._use_case().execute(pointer, deadline=deadline)
        record = self._store.turns(self._conversation)[-1]
        self._written.append(line)
        actions = _read_actions(record)
        turn = PlayedTurn(
            line=line,
            record=record,
            state=self._store.state(self._conversation),
            written="\n".join(self._written),
            said="\n".join(self._said),
            actions=tuple(action for action, _ in actions),
            served=next((action for action, outcome in actions if outcome is CallOutcome.USED), None),
        )
        self._said.append(turn.text)
        return turn

    def _message(self, text: str) -> InboundMessage:
        return InboundMessage(
            provider_id=f"wamid.{next(self._ids):04d}",
            kind=MessageKind.TEXT,
            sender=_CUSTOMER,
            phone_number_id=_NUMBER,
            sent_at_ms=self._clock.now,
            text=text,
        )

    def _use_case(self) -> ProcessMessageUseCase:
        return wire_use_case(
            settings=self._settings,
            store=self._store,
            llm=self._llm,
            invoker=self._invoker,
            sender=self._sender,
            notifier=None,
            clock=self._clock,
            catalog=self._company.catalog,
            prompts=self._company.prompts,
            fingerprints={},
        )

    def _standing(self, given: Given) -> Snapshot:
        start_ms = self._clock.now - _BEFORE_MS
        log = tuple(self._entry(start_ms + 1_000 * at, at, *line) for at, line in enumerate(given.history))
        source = inbound_sk(start_ms, "0")
        fields = {
            name: FieldValue(status=FieldStatus.KNOWN, value=value, source=source)
            for name, value in given.known.items()
        }
        fields |= {name: FieldValue(status=FieldStatus.DECLINED, source=source) for name in given.declined}
        state = ConversationState(
            stage=given.stage,
            service=given.service,
            segment=given.segment,
            fields=fields,
            extra_requests=given.extra_requests,
            previous_session=given.previous_session,
            last_inbound_ms=start_ms,
        )
        head = Head(ver=1, in_rev=1, last_turn=_EARLIER_TURN, session_start_ms=start_ms)
        return Snapshot(conversation=self._conversation, head=head, state=state, log=log)

    def _entry(self, ms: int, at: int, speaker: str, text: str) -> LogEntry:
        if speaker == "customer":
            message = replace(self._message(text), sent_at_ms=ms)
            sk = inbound_sk(ms, f"{at:04d}")
            return InboundRecord(conversation=self._conversation, sk=sk, message=message, received_at_ms=ms)
        return OutboundPart(
            sk=part_sk(ms, _EARLIER_TURN, 1),
            turn=_EARLIER_TURN,
            number=1,
            text=text,
            recipient=Recipient(phone_number_id=_NUMBER, phone=_CUSTOMER.phone),
            state=PartState.SENT,
            created_at_ms=ms,
            attempt=1,
        )


def play_committed(case: Case, company: Company, replies: tuple[tuple[str, ...], ...], llm: LLMClient) -> PlayedCase:
    """The case with committed replies. One that is missing or left over makes it incomplete."""
    model = CommittedReplies()
    desk = _Desk(case, company, model, llm, ModelSettings(api_key=""))
    turns: list[PlayedTurn] = []
    unused = 0
    for line, raws in zip(case.customer, replies, strict=True):
        unused += model.begin(raws)
        turns.append(desk.says(line))
    unused += model.begin(())
    why = f"{model.missing} call(s) found no committed reply" if model.missing else ""
    why = why or (f"{unused} committed reply(ies) were never asked for" if unused else "")
    return PlayedCase(case=case, turns=tuple(turns), incomplete=why)


def play_live(
    case: Case, company: Company, *, invoker: AgentInvoker, llm: LLMClient, models: ModelSettings
) -> PlayedCase:
    """The case with a model. A call that failed for good makes it incomplete, whatever the desk did about it."""
    desk = _Desk(case, company, invoker, llm, models)
    turns = tuple(desk.says(line) for line in case.customer)
    reasons = {turn.record.handoff_reason for turn in turns} & _OUTAGES
    why = f"the model failed: {', '.join(sorted(map(str, reasons)))}" if reasons else ""
    return PlayedCase(case=case, turns=turns, incomplete=why)


def _read_actions(record: TurnRecord) -> list[tuple[AgentAction, CallOutcome]]:
    """Every visible reply of a turn that can be read. Coleta may use every code, so its payloads read all."""
    found = []
    for call in record.calls:
        action = _read_action(call.raw_reply) if call.raw_reply is not None else None
        if action is not None and action.code not in SILENT_CODES:
            found.append((action, call.outcome))
    return found


def _read_action(raw: str) -> AgentAction | None:
    try:
        parsed = parse_llm_response(raw)
    except LLMResponseParseError:
        repaired = repair_locally(raw)
        if repaired is None:
            return None
        parsed = repaired.parsed
    try:
        return read_action(parsed, agent=Agent.COLETA)
    except ActionError:
        return None
