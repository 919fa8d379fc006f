"""Which log events are metrics: what each counts or measures, and by what it is told apart (docs/operations.md).

Rows name events that the code logs; the core knows no metric. A row's `by` is the field whose values are its dimension:
names of ours, never an id or a customer's word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Unit(StrEnum):
    """CloudWatch's own names."""

    COUNT = "Count"
    MILLISECONDS = "Milliseconds"
    NONE = "None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One metric of an event. `value` is the field that is measured, None to count events; `dimension` is what `by` is
    called in CloudWatch; `label` stands for the field's value where the event itself is the answer; `where` are the
    values that fields must have.
    """

    event: str
    metric: str
    unit: Unit = Unit.COUNT
    value: str | None = None
    by: str = ""
    label: str = ""
    where: Mapping[str, frozenset[str]] = field(default_factory=dict)
    dimension: str = ""


# The steps of a turn that `turn_done` measures.
STAGES = ("wait", "decide", "model", "send", "finish", "answer")

# What a run of the sweep did about what was due.
SWEEP_COUNTS = ("due", "done", "postponed", "failed", "left")


def _only(**fields: str) -> Mapping[str, frozenset[str]]:
    return {name: frozenset(value.split()) for name, value in fields.items()}


def _sends(event: str, outcome: str) -> Measure:
    return Measure(event=event, metric="Sends", by="outcome", label=outcome)


def _send_failures(event: str) -> Measure:
    return Measure(event=event, metric="SendFailures", by="failure", dimension="class")


def _ignored(event: str, label: str = "") -> Measure:
    return Measure(event=event, metric="WebhookIgnored", by="reason", label=label)


MEASURES = (
    # --- turns
    Measure(event="turn_done", metric="Turns", by="outcome"),
    Measure(event="turn_done", metric="Handoffs", by="reason", where=_only(outcome="handoff")),
    Measure(event="turn_done", metric="GuardVerdicts", by="guard", dimension="verdict"),
    *(
        Measure(
            event="turn_done",
            metric=f"Latency{stage.capitalize()}",
            unit=Unit.MILLISECONDS,
            value=f"{stage}_ms",
        )
        for stage in STAGES
    ),
    Measure(event="turn_overtaken", metric="Reruns"),
    Measure(event="second_chance", metric="SecondChances", by="kind"),
    Measure(event="llm_response_repair_success", metric="Repairs", by="method"),
    Measure(event="llm_response_repair_failed", metric="RepairsFailed"),
    # --- the provider
    Measure(event="model_called", metric="ModelCalls", by="purpose"),
    Measure(event="model_called", metric="ModelLatency", unit=Unit.MILLISECONDS, value="latency_ms", by="purpose"),
    Measure(event="model_called", metric="ModelFailures", by="failure"),
    Measure(event="model_called", metric="TokensInput", value="tokens_input"),
    Measure(event="model_called", metric="TokensCached", value="tokens_cached"),
    Measure(event="model_called", metric="TokensOutput", value="tokens_output"),
    Measure(event="model_called", metric="SpendMicroUsd", unit=Unit.NONE, value="micro_usd"),
    Measure(event="provider_refused", metric="ProviderAuthFailures", where=_only(failure="auth")),
    Measure(event="provider_refused", metric="ProviderQuotaExhausted", where=_only(failure="quota")),
    Measure(event="spend_per_hour_reached", metric="SpendPerHourReached"),
    # --- the channel
    _sends("part_sent", "sent"),
    _sends("send_unknown", "unknown"),
    _sends("send_refused", "refused"),
    _sends("send_failed", "refused"),
    _sends("channel_refused", "refused"),
    _sends("send_given_up", "given_up"),
    _send_failures("send_refused"),
    _send_failures("send_failed"),
    _send_failures("channel_refused"),
    Measure(event="channel_refused", metric="ChannelRefused"),
    Measure(event="answer_undelivered", metric="AnswersUndelivered"),
    # --- the webhook
    _ignored("webhook_refused"),
    _ignored("webhook_ignored"),
    _ignored("inbound_ignored"),
    _ignored("item_ignored"),
    _ignored("social_event_refused"),
    _ignored("webhook_handshake_refused", label="handshake"),
    Measure(event="webhook_refused", metric="SignaturesRefused", where=_only(reason="signature")),
    Measure(event="inbound_ignored", metric="MessagesForAnotherNumber", where=_only(reason="other_phone_number_id")),
    Measure(event="enqueue_failed", metric="EnqueueFailures", value="refused"),
    Measure(event="item_failed", metric="IntakeFailures"),
    # --- people
    Measure(event="handoff_unacknowledged", metric="HandoffsNotTaken"),
    Measure(event="handoff_notification_failed", metric="HandoffNotificationFailures"),
    # --- what is due
    *(
        Measure(event=event, metric=f"Sweep{count.capitalize()}", value=count)
        for event in ("sweep_done", "sweep_not_done")
        for count in SWEEP_COUNTS
    ),
    *(
        Measure(event=event, metric="UnreadableItems")
        for event in ("item_unreadable", "effect_unreadable", "conversation_unreadable")
    ),
    Measure(event="inbound_overdue", metric="MessagesOverdue"),
    # --- the functions
    Measure(event="record_failed", metric="RecordFailures", by="kind", label="failed"),
    Measure(event="record_unreadable", metric="RecordFailures", by="kind", label="unreadable"),
    Measure(event="start_up_failed", metric="StartUpFailures"),
    Measure(event="environment_started", metric="ColdStarts", by="function"),
    Measure(event="old_secret_serves", metric="OldSecretsServed"),
)
