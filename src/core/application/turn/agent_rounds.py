"""An agent's rounds within one turn, and what they build up: stage, state, packages, observations."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.application.actions.action_mapping import Transition, dispatch, further_context_requests, read_action
from core.application.journal import TurnJournal
from core.application.parser import ParsedLLMResponse
from core.application.reply.egress_check import check_egress
from core.application.reply.transfer_check import promise_check
from core.application.turn.decision import Decision, TurnOutcome, handed_off
from core.application.turn.opening import OpenTurn
from core.domain.actions import SILENT_CODES, AgentAction
from core.domain.agent_call import AgentRequest
from core.domain.catalogue.catalog import RESERVED_KEYS, Catalog
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError, BalcaoError, InvalidContractError
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.ledger import CallOutcome
from core.domain.llm import CallPurpose
from core.domain.policy import REFUSALS_RUNNING_MAX, SILENT_ROUNDS_MAX
from core.domain.progress import progressed

_log = logging.getLogger(__name__)

# An agent that asks again for what it has been given would ask for ever.
ALREADY_SUPPLIED = "o que você pediu já está no contexto: responda ao cliente com o que tem"


class UnsafeTextError(BalcaoError):
    """A reply that parses and must not be sent; `findings` name what it carries."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(",".join(findings))
        self.findings = tuple(findings)


class SilentLoopError(BalcaoError):
    """The agent asked for one silent round more than a turn has."""


@dataclass(slots=True, kw_only=True)
class AgentRounds:
    """Asks to be fed: `next` says what the agent is to be told, `take` reads what it answered, until it speaks.

    Mutable on purpose: it lives for the rounds of one run. Knows no model; silent rounds add context or change the
    agent.
    """

    turn: OpenTurn
    journal: TurnJournal
    catalog: Catalog
    state: ConversationState
    packages: tuple[str, ...] = ()
    observations: list[str] = field(default_factory=list)
    silent_rounds: int = 0
    progress: bool = False
    corrected: bool = False
    purpose: CallPurpose = CallPurpose.AGENT
    decision: Decision | None = None

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
        """One reply that parsed. Raises `InvalidContractError` and `UnsafeTextError`."""
        action = read_action(parsed, agent=self.state.stage)
        self.journal.codes.append(int(action.code))
        if action.code not in SILENT_CODES:
            action = self._fit_to_send(action, parsed)
        transition = self._dispatch(action)
        if transition is None:
            return
        if transition.silent:
            self.journal.mark_last(CallOutcome.SILENT)
            self._go_on(transition, self._known_packages(parsed.message))
        else:
            self.decision = self._decide_answer(action, transition)

    def _fit_to_send(self, action: AgentAction, parsed: ParsedLLMResponse) -> AgentAction:
        """Accepted is not safe to send (docs/contract.md, "Egress check")."""
        checked = check_egress(action.message, placeholders=self.catalog.field_ids, parsed_object=parsed.json_part)
        self.journal.egress_findings.extend(checked.findings)
        if checked.unsafe:
            self.journal.mark_last(CallOutcome.REJECTED)
            raise UnsafeTextError(checked.findings)
        return action if checked.text == action.message else replace(action, message=checked.text)

    def _dispatch(self, action: AgentAction) -> Transition | None:
        """The action's effect on the state; None when its fault goes back to the agent for another round."""
        try:
            transition = dispatch(
                action,
                state=self.state,
                catalog=self.catalog,
                written_text=self.turn.written,
                source=self.turn.newest.sk,
                supplied_packages=self.packages,
            )
        except ActionError as error:
            self.journal.action_errors.append(error.kind)
            self.journal.mark_last(CallOutcome.REJECTED)
            extra = {"kind": error.kind, "field": self._known_name(error.field), "code": int(action.code)}
            _log.warning("action_error", extra=extra)
            if self.corrected:
                raise InvalidContractError(error.kind, field=error.field) from error
            self._observe(error)
            return None
        if transition.dropped_fields:
            # the names are the model's own words and may quote a customer: the ledger's raw reply has them
            _log.warning("unknown_field_dropped", extra={"fields": len(transition.dropped_fields)})
        return transition

    def _observe(self, error: ActionError) -> None:
        """Feed a fault of state back to the agent, once per turn (document 004: the error is the feedback).

        What was good in the faulty reply is kept.
        """
        if error.kept is not None:
            self.progress = self.progress or progressed(self.state, error.kept)
            self.state = error.kept
        self.observations.append(": ".join(part for part in (error.kind, error.field, error.reason) if part))
        self.corrected = True
        self.silent_rounds += 1
        self.purpose = CallPurpose.ACTION_RETRY

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
        """The agent has spoken: what that decides, promises and limits included."""
        state = self._settle_state(transition)
        if state.refusals_running >= REFUSALS_RUNNING_MAX:
            return replace(handed_off(self.turn, HandoffReason.TURN_LIMIT, "refusals"), state=state)
        handoff = transition.handoff
        promises = promise_check(action.message)
        if promises.transfer and handoff is None:
            handoff = HandoffRequest(reason=HandoffReason.AGENT_REQUESTED, detail="promised_in_text")
        for kind in promises.unbacked:
            _log.info("unbacked_promise", extra={"kind": kind})
        decision = Decision(
            outcome=TurnOutcome.ANSWERED,
            state=state,
            text=action.message,
            kind=transition.kind,
            citations=transition.citations,
            rationale=action.rationale,
            close=transition.closed,
        )
        if handoff is None:
            return decision
        handed = handed_off(self.turn, handoff.reason, handoff.detail, text=action.message)
        return replace(handed, state=state, rationale=action.rationale, close=transition.completed)

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
