"""One way to a person (docs/handoff.md): HEAD to `human` in the commit, the customer told once, then the queue item."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, replace

from core.application.journal import PriceOf, TurnJournal
from core.application.operational_summary import SummaryInput, generate_operational_summary, minimal_summary
from core.application.people.card import card_of
from core.application.ports import Clock, ConversationStore, HandoffNotifier, LLMClient
from core.application.spend_meter import SpendMeter, note_spent
from core.domain.agent_call import HistoryLine
from core.domain.catalogue.catalog import Catalog, is_open, next_opening
from core.domain.conversation import ConversationState, Effect, EffectKind, EffectState
from core.domain.deadline import LEAST_MODEL_SECONDS, Deadline
from core.domain.errors import IntegrationError
from core.domain.handoff import (
    AGENT_WORDED_REASONS,
    UNPAID_REASONS,
    HandoffReason,
    HandoffRequest,
    OperationalSummary,
)
from core.domain.language import language_of
from core.domain.llm import ModelRoute
from core.domain.record_keys import effect_sk
from core.domain.spending import spending_day
from core.domain.texts import FixedTexts

_log = logging.getLogger(__name__)

# An effect that its own process did not finish is the sweep's after this long.
EFFECT_GRACE_MS = 90_000
EFFECT_RETRY_MAX_MS = 900_000
SUMMARY_SECONDS_MAX = 20.0
# What is done here, in the process of the turn; other effects are the sweep's.
_FOR_PEOPLE = frozenset({EffectKind.HANDOFF, EffectKind.NOTIFY})


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffService:
    """Words a handoff, lists what must happen, and finishes it once the customer has been told."""

    store: ConversationStore
    llm: LLMClient
    notifier: HandoffNotifier | None
    clock: Clock
    catalog: Catalog
    texts: FixedTexts
    enabled: bool
    summary_route: ModelRoute
    summary_instructions: str
    price_of: PriceOf
    meter: SpendMeter

    def text_for(self, request: HandoffRequest, *, agent_text: str, now_ms: int) -> str:
        """What the customer reads: true in working hours or not, and true where nobody is there.

        `agent_text` is said where the reason lets the agent speak. Nothing when the channel would not deliver it.
        """
        if request.reason is HandoffReason.OUTSIDE_WINDOW:
            return ""
        open_now = is_open(self.catalog, now_ms)
        opening = "" if open_now else next_opening(self.catalog, now_ms)
        # an agent that announces a transfer where nobody is there would be corrected by its own last line
        if self.enabled and request.reason in AGENT_WORDED_REASONS and agent_text:
            language = language_of(agent_text)
            opening = "" if open_now else next_opening(self.catalog, now_ms, language=language)
            return self.texts.with_hours(
                agent_text, open_now=open_now, enabled=self.enabled, next_opening=opening, language=language
            )
        return self.texts.for_handoff(request.reason, open_now=open_now, enabled=self.enabled, next_opening=opening)

    def effects(
        self,
        turn_id: str,
        request: HandoffRequest,
        *,
        now_ms: int,
        unread: tuple[str, ...] = (),
        at_once: bool = False,
    ) -> tuple[Effect, ...]:
        """Queue item and, where somebody listens, notification: committed with the turn, done after the send; due
        `at_once` where its process will not do them. The queue item shows `unread`, what was written for the customer
        and did not reach them.
        """
        if not self.enabled:
            return ()
        known = {"reason": request.reason.value, "detail": request.detail, "waiting_since_ms": now_ms}
        kinds = (EffectKind.HANDOFF, EffectKind.NOTIFY) if self.notifier else (EffectKind.HANDOFF,)
        return tuple(
            Effect(
                sk=effect_sk(turn_id, kind.value),
                turn=turn_id,
                kind=kind,
                state=EffectState.PENDING,
                created_at_ms=now_ms,
                payload={**known, "unread": list(unread)} if unread and kind is EffectKind.HANDOFF else known,
                due_ms=now_ms if at_once else now_ms + EFFECT_GRACE_MS,
            )
            for kind in kinds
        )

    def finish(
        self,
        conversation: str,
        request: HandoffRequest,
        state: ConversationState,
        effects: tuple[Effect, ...],
        *,
        history: tuple[HistoryLine, ...],
        deadline: Deadline,
    ) -> bool:
        """Summary, then queue item, then notification. A failure leaves its effect due, and says False; nothing is
        raised for it.

        A summary that an earlier try wrote is kept: it was paid for.
        """
        effects = tuple(effect for effect in effects if effect.kind in _FOR_PEOPLE)
        if not effects:
            return True
        journal = TurnJournal(self.price_of, self.meter.spent)
        if not all("summary" in effect.payload for effect in effects):
            facts = card_of(request, state, history, self.catalog)
            summary = self._summary(facts, journal, deadline, paid=request.reason not in UNPAID_REASONS)
            written = {"summary": asdict(summary), "calls": [asdict(call) for call in journal.calls]}
            effects = tuple(replace(effect, payload={**effect.payload, **written}) for effect in effects)
        # first: a table that fails with an effect has it done again, and its summary paid for again
        day = spending_day(self.catalog.hours.local_date(self.clock.now_ms()))
        note_spent(self.store, conversation, day=day, cost=journal.cost)
        finished = [self._finish_effect(conversation, effect) for effect in effects]
        return all(finished)

    def update_card(self, conversation: str, turn_id: str | None, state: ConversationState) -> None:
        """Corrected facts on a card that people have; a card that is still to be written reads the state itself."""
        effect = self.store.read_effect(conversation, effect_sk(turn_id, EffectKind.HANDOFF.value)) if turn_id else None
        if effect is None or "summary" not in effect.payload:
            return
        request = HandoffRequest(reason=HandoffReason(str(effect.payload["reason"])))
        summary = {**effect.payload["summary"], "dados_coletados": dict(card_of(request, state, (), self.catalog).data)}
        self.store.update_effect(conversation, replace(effect, payload={**effect.payload, "summary": summary}))
        _log.info("card_corrected", extra={"conversation": conversation})

    def _summary(
        self, facts: SummaryInput, journal: TurnJournal, deadline: Deadline, *, paid: bool
    ) -> OperationalSummary:
        if not paid:
            return minimal_summary(facts)
        seconds = min(deadline.seconds_left() - 5.0, SUMMARY_SECONDS_MAX)
        if seconds < LEAST_MODEL_SECONDS:
            _log.warning("summary_skipped", extra={"reason": "deadline"})
            return minimal_summary(facts)
        return generate_operational_summary(
            facts,
            llm=self.llm,
            route=self.summary_route,
            instructions=self.summary_instructions,
            timeout_seconds=seconds,
            journal=journal,
        )

    def _finish_effect(self, conversation: str, effect: Effect) -> bool:
        if effect.kind is EffectKind.NOTIFY and self.notifier is not None:
            try:
                self.notifier.notify(
                    conversation=conversation, reason=str(effect.payload["reason"]), payload=effect.payload
                )
            except IntegrationError as error:
                _log.error("handoff_notification_failed", extra={"error": type(error).__name__})
                due_ms = self.clock.now_ms() + min(EFFECT_GRACE_MS * 2**effect.attempt, EFFECT_RETRY_MAX_MS)
                later = replace(effect, state=EffectState.FAILED, attempt=effect.attempt + 1, due_ms=due_ms)
                self.store.update_effect(conversation, later)
                return False
        self.store.update_effect(conversation, replace(effect, state=EffectState.DONE, due_ms=None))
        return True
