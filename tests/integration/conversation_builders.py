"""Messages, parts, turns and commits for tests of the table: each with the least that it needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.domain.conversation import (
    ConversationState,
    Effect,
    EffectKind,
    EffectState,
    Head,
    InboundRecord,
    Snapshot,
    TurnCommit,
)
from core.domain.delivery import DeliveryStatus, OutboundPart, PartState, Recipient
from core.domain.ledger import TurnRecord
from core.domain.messages import InboundMessage, MessageKind, Sender
from tests.fakes.clock import MONDAY_MS

CONVERSATION = "3f9a"
PHONE_NUMBER_ID = "1067"


def inbound(
    name: str = "one",
    *,
    at_ms: int = MONDAY_MS,
    conversation: str = CONVERSATION,
    text: str = "Olá",
    kind: MessageKind = MessageKind.TEXT,
    received_at_ms: int | None = None,
    known_as: str | None = None,
    **message: Any,
) -> InboundRecord:
    """A message of the customer's, recorded as it was sent unless told otherwise."""
    said = InboundMessage(
        provider_id=f"wamid.{name}",
        kind=kind,
        sender=Sender(phone="5511900000000", name="Ana"),
        phone_number_id=PHONE_NUMBER_ID,
        sent_at_ms=at_ms,
        text=text,
        **message,
    )
    return InboundRecord(
        conversation=conversation,
        sk=f"M#{at_ms:013d}#i{name}",
        message=said,
        received_at_ms=at_ms if received_at_ms is None else received_at_ms,
        known_as=known_as,
    )


def part(number: int = 1, *, turn: str = "t1", at_ms: int = MONDAY_MS + 999, **fields: Any) -> OutboundPart:
    """A part of an answer: pending unless told otherwise."""
    given: dict[str, Any] = {"state": PartState.PENDING, **fields}
    return OutboundPart(
        sk=f"M#{at_ms:013d}#o{turn}.{number}",
        turn=turn,
        number=number,
        text=f"Parte {number}",
        recipient=Recipient(phone_number_id=PHONE_NUMBER_ID, phone="5511900000000"),
        created_at_ms=at_ms,
        **given,
    )


def sending(number: int = 1, *, attempt: int = 1, **fields: Any) -> OutboundPart:
    """A part that this process is sending."""
    lease = MONDAY_MS + 60_000
    return part(number, state=PartState.SENDING, attempt=attempt, lease_until_ms=lease, due_ms=lease, **fields)


def turn(name: str = "t1", *, at_ms: int = MONDAY_MS, **fields: Any) -> TurnRecord:
    """A turn's line in the ledger."""
    given: dict[str, Any] = {"inbound": (), "reply": None, "outcome": "answered", **fields}
    return TurnRecord(
        sk=f"T#{at_ms:013d}#{name}", turn=name, decided_at_ms=at_ms, started_at_ms=at_ms, wall_ms=900, **given
    )


def effect(kind: EffectKind = EffectKind.CRM, *, turn: str = "t1", **fields: Any) -> Effect:
    """A side effect that waits."""
    given: dict[str, Any] = {"state": EffectState.PENDING, "due_ms": MONDAY_MS + 30_000, **fields}
    return Effect(sk=f"E#{turn}#{kind}", turn=turn, kind=kind, created_at_ms=MONDAY_MS, **given)


def commit_of(
    snapshot: Snapshot,
    *,
    name: str = "t1",
    head: Head | None = None,
    state: ConversationState | None = None,
    answered: frozenset[str] | None = None,
    **fields: Any,
) -> TurnCommit:
    """A turn that answers everything that the snapshot has pending and leaves nothing due."""
    return TurnCommit(
        conversation=snapshot.conversation,
        seen=snapshot.head,
        head=replace(head or replace(snapshot.head, pending_since_ms=None, due_ms=None), last_turn=name),
        state=state or snapshot.state,
        turn=turn(name),
        answered=snapshot.head.pending if answered is None else answered,
        **fields,
    )


def status(said: str = "delivered", *, provider_id: str = "wamid.ours", **fields: Any) -> DeliveryStatus:
    """A status webhook."""
    return DeliveryStatus(
        provider_id=provider_id, status=said, at_ms=MONDAY_MS + 5_000, phone_number_id=PHONE_NUMBER_ID, **fields
    )
