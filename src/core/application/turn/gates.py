"""Decisions that need no model, in the order of docs/turn.md: opt-out, mode, age, limits, guard, media."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from core.application.journal import TurnJournal
from core.application.spend_meter import SpendMeter
from core.application.turn.decision import Decision, TurnOutcome, handed_off
from core.application.turn.opening import OpenTurn
from core.domain.conversation import GuardCounters, Mode
from core.domain.conversation_guard import (
    ChatMessage,
    ConversationGuard,
    GuardInput,
    GuardKind,
    GuardPolicy,
    GuardVerdict,
)
from core.domain.handoff import TECHNICAL_REASONS, HandoffReason, HandoffRequest
from core.domain.messages import InboundMessage, MessageKind
from core.domain.policy import PENDING_MAX, ConversationPolicy
from core.domain.short_replies import is_acceptance, is_opt_out
from core.domain.texts import FixedTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class GateKeeper:
    """Knows the limits and the fixed texts; remembers nothing between turns. `template` is for outside the window,
    `meter` what all conversations cost.
    """

    policy: ConversationPolicy
    guard_policy: GuardPolicy
    texts: FixedTexts
    meter: SpendMeter
    template: str = ""

    def decide(self, turn: OpenTurn, *, journal: TurnJournal, forced: HandoffRequest | None) -> Decision | None:
        """The first gate that has an answer; None leaves the turn to the agent."""
        if (decision := self._confirm_opt_out(turn)) is not None:
            return decision
        if not self.has_the_word(turn):
            return Decision(outcome=TurnOutcome.FORWARDED, state=turn.state, stay_human=True, guard_in_rev=False)
        gates: tuple[Callable[[OpenTurn], Decision | None], ...] = (
            self._answer_withdrawn,
            self._keep_wordless,
            self._stop_flood,
            self._hand_over_stale,
            self._answer_courtesy,
            self._stop_at_turn_limit,
            partial(self._stop_at_spend_limit, journal=journal),
            self._take_accepted_offer,
        )
        for gate in gates:
            if (decision := gate(turn)) is not None:
                return decision
        if forced is not None:
            return handed_off(turn, forced.reason, forced.detail)
        return self._stop_outside_window(turn) or self._ask_guard(turn, journal) or self._ask_to_type(turn)

    def listens(self, turn: OpenTurn, journal: TurnJournal) -> bool:
        """Whether voice notes are worth hearing: the bot has the conversation, and will read what was said."""
        stops = (self._stop_flood, self._hand_over_stale, self._stop_at_turn_limit)
        return (
            self.has_the_word(turn)
            and all(stop(turn) is None for stop in stops)
            and self.spend_limit(turn, journal) is None
        )

    def spend_limit(self, turn: OpenTurn, journal: TurnJournal) -> str | None:
        """Whose money is spent, `conversation` or `all`; None while models may be asked."""
        cap = self.policy.spend_per_day_micro_usd
        if cap and turn.snapshot.head.spent.get(turn.day, 0) + journal.cost >= cap:
            return "conversation"
        return "all" if self.meter.is_over() else None

    def has_the_word(self, turn: OpenTurn) -> bool:
        """Whether the bot answers: in a conversation that a person has it stays silent."""
        return turn.snapshot.head.mode is not Mode.HUMAN or self.resumes(turn)

    def resumes(self, turn: OpenTurn) -> bool:
        """An outage must not silence everybody for a day: nobody took a technical handoff in time."""
        head = turn.snapshot.head
        return (
            head.handoff_reason in TECHNICAL_REASONS
            and not head.handoff_acknowledged
            and head.handoff_since_ms is not None
            and turn.opened_at_ms - head.handoff_since_ms > self.policy.handoff_ack_minutes * 60_000
        )

    def _answer_withdrawn(self, turn: OpenTurn) -> Decision | None:
        """The customer took back everything before it was answered: there is nothing to say."""
        if not turn.inbounds or any(entry.message.kind is not MessageKind.REVOKE for entry in turn.inbounds):
            return None
        return Decision(outcome=TurnOutcome.WITHDRAWN, state=turn.state)

    def _keep_wordless(self, turn: OpenTurn) -> Decision | None:
        """Nothing that could be answered, like a click on an ad without a word: the next turn's agent sees it."""
        if not turn.inbounds or any(_says_something(entry.message) for entry in turn.inbounds):
            return None
        return Decision(outcome=TurnOutcome.WORDLESS, state=turn.state)

    def _confirm_opt_out(self, turn: OpenTurn) -> Decision | None:
        if not is_opt_out(turn.typed):
            return None
        text = "" if turn.state.opted_out else self.texts.opt_out
        state = replace(turn.state, opted_out=True)
        people = not self.has_the_word(turn)
        return Decision(
            outcome=TurnOutcome.OPT_OUT, state=state, text=text, close=not people, stay_human=people, guard_in_rev=False
        )

    def _hand_over_stale(self, turn: OpenTurn) -> Decision | None:
        if any(entry.stale for entry in turn.inbounds):
            return handed_off(turn, HandoffReason.STALE)
        return None

    def _answer_courtesy(self, turn: OpenTurn) -> Decision | None:
        """ "obrigado" just after a close: one short reply at most, and no new session."""
        if not turn.courtesy:
            return None
        text = "" if turn.state.courtesy_answered else self.texts.courtesy
        state = replace(turn.state, courtesy_answered=True)
        return Decision(outcome=TurnOutcome.COURTESY, state=state, text=text, close=True)

    def _stop_at_turn_limit(self, turn: OpenTurn) -> Decision | None:
        hour_ago = turn.opened_at_ms - 3_600_000
        recent = sum(1 for ms in turn.state.recent_turns_ms if ms > hour_ago)
        return handed_off(turn, HandoffReason.TURN_LIMIT) if recent >= self.policy.turns_per_hour else None

    def _stop_at_spend_limit(self, turn: OpenTurn, *, journal: TurnJournal) -> Decision | None:
        limit = self.spend_limit(turn, journal)
        return None if limit is None else handed_off(turn, HandoffReason.SPEND_LIMIT, limit)

    def _stop_flood(self, turn: OpenTurn) -> Decision | None:
        """More than anybody writes before an answer: no agent would read it, and a person sees why at a glance."""
        many = len(turn.snapshot.head.pending) > PENDING_MAX
        return handed_off(turn, HandoffReason.TOO_MANY_MESSAGES) if many else None

    def _take_accepted_offer(self, turn: OpenTurn) -> Decision | None:
        if turn.state.pending_offer and is_acceptance(turn.typed):
            return handed_off(turn, HandoffReason.HUMAN_REQUESTED, "offer_accepted")
        return None

    def _stop_outside_window(self, turn: OpenTurn) -> Decision | None:
        """Processed so late that WhatsApp takes no text any more: no model is asked for one."""
        if turn.opened_at_ms < turn.window_closes_ms:
            return None
        if self.template:
            return Decision(outcome=TurnOutcome.TEMPLATE, state=turn.state, template=True)
        return handed_off(turn, HandoffReason.OUTSIDE_WINDOW, "before_sending")

    def _ask_guard(self, turn: OpenTurn, journal: TurnJournal) -> Decision | None:
        counters = turn.state.guard
        said = [ChatMessage(role=line.role, content=line.text) for line in turn.history if line.role == "user"]
        verdict = ConversationGuard.evaluate(
            GuardInput(
                messages=(*said[-2:], ChatMessage(role="user", content=turn.typed)),
                past_turns_without_progress=counters.turns_without_progress,
            ),
            policy=self.guard_policy,
        )
        journal.guard.update(
            kind=verdict.kind.value if verdict.kind else None,
            rule=verdict.rule,
            also_human=verdict.also_human,
            turns_without_progress=counters.turns_without_progress,
            frustrated_before=counters.frustrated,
            loop_answers_before=counters.loop_answers,
        )
        return self._climb(turn, verdict, counters) if verdict.preempt else None

    def _climb(self, turn: OpenTurn, verdict: GuardVerdict, counters: GuardCounters) -> Decision:
        """The ladder of docs/guard.md: an answer first, a person the second time, or at once when asked for."""
        wants_person = verdict.also_human and self.policy.handoff_enabled  # nobody to call: the anger is answered first
        if wants_person or verdict.kind is GuardKind.HUMAN_REQUEST:
            return self._serve_human_request(turn)
        if verdict.kind is GuardKind.FRUSTRATED:
            again, reason = counters.frustrated > 0, HandoffReason.FRUSTRATED
            counters = replace(counters, frustrated=counters.frustrated + 1)
        else:
            again, reason = counters.loop_answers > 0, HandoffReason.LOOP
            counters = replace(counters, loop_answers=counters.loop_answers + 1)
        state = replace(turn.state, guard=counters, pending_offer=self.policy.handoff_enabled)
        if again and self.policy.handoff_enabled:
            return replace(handed_off(turn, reason), state=replace(state, pending_offer=False))
        text = self.texts.guard.frustrated if verdict.kind is GuardKind.FRUSTRATED else self.texts.guard.loop
        if self.policy.handoff_enabled:
            text = f"{text}\n\n{self.texts.offer_person}"
        return Decision(outcome=TurnOutcome.GUARD, state=state, text=text)

    def _serve_human_request(self, turn: OpenTurn) -> Decision:
        if self.policy.handoff_enabled:
            return handed_off(turn, HandoffReason.HUMAN_REQUESTED)
        return Decision(outcome=TurnOutcome.GUARD, state=turn.state, text=self.texts.guard.human_request)

    def _ask_to_type(self, turn: OpenTurn) -> Decision | None:
        """A voice note that nobody could hear: one friendly request to type, then a person."""
        if turn.typed or any(entry.message.kind is not MessageKind.AUDIO for entry in turn.inbounds):
            return None
        if turn.state.asked_to_type:
            return handed_off(turn, HandoffReason.MEDIA_NOT_SUPPORTED)
        state = replace(turn.state, asked_to_type=True)
        return Decision(outcome=TurnOutcome.ASKED_TO_TYPE, state=state, text=self.texts.please_type)


def _says_something(message: InboundMessage) -> bool:
    return message.kind is not MessageKind.TEXT or bool(message.text.strip())
