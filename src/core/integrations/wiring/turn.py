"""The turn over any set of ports: the real ones in Lambda, fakes in tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor

from core.application.delivery.send_parts import OutboundService
from core.application.people.handoff import HandoffService
from core.application.people.last_resort import LastResort
from core.application.people.quotes import QuoteDesk
from core.application.ports import (
    AgentInvoker,
    Clock,
    ConversationStore,
    Erp,
    HandoffNotifier,
    LLMClient,
    MessageSender,
)
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.spend_meter import SpendMeter
from core.application.turn.commit import TurnCommitter
from core.application.turn.gates import GateKeeper
from core.application.turn.reply_check import ReplyCheck
from core.application.turn.second_chance import ReplyRepair
from core.application.turn.voice_notes import VoiceNotes
from core.channels.whatsapp.formatting.formatter import WhatsAppFormatter
from core.config.settings import Settings
from core.domain.catalogue.catalog import Catalog
from core.domain.conversation_guard import GuardPolicy
from core.domain.prompts import PromptSet


def wire_use_case(
    *,
    settings: Settings,
    store: ConversationStore,
    llm: LLMClient,
    invoker: AgentInvoker,
    sender: MessageSender,
    notifier: HandoffNotifier | None,
    clock: Clock,
    catalog: Catalog,
    prompts: PromptSet,
    fingerprints: Mapping[str, str],
    meter: SpendMeter | None = None,
    voice_notes: VoiceNotes | None = None,
    beside: Executor | None = None,
    erp: Erp | None = None,
) -> ProcessMessageUseCase:
    """The turn over any set of ports: the real ones in Lambda, fakes in tests and benchmarks. `beside` runs what
    nobody waits for.
    """
    policy = settings.conversation
    meter = meter or SpendMeter(counter=None, clock=clock, cap_micro_usd=policy.spend_per_hour_micro_usd)
    handoffs = _handoffs(settings, prompts, catalog, store=store, llm=llm, notifier=notifier, clock=clock, meter=meter)
    outbound = OutboundService(
        store=store,
        sender=sender,
        clock=clock,
        unknown_seconds=policy.outbox_unknown_seconds,
        people=policy.handoff_enabled,
        beside=beside,
    )
    formatter = WhatsAppFormatter()
    return ProcessMessageUseCase(
        store=store,
        invoker=invoker,
        outbound=outbound,
        handoffs=handoffs,
        gates=_gates(settings, catalog, prompts, meter),
        committer=TurnCommitter(
            store=store,
            formatter=formatter,
            handoffs=handoffs,
            quotes=QuoteDesk(store=store, erp=erp, clock=clock, catalog=catalog),
            clock=clock,
            policy=policy,
            fingerprints=fingerprints,
            template=settings.whatsapp.template,
        ),
        clock=clock,
        catalog=catalog,
        policy=policy,
        price_of=prompts.price,
        meter=meter,
        repairs=ReplyRepair(
            llm=llm,
            route=settings.models.summary_route,
            instructions=prompts.repair,
            tries_locally=policy.repair_local,
        ),
        reply_check=_reply_check(catalog, prompts),
        last_resort=LastResort(
            store=store, outbound=outbound, handoffs=handoffs, formatter=formatter, clock=clock, policy=policy
        ),
        voice_notes=voice_notes,
    )


def _handoffs(
    settings: Settings,
    prompts: PromptSet,
    catalog: Catalog,
    *,
    store: ConversationStore,
    llm: LLMClient,
    notifier: HandoffNotifier | None,
    clock: Clock,
    meter: SpendMeter,
) -> HandoffService:
    return HandoffService(
        store=store,
        llm=llm,
        notifier=notifier,
        clock=clock,
        catalog=catalog,
        texts=prompts.texts,
        enabled=settings.conversation.handoff_enabled,
        summary_route=settings.models.summary_route,
        summary_instructions=prompts.summary,
        price_of=prompts.price,
        meter=meter,
    )


def _reply_check(catalog: Catalog, prompts: PromptSet) -> ReplyCheck:
    questions = (spec.question for spec in catalog.fields)
    fixed = "\n".join((prompts.texts.everything, *questions))
    return ReplyCheck(catalog=catalog, packages="\n".join(prompts.packages.values()), fixed=fixed)


def _gates(settings: Settings, catalog: Catalog, prompts: PromptSet, meter: SpendMeter) -> GateKeeper:
    policy = settings.conversation
    guard_policy = GuardPolicy(neutral_words=frozenset(catalog.neutral_words), handoff_available=policy.handoff_enabled)
    return GateKeeper(
        policy=policy,
        guard_policy=guard_policy,
        texts=prompts.texts,
        template=settings.whatsapp.template,
        meter=meter,
    )
