"""Limits of a conversation, as the deployment sets them; the unit is in the name."""

from __future__ import annotations

from dataclasses import dataclass

SILENT_ROUNDS_MAX = 3
RERUNS_MAX = 2
RERUN_SECONDS_MAX = 20
REFUSALS_RUNNING_MAX = 3
# Both, before a turn that fails is handed to people without a model (docs/turn.md, "When things fail").
FAILURES_BEFORE_HANDOFF = 2
FAILING_SECONDS_BEFORE_HANDOFF = 120
COURTESY_AFTER_CLOSE_MINUTES = 60
PENDING_MAX = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationPolicy:
    """Defaults are those of .env.example, "Settings". A cap on money of 0 is none."""

    repair_local: bool = True
    handoff_enabled: bool = True
    transcription_enabled: bool = False
    session_ttl_hours: int = 24
    history_max_messages: int = 30
    stale_after_seconds: int = 900
    retention_days: int = 180
    turns_per_hour: int = 40
    spend_per_day_micro_usd: int = 500_000
    spend_per_hour_micro_usd: int = 20_000_000
    handoff_ack_minutes: int = 15
    handoff_idle_hours: int = 24
    owner_idle_minutes: int = 60
    outbox_unknown_seconds: int = 120
    identity_trust_days: int = 90
