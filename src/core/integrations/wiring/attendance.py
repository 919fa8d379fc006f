"""What attendants use, over any set of ports."""

from __future__ import annotations

from core.application.delivery.attendant_replies import AttendantOutbox
from core.application.delivery.send_parts import OutboundService
from core.application.people.attendance.desk import AttendantDesk
from core.application.ports import AttendedStore, Clock, MessageSender
from core.domain.policy import ConversationPolicy


def wire_desk(
    *, store: AttendedStore, sender: MessageSender, clock: Clock, policy: ConversationPolicy
) -> AttendantDesk:
    """Attendants' commands; replies leave by the same outbox as the bot's answers."""
    outbound = OutboundService(
        store=store,
        sender=sender,
        clock=clock,
        unknown_seconds=policy.outbox_unknown_seconds,
        people=policy.handoff_enabled,
    )
    outbox = AttendantOutbox(store=store, outbound=outbound, clock=clock)
    return AttendantDesk(store=store, outbox=outbox, clock=clock, policy=policy)
