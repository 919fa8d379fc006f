"""What of a turn is compared, in the order in which it is told (docs/replay.md, "What is compared")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from core.domain.conversation import ConversationState, Effect
from core.domain.delivery import OutboundPart
from core.domain.handoff import OUR_DETAILS, HandoffReason
from core.domain.ledger import TurnRecord
from core.integrations.dynamodb.plain_values import plain_to_state, to_plain

ASPECTS = ("code", "stage", "fields", "guard", "handoff", "packages", "checks", "effects", "calls")
"""A difference in one of these is a regression until it is accepted. Texts alone never are."""

Facts = Mapping[str, Any]


def facts_of(record: TurnRecord, effects: Sequence[Effect]) -> Facts:
    """Plain values by aspect. `calls` is left to whoever matched them."""
    state = state_after(record)
    return {
        "code": _present(
            codes=list(record.codes), outcome=record.outcome, kind=record.reply.kind.value if record.reply else None
        ),
        "stage": record.stage_after,
        "fields": _fields(state),
        "guard": _plain(record.guard),
        "handoff": _handoff(record),
        "packages": list(record.packages),
        "checks": _present(
            repair=record.repair_method, findings=list(record.egress_findings), errors=list(record.action_errors)
        ),
        "effects": sorted(f"{effect.kind.value}: {effect.payload.get('reason', '')}" for effect in effects),
        "calls": [],
    }


def state_after(record: TurnRecord) -> ConversationState:
    """STATE as the turn left it, whether the record was just made or read."""
    after = record.state_after
    return after if isinstance(after, ConversationState) else plain_to_state(after or {})


def text_of(parts: Sequence[OutboundPart]) -> str:
    """What the customer was sent."""
    return "\n".join(part.text for part in parts)


def _fields(state: ConversationState) -> Mapping[str, Any]:
    known = {name: to_plain(entry) for name, entry in sorted(state.fields.items())}
    values = {name: entry.get("value", entry["status"]) for name, entry in known.items()}
    return _present(service=state.service, segment=state.segment, values=values, extra=list(state.extra_requests))


def _handoff(record: TurnRecord) -> str:
    """The reason, and its detail where code has written it: a model words its own."""
    reason, detail = record.handoff_reason, record.handoff_detail
    ours = reason != HandoffReason.AGENT_REQUESTED.value or detail in OUR_DETAILS
    return f"{reason}: {detail}" if reason and detail and ours else reason or ""


def _plain(value: Any) -> Any:
    """The same whether it was just made or read from the table."""
    match value:
        case Enum():
            return value.value
        case Mapping():
            return {str(name): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    return value


def _present(**values: Any) -> Mapping[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, [], {})}
