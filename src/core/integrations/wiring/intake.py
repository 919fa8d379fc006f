"""What every door does with a body. The process function takes raw ones too, and needs no other part of the webhook."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from core.application.intake.record_message import Intake
from core.application.intake.take_batch import BatchIntake
from core.application.ports import Clock, ConversationStore
from core.config.settings import DoorSettings, Settings


def build_batch_intake(
    settings: DoorSettings | Settings, *, store: ConversationStore, clock: Clock, threads: int
) -> BatchIntake:
    """What every door does with a body. Threads are started by the first body, and kept."""
    policy = settings.conversation
    intake = Intake(
        store=store,
        clock=clock,
        identity_key=settings.identity_key,
        phone_number_id=settings.whatsapp.phone_number_id,
        stale_after_seconds=policy.stale_after_seconds,
        retention_days=policy.retention_days,
        session_ttl_hours=policy.session_ttl_hours,
        handoff_idle_hours=policy.handoff_idle_hours,
        identity_trust_days=policy.identity_trust_days,
    )
    executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="record")
    return BatchIntake(intake=intake, store=store, executor=executor)
