"""The sweep's parts, apart from `factory`: a cold start of the process function does without them."""

from __future__ import annotations

from concurrent.futures import Executor

from core.application.delivery.due_parts import OutboxSweep
from core.application.people.data_rights import DataRights
from core.application.people.handoff_watch import HandoffWatch
from core.application.ports import AttendedStore, Clock
from core.application.process_message_use_case import ProcessMessageUseCase
from core.application.sweep_use_case import SweepUseCase
from core.domain.policy import ConversationPolicy
from core.domain.texts import FixedTexts


def wire_sweep(
    turns: ProcessMessageUseCase,
    *,
    store: AttendedStore,
    clock: Clock,
    policy: ConversationPolicy,
    texts: FixedTexts,
    executor: Executor,
) -> SweepUseCase:
    """The schedule's work around a wired turn; `executor` bounds how many conversations are worked on at once."""
    outbox = OutboxSweep(
        store=store, outbound=turns.outbound, clock=clock, unknown_seconds=policy.outbox_unknown_seconds
    )
    watch = HandoffWatch(
        store=store,
        outbound=turns.outbound,
        handoffs=turns.handoffs,
        quotes=turns.committer.quotes,
        formatter=turns.committer.formatter,
        clock=clock,
        policy=policy,
        texts=texts,
    )
    rights = DataRights(store=store, clock=clock)
    return SweepUseCase(
        store=store, turns=turns, outbox=outbox, handoffs=watch, rights=rights, clock=clock, executor=executor
    )
