"""An agent's rounds within one turn, and what they build up: stage, state, packages, observations."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.application.actions.action_mapping import (
    Transition,
    dispatch,
    further_context_requests,
    keep_facts,
    read_action,
)
from core.application.journal import TurnJournal
from core.application.parser import LLMResponseParseError, ParsedLLMResponse
from core.application.reply.invention_check import without_inventions
from core.application.reply.transfer_check import announces_transfer
from core.application.turn.decision import Decision, TurnOutcome, handed_off
from core.application.turn.opening import OpenTurn
from core.application.turn.reply_check import ReplyCheck
from core.domain.actions import SILENT_CODES, AgentAction
from core.domain.agent_call import AgentRequest
from core.domain.catalogue.catalog import RESERVED_KEYS, Catalog
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError, BalcaoError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose
from core.domain.policy import REFUSALS_RUNNING_MAX, SILENT_ROUNDS_MAX
from core.domain.progress import progressed

_log = logging.getLogger(__name__)

# An agent that asks again for what it has been given would ask for ever.
ALREADY_SUPPLIED = "o que você pediu já está no contexto: responda ao cliente com o que tem"


class UnsafeTextError(BalcaoError):
    """A reply that parses and must not be sent: `findings` name what it carries, `reason` tells the agent."""

    def __init__(self, findings: Sequence[str], reason: str) -> None:
        super().__init__(",".join(findings))
        self.findings = tuple(findings)
        self.reason = reason


class SilentLoopError(BalcaoError):
    """The agent asked for one silent round more than a turn has."""


ReplyFault = LLMResponseParseError | ActionError | UnsafeTextError
REPLY_FAULTS = (LLMResponseParseError, ActionError, UnsafeTextError)
"""What may be wrong with a reply: each costs at most one more call, and is a handoff only after that."""

_UNREADABLE = (
    "sua resposta não seguiu o formato: um objeto JSON com `s` inteiro e, logo depois dele, o texto ao cliente"
)
_TRANSFER = (
    "a mensagem diz que a conversa passa agora para outra pessoa, e isso só acontece com s=6 ou no fim do atendimento: "
    "use s=6 se só uma pessoa resolve, ou siga você"
)
_INVENTED = "não está nos pacotes, nos fatos nem no que o cliente disse: responda sem isso"


@dataclass(slots=True, kw_only=True)
class AgentRounds:
    """Asks to be fed: `next` says what the agent is to be told, `take` reads what it answered, until it speaks.

    Mutable on purpose: it lives for the rounds of one run. Knows no model. Silent rounds add context or change the
    agent; one reply of a turn may be refused and asked for again, with what was wrong with it.
    """

    turn: OpenTurn
    journal: TurnJournal
    catalog: Catalog
    check: ReplyCheck
    state: ConversationState
    packages: tuple[str, ...] = ()
    observations: list[str] = field(default_factory=list)
    silent_rounds: int = 0
    progress: bool = False
    second_chance: bool = True
    purpose: CallPurpose = CallPurpose.AGENT
    decision: Decision | None = None
    refused: ParsedLLMResponse | None = None

    @property
    def answer(self) -> Decision:
        """What the agent's answer decides, once `next` has nothing more to ask."""
        if self.decision is None:
            raise RuntimeError("the agent has not answered yet")
        return self.decision

    def next(self) -> AgentRequest | None:
        """What the agent is told now; None once it has answered the customer. Raises `SilentLoopError`."""
        if self.decision is not None:
            return None
        if self.silent_rounds > SILENT_ROUNDS_MAX:
            raise SilentLoopError
        return AgentRequest(
            agent=self.state.stage,
            service=self.state.service,
            segment=self.state.segment,
            known=self.state.fields,
            packages=self.packages,
            history=self.turn.history,
            pending_text=self.turn.text,
            observations=tuple(self.observations),
            extra_requests=self.state.extra_requests,
            previous_session=self.state.previous_session,
            round=self.silent_rounds + 1,
            purpose=self.purpose,
            conversation=self.turn.conversation,
        )

    def take(self, parsed: ParsedLLMResponse) -> None:
        """One reply that parsed. Raises a `ReplyFault`: what of it was good is kept."""
        self.refused = parsed
        action = read_action(parsed, agent=self.state.stage)
        self.journal.codes.append(int(action.code))
        if action.code not in SILENT_CODES:
            action = self._strip_debris(action, parsed)
        transition = self._dispatch(action)
        if transition.silent:
            self.journal.mark_last(CallOutcome.SILENT)
            self._go_on(transition, self._known_packages(parsed.message))
        else:
            self.decision = self._decide_answer(action, transition)
        if self.purpose is CallPurpose.ACTION_RETRY and self.decision is not None:
            self.journal.repair_method = "agent"
            _log.info("llm_response_repair_success", extra={"method": "agent"})

    def ask_again(self, fault: ReplyFault) -> None:
        """The turn's second chance: the same input, and what was refused. Raises the fault when it is spent."""
        parses = not isinstance(fault, LLMResponseParseError)
        if parses:
            self.journal.mark_last(CallOutcome.REJECTED)
        if isinstance(fault, ActionError):
            self.journal.action_errors.append(fault.kind)
            _log.warning("action_error", extra={"kind": fault.kind, "field": self._known_name(fault.field)})
        if (kept := self._kept_of(fault)) is not None:
            self.progress = self.progress or progressed(self.state, kept)
            self.state = kept
        if not self.second_chance:
            _log.warning("llm_response_repair_failed", extra={"reason": type(fault).__name__})
            raise fault
        self.second_chance = False
        self.journal.asked_again(_kind_of(fault))
        self.observations.append(_observation(fault))
        self.purpose = CallPurpose.ACTION_RETRY

    def _kept_of(self, fault: ReplyFault) -> ConversationState | None:
        """The state with what was good in the reply that was refused."""
        if isinstance(fault, ActionError) and fault.kept is not None:
            return fault.kept
        if isinstance(fault, LLMResponseParseError) or self.refused is None:
            return None
        return self.keep(self.refused)

    def keep(self, parsed: ParsedLLMResponse) -> ConversationState:
        """The state with the facts of a reply of which nothing else counts. Never raises for what they are."""
        return keep_facts(
            parsed,
            state=self.state,
            catalog=self.catalog,
            written_text=self.turn.written,
            source=self.turn.newest.sk,
            said_on=self.turn.written_on,
        )

    def _strip_debris(self, action: AgentAction, parsed: ParsedLLMResponse) -> AgentAction:
        checked = self.check.debris(action.message, parsed.json_part, self.turn)
        self.journal.egress_findings.extend(checked.findings)
        if checked.ask_again or not checked.text.strip():
            raise UnsafeTextError(
                checked.findings or ("empty",), checked.ask_again or "a mensagem ao cliente está vazia"
            )
        return action if checked.text == action.message else replace(action, message=checked.text)

    def _dispatch(self, action: AgentAction) -> Transition:
        transition = dispatch(
            action,
            state=self.state,
            catalog=self.catalog,
            written_text=self.turn.written,
            source=self.turn.newest.sk,
            supplied_packages=self.packages,
            said_on=self.turn.written_on,
        )
        if transition.dropped_fields:
            # the names are the model's own words and may quote a customer: the ledger's raw reply has them
            _log.warning("unknown_field_dropped", extra={"fields": len(transition.dropped_fields)})
        return transition

    def _go_on(self, transition: Transition, more_packages: Sequence[str]) -> None:
        """From a silent round: its data, its packages, its agent."""
        if transition.state.stage is self.state.stage and not transition.packages and not more_packages:
            self.observations.append(ALREADY_SUPPLIED)
        self.state = transition.state
        self.progress = self.progress or transition.progress
        wanted = (*self.packages, *transition.packages, *more_packages)
        self.packages = tuple(dict.fromkeys(wanted))
        self.journal.packages[:] = self.packages
        self.silent_rounds += 1
        self.purpose = CallPurpose.CONTEXT_ROUND

    def _decide_answer(self, action: AgentAction, transition: Transition) -> Decision:
        """The agent has spoken: what that decides. Raises `UnsafeTextError` for a text that would not be true."""
        state = self._settle_state(transition)
        handoff, text = transition.handoff, action.message
        if handoff is None and state.refusals_running >= REFUSALS_RUNNING_MAX:
            handoff = HandoffRequest(reason=HandoffReason.REFUSALS)
        if handoff is None and announces_transfer(text):
            self.journal.egress_findings.append("false_transfer")
            if self.second_chance:
                raise UnsafeTextError(("false_transfer",), _TRANSFER)
            handoff = HandoffRequest(reason=HandoffReason.AGENT_REQUESTED, detail="promised_in_text")
        text = self._without_inventions(text, transition.state, hands_over=handoff is not None)
        decision = Decision(
            outcome=TurnOutcome.ANSWERED,
            state=state,
            text=text,
            kind=transition.kind,
            citations=transition.citations,
            rationale=action.rationale,
            close=transition.closed,
        )
        if handoff is None:
            return decision
        handed = handed_off(self.turn, handoff.reason, handoff.detail, text=text)
        return replace(handed, state=state, rationale=action.rationale, close=transition.completed)

    def _without_inventions(self, text: str, state: ConversationState, *, hands_over: bool) -> str:
        """Asked again once; said again, the sentence is cut out where the rest still answers or asks."""
        found = self.check.inventions(text, self.turn, state)
        if not found:
            return text
        names = tuple(f"invented_{each.kind}" for each in found)
        self.journal.egress_findings.extend(names)
        if self.second_chance:
            raise UnsafeTextError(names, "; ".join(f"{each.what}: {_INVENTED}" for each in found))
        rest = without_inventions(text, found)
        if rest is None and not hands_over:
            raise UnsafeTextError(names, _INVENTED)
        return rest or ""

    def _settle_state(self, transition: Transition) -> ConversationState:
        """STATE after an answer: progress resets the loop counter, a refusal counts, an old offer lapses."""
        progress = self.progress or transition.progress
        guard = replace(
            transition.state.guard,
            turns_without_progress=0 if progress else transition.state.guard.turns_without_progress + 1,
            loop_answers=0 if progress else transition.state.guard.loop_answers,
        )
        return replace(
            transition.state,
            guard=guard,
            pending_offer=False,
            asked_to_type=False,
            packages_served=tuple(dict.fromkeys((*transition.state.packages_served, *self.packages))),
            refusals_running=transition.state.refusals_running + 1 if transition.refused else 0,
        )

    def _known_packages(self, tail: str) -> tuple[str, ...]:
        """Further context requests in the same silent reply, by their catalogue ids; unknown ones are no harm."""
        asked = (self.catalog.package(name) for name in further_context_requests(tail, agent=self.state.stage))
        return tuple(package.id for package in asked if package is not None)

    def _known_name(self, name: str | None) -> str | None:
        """A name that the catalogue or the contract has; what a model made up stays out of the log."""
        known = name is not None and (name in RESERVED_KEYS or self.catalog.field(name) is not None)
        return name if known else None


def _kind_of(fault: ReplyFault) -> str:
    """What was wrong, as a name of ours."""
    if isinstance(fault, ActionError):
        return "action"
    return "format" if isinstance(fault, LLMResponseParseError) else "text"


def _observation(fault: ReplyFault) -> str:
    """`kind: field: reason`, as the contract shows it to the agent."""
    match fault:
        case LLMResponseParseError():
            parts = (fault.kind.value, "", _UNREADABLE)
        case UnsafeTextError():
            parts = (fault.findings[0], "", fault.reason)
        case ActionError():
            parts = (fault.kind, fault.field or "", fault.reason)
    return ": ".join(part for part in parts if part)
