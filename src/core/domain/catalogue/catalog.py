"""What the company offers and asks: its `catalog.toml` as data, and what follows from it for a conversation.

Written by `core.config.catalog_file`; everything that a turn looks up is prepared once, when the catalogue is made.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from core.domain.actions import DATA_KEYS, Agent
from core.domain.catalogue.entries import (
    DEFAULT_MAX_LENGTH,
    Company,
    FieldScope,
    FieldSpec,
    FieldType,
    IfDeclined,
    Limits,
    Option,
    Package,
    PricePolicy,
    Service,
)
from core.domain.catalogue.index import CatalogIndex, build_index
from core.domain.catalogue.opening_hours import OpeningHours
from core.domain.language import ENGLISH, PORTUGUESE
from core.domain.text import fold_key
from core.domain.values.field_value import FieldStatus

if TYPE_CHECKING:
    from core.domain.conversation import ConversationState

__all__ = [
    "DATA_KEYS",
    "DEFAULT_MAX_LENGTH",
    "PREVIOUS_SESSION",
    "RESERVED_KEYS",
    "SEGMENT",
    "SERVICE",
    "Catalog",
    "Company",
    "FieldScope",
    "FieldSpec",
    "FieldType",
    "IfDeclined",
    "Limits",
    "OpeningHours",
    "Option",
    "Package",
    "PricePolicy",
    "Service",
    "earliest_open_stage",
    "entry_requirements",
    "is_earlier",
    "is_open",
    "missing_fields",
    "next_opening",
    "next_stage",
    "optional_fields",
    "required_fields",
    "unmet_requirements",
]

SERVICE = "service"
SEGMENT = "segment"
PREVIOUS_SESSION = "PREVIOUS_SESSION"
# Keys of the reply itself: never a field's name, filtered out of flat data (docs/contract.md, "Data").
RESERVED_KEYS = frozenset(
    {
        "s",
        "reason",
        "agent",
        SERVICE,
        SEGMENT,
        "context_needed",
        "declined",
        "extra_requests",
        "citations",
        "rationale",
        "kind",
        "message",
        *DATA_KEYS,
    }
)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The whole file, in its order. `neutral_words` are words of the trade that the guard must not take as abuse."""

    company: Company
    services: tuple[Service, ...]
    fields: tuple[FieldSpec, ...]
    segments: tuple[Option, ...] = ()
    packages: tuple[Package, ...] = ()
    hours: OpeningHours = dataclasses.field(default_factory=OpeningHours)
    neutral_words: tuple[str, ...] = ()
    prices: PricePolicy = dataclasses.field(default_factory=PricePolicy)
    limits: Limits = dataclasses.field(default_factory=Limits)
    _index: CatalogIndex = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index = build_index(services=self.services, segments=self.segments, fields=self.fields, packages=self.packages)
        object.__setattr__(self, "_index", index)

    @property
    def ids(self) -> frozenset[str]:
        """Every id of a service, option, field and package, folded: names that no text for customers holds."""
        return self._index.ids

    def service(self, name: str | None) -> Service | None:
        """By id, name or synonym, whatever the accents and case."""
        return self._index.services.get(fold_key(name)) if name else None

    def segment(self, name: str | None) -> Option | None:
        """By id, name or synonym, whatever the accents and case."""
        return self._index.segments.get(fold_key(name)) if name else None

    def field(self, name: str) -> FieldSpec | None:
        """By id, whatever the accents, case and separators."""
        return self._index.fields.get(fold_key(name))

    def fields_named(self, name: str) -> tuple[FieldSpec, ...]:
        """A field by its id, or all of a `one_of` group by its name; empty when neither is known."""
        spec = self.field(name)
        return (spec,) if spec else self._index.groups.get(fold_key(name), ())

    def package(self, name: str) -> Package | None:
        """By id, whatever the case and separators."""
        return self._index.packages.get(fold_key(name))

    def option(self, spec: FieldSpec, name: str) -> Option | None:
        """A value of an enum field, by id, name or synonym."""
        return self._index.options.get((spec.id, fold_key(name)))

    def alternatives(self, spec: FieldSpec) -> tuple[FieldSpec, ...]:
        """The fields of which one suffices, in ask order; the field alone when it has no alternatives."""
        return self._index.groups.get(spec.one_of, (spec,)) if spec.one_of else (spec,)


