"""What a customer corrects after the work is complete and before a person has come (docs/turn.md)."""

from __future__ import annotations

from core.application.turn.opening import OpenTurn
from core.domain.conversation import Mode, Snapshot
from core.domain.handoff import HandoffReason
from core.domain.short_replies import is_courtesy

TO_THE_AGENT = (
    "o atendimento está concluído e uma pessoa vai continuar; esta resposta não é enviada: use s=1 e registre nos "
    "dados só o que o cliente corrige ou acrescenta agora"
)


def may_correct(turn: OpenTurn) -> bool:
    """Whether the message may change what people were handed: nobody of theirs has spoken, and it is no thanks."""
    head = turn.snapshot.head
    return (
        head.mode is Mode.HUMAN
        and head.handoff_reason == HandoffReason.COMPLETED.value
        and bool(turn.typed.strip())
        and not any(line.role == "human" for line in turn.history)
        and not is_courtesy(turn.typed)
    )


def completed_by(snapshot: Snapshot) -> str | None:
    """The id of the turn that handed the conversation over, by what it said; None where it said nothing."""
    since = snapshot.head.handoff_since_ms
    return next((part.turn for part in snapshot.parts if since is not None and part.created_at_ms >= since), None)
