"""What people call the things that the table knows by ids: the catalogue's names, and those of stages and reasons."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.domain.actions import Agent
from core.domain.catalogue.catalog import Catalog, FieldType
from core.domain.handoff import HandoffReason

_STAGES = {Agent.TRIAGEM: "Triagem", Agent.QUALIFICACAO: "Qualificação", Agent.COLETA: "Coleta"}
_REASONS = {
    HandoffReason.HUMAN_REQUESTED: "o cliente pediu uma pessoa",
    HandoffReason.FRUSTRATED: "o cliente se irritou",
    HandoffReason.LOOP: "a conversa não saía do lugar",
    HandoffReason.AGENT_REQUESTED: "o assunto é de uma pessoa",
    HandoffReason.COMPLETED: "atendimento concluído",
    HandoffReason.LLM_INVALID_JSON: "o modelo respondeu fora do formato",
    HandoffReason.LLM_TIMEOUT: "o modelo não respondeu",
    HandoffReason.LLM_INVALID_CONTRACT: "o modelo respondeu fora do contrato",
    HandoffReason.LLM_UNSAFE_TEXT: "o texto do modelo não podia ser enviado",
    HandoffReason.SILENT_LOOP_EXCEEDED: "o modelo não chegou a uma resposta",
    HandoffReason.DEADLINE: "o tempo da resposta acabou",
    HandoffReason.STALE: "a mensagem chegou tarde demais",
    HandoffReason.OUTSIDE_WINDOW: "passou a janela de 24 horas",
    HandoffReason.MEDIA_NOT_SUPPORTED: "o cliente mandou o que não se abre",
    HandoffReason.TURN_LIMIT: "a conversa ficou longa demais",
    HandoffReason.INTERNAL_ERROR: "erro interno",
}


class Names:
    """Of one company. An id that is nobody's stays as it is, without underscores."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def service(self, identity: str) -> str:
        """A service's."""
        entry = self._catalog.service(identity)
        return entry.name if entry else _words(identity)

    def segment(self, identity: str) -> str:
        """A segment's."""
        entry = self._catalog.segment(identity)
        return entry.name if entry else _words(identity)

    def field(self, identity: str) -> str:
        """A field's."""
        spec = self._catalog.field(identity)
        return spec.name if spec else _words(identity)

    def package(self, identity: str) -> str:
        """A package's."""
        entry = self._catalog.package(identity)
        return entry.title if entry else _words(identity)

    def value(self, field: str, value: Any) -> str:
        """A value as a person writes it."""
        if isinstance(value, bool):
            return "sim" if value else "não"
        spec, text = self._catalog.field(field), str(value)
        if spec is not None and spec.type is FieldType.ENUM:
            option = self._catalog.option(spec, text)
            return option.name if option else text
        if spec is not None and spec.type is FieldType.DATE:
            return _day(text)
        return text

    def stage(self, identity: str) -> str:
        """A stage's."""
        return _STAGES[Agent(identity)] if identity in set(Agent) else _words(identity)

    def reason(self, identity: str, detail: str = "") -> str:
        """A handoff's: a sentence, and the detail that narrows it."""
        name = _REASONS[HandoffReason(identity)] if identity in set(HandoffReason) else _words(identity)
        return f"{name} ({_words(detail)})" if detail else name

    def motive(self, text: str) -> str:
        """A summary's reason for the handoff: `reason`, or `reason (detail)`."""
        identity, _, detail = text.partition(" (")
        return self.reason(identity, detail.removesuffix(")"))


def _words(identity: str) -> str:
    return identity.replace("_", " ")


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).strftime("%d/%m/%Y")
    except ValueError:
        return text
