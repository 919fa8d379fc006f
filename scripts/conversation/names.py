"""What people call the things that the table knows by ids: the catalogue's names, and those of stages and reasons."""

from __future__ import annotations

from core.domain.actions import Agent
from core.domain.catalogue.catalog import Catalog
from core.domain.handoff import REASON_NAMES, HandoffReason

_STAGES = {Agent.TRIAGEM: "Triagem", Agent.QUALIFICACAO: "Qualificação", Agent.COLETA: "Coleta"}


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

    def stage(self, identity: str) -> str:
        """A stage's."""
        return _STAGES[Agent(identity)] if identity in set(Agent) else _words(identity)

    def reason(self, identity: str, detail: str = "") -> str:
        """A handoff's: a sentence, and the detail that narrows it."""
        name = REASON_NAMES[HandoffReason(identity)] if identity in set(HandoffReason) else _words(identity)
        return f"{name} ({_words(detail)})" if detail else name


def _words(identity: str) -> str:
    return identity.replace("_", " ")