def required_fields(catalog: Catalog, agent: Agent, service: str | None) -> tuple[FieldSpec, ...]:
    """What a stage must end with for a service, in ask order, every alternative of a `one_of` group included."""
    index = catalog._index  # noqa: SLF001 -- the index is this module's own
    return index.required.get((agent, service), index.required[agent, None])


def optional_fields(catalog: Catalog, agent: Agent, service: str | None) -> tuple[FieldSpec, ...]:
    """What a stage may ask for beside that: taken when offered, never insisted upon."""
    index = catalog._index  # noqa: SLF001 -- the index is this module's own
    return index.optional.get((agent, service), index.optional[agent, None])


def missing_fields(catalog: Catalog, state: ConversationState, agent: Agent) -> tuple[FieldSpec, ...]:
    """The required fields still to be asked, in ask order; of an open `one_of` group, each that was not declined."""
    required = required_fields(catalog, agent, state.service)
    return tuple(spec for spec in required if spec.id not in state.fields and not _is_settled(catalog, state, spec))


def entry_requirements(catalog: Catalog, state: ConversationState, agent: Agent) -> tuple[str, ...]:
    """What is missing before a stage may begin: `service`, `segment`, ids of earlier stages' fields. Empty: it may."""
    earlier = (stage for stage in Agent if is_earlier(stage, agent))
    return tuple(name for stage in earlier for name in unmet_requirements(catalog, state, stage))


def unmet_requirements(catalog: Catalog, state: ConversationState, agent: Agent) -> tuple[str, ...]:
    """What is missing before a stage may end: `service` and `segment` are Triagem's, beside the fields of each."""
    missing = tuple(spec.id for spec in missing_fields(catalog, state, agent))
    return (*_missing_choice(catalog, state), *missing) if agent is Agent.TRIAGEM else missing


def next_stage(catalog: Catalog, state: ConversationState) -> Agent | None:
    """The first stage after this one with something still to be asked; None when nothing is left."""
    later = (stage for stage in Agent if is_earlier(state.stage, stage))
    return next((stage for stage in later if unmet_requirements(catalog, state, stage)), None)


def earliest_open_stage(catalog: Catalog, state: ConversationState) -> Agent | None:
    """The first stage of all with something still to be asked: where a change of service takes the work back to."""
    return next((stage for stage in Agent if unmet_requirements(catalog, state, stage)), None)


def is_earlier(stage: Agent, than: Agent) -> bool:
    """Stages in the order of the work."""
    order = tuple(Agent)
    return order.index(stage) < order.index(than)


def is_open(catalog: Catalog, at_ms: int) -> bool:
    """Whether people answer at that moment, by the company's own clock."""
    return catalog.hours.is_open(at_ms)


def next_opening(catalog: Catalog, at_ms: int, *, language: str = PORTUGUESE) -> str:
    """When people next begin to answer, as a customer reads it: `segunda-feira às 8h`; "" when not known."""
    if language == PORTUGUESE:
        return catalog.hours.next_opening_text(at_ms)
    opens = catalog.hours.next_opening(at_ms)
    if opens is None:
        return ""
    return f"{opens:%B} {opens.day}, {opens:%H:%M}" if language == ENGLISH else f"{opens:%d/%m}, {opens:%H:%M}"


def _missing_choice(catalog: Catalog, state: ConversationState) -> tuple[str, ...]:
    service = catalog.service(state.service)
    if service is None:
        return (SERVICE,)
    return (SEGMENT,) if service.asks_segment and state.segment is None else ()


def _is_settled(catalog: Catalog, state: ConversationState, spec: FieldSpec) -> bool:
    """Whether the group has a value, or a refusal that closes it (one that only asks for an alternative does not)."""
    for member in catalog.alternatives(spec):
        entry = state.fields.get(member.id)
        if entry is None:
            continue
        if entry.status is FieldStatus.KNOWN or member.if_declined is not IfDeclined.ALTERNATIVE:
            return True
    return False
