"""A session that is over, in words: what the package PREVIOUS_SESSION tells an agent."""

from __future__ import annotations

from core.domain.conversation import ConversationState
from core.domain.values.field_value import FieldStatus


def describe_session(state: ConversationState) -> str | None:
    """What a session that is over was about, for the package PREVIOUS_SESSION."""
    if not state.service:
        return state.previous_session
    lines = [f"Serviço: {state.service}"]
    if state.segment:
        lines.append(f"Segmento: {state.segment}")
    known = (f"{name}: {v.value}" for name, v in state.fields.items() if v.status is FieldStatus.KNOWN)
    lines.extend(known)
    lines.extend(f"Pedido adicional: {text}" for text in state.extra_requests)
    return "\n".join(lines)
