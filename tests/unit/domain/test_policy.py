"""The limits of a conversation."""

from __future__ import annotations

from core.domain.policy import ConversationPolicy


def test_the_limits_of_a_conversation_are_those_of_the_settings_table() -> None:
    assert ConversationPolicy() == ConversationPolicy(
        repair_local=True,
        handoff_enabled=True,
        transcription_enabled=False,
        session_ttl_hours=24,
        history_max_messages=30,
        stale_after_seconds=900,
        retention_days=180,
        turns_per_hour=40,
        handoff_ack_minutes=15,
        handoff_idle_hours=24,
        outbox_unknown_seconds=120,
    )
