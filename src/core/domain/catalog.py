"""What the company offers and asks: `prompts/catalog.toml` as data, and what follows from it for a conversation.

Written by `core.config.catalog_file`; everything that a turn looks up is prepared once, when the catalogue is made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from core.domain.actions import Agent
from core.domain.catalog_entries import (
    DEFAULT_MAX_LENGTH,
    Company,
    FieldScope,
    FieldSpec,
    FieldType,
    IfDeclined,
    Option,
    Package,
    Service,
)
from core.domain.fields import FieldStatus
from core.domain.folding import fold_key
from core.domain.opening_hours import OpeningHours

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
    "OpeningHours",
    "Option",
    "Package",
    "Service",
    "entry_requirements",
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
# Keys of the reply itself: never a field's name, filtered out of flat data (10-contract.md, "Data").
DATA_KEYS = ("triage_data", "qualification_data", "collection_data")
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
    _index: _Index = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", _build_index(self))

    def service(self, name: str | None) -> Service | None:
        """By id, name or synonym, whatever the accents and case."""
        return self._index.services.get(fold_key(name)) if name else None

    def segment(self, name: str | None) -> Option | None:
        """By id, name or synonym, whatever the accents and case."""
        return self._index.segments.get(fold_key(name)) if name else None

    def field(self, name: str) -> FieldSpec | None:
        """By id, whatever the accents, case and separators."""
        return self._index.fields.get(fold_key(name))

    def package(self, name: str) -> Package | None:
        """By id, whatever the case and separators."""
        return self._index.packages.get(fold_key(name))

    def option(self, spec: FieldSpec, name: str) -> Option | None:
        """A value of an enum field, by id, name or synonym."""
        return self._index.options.get((spec.id, fold_key(name)))

    def alternatives(self, spec: FieldSpec) -> tuple[FieldSpec, ...]:
        """The fields of which one suffices, in ask order; the field alone when it has no alternatives."""
        return self._index.groups.get(spec.one_of, (spec,)) if spec.one_of else (spec,)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Index:
    services: Mapping[str, Service]
    segments: Mapping[str, Option]
    fields: Mapping[str, FieldSpec]
    packages: Mapping[str, Package]
    options: Mapping[tuple[str, str], Option]
    groups: Mapping[str, tuple[FieldSpec, ...]]
    required: Mapping[tuple[Agent, str | None], tuple[FieldSpec, ...]]
    optional: Mapping[tuple[Agent, str | None], tuple[FieldSpec, ...]]


_Named = TypeVar("_Named", Option, Service)


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
    return tuple(spec for spec in required if spec.id not in state.fields and not _settled(catalog, state, spec))


def entry_requirements(catalog: Catalog, state: ConversationState, agent: Agent) -> tuple[str, ...]:
    """What is missing before a stage may begin: `service`, `segment`, ids of earlier stages' fields. Empty: it may."""
    earlier = (stage for stage in Agent if stage is not agent and _before(stage, agent))
    return tuple(name for stage in earlier for name in unmet_requirements(catalog, state, stage))


def unmet_requirements(catalog: Catalog, state: ConversationState, agent: Agent) -> tuple[str, ...]:
    """What is missing before a stage may end: `service` and `segment` are Triagem's, beside the fields of each."""
    missing = tuple(spec.id for spec in missing_fields(catalog, state, agent))
    return (*_missing_choice(catalog, state), *missing) if agent is Agent.TRIAGEM else missing


def next_stage(catalog: Catalog, state: ConversationState) -> Agent | None:
    """The first stage with something still to be asked; None when nothing is left and the work is complete."""
    return next((stage for stage in Agent if unmet_requirements(catalog, state, stage)), None)


def is_open(catalog: Catalog, at_ms: int) -> bool:
    """Whether people answer at that moment, by the company's own clock."""
    return catalog.hours.is_open(at_ms)


def next_opening(catalog: Catalog, at_ms: int) -> str:
    """When people next begin to answer, as a customer reads it: `segunda-feira às 8h`; "" when not known."""
    return catalog.hours.next_opening_text(at_ms)


def _before(stage: Agent, agent: Agent) -> bool:
    order = tuple(Agent)
    return order.index(stage) < order.index(agent)


def _missing_choice(catalog: Catalog, state: ConversationState) -> tuple[str, ...]:
    service = catalog.service(state.service)
    if service is None:
        return (SERVICE,)
    return (SEGMENT,) if service.asks_segment and state.segment is None else ()


def _settled(catalog: Catalog, state: ConversationState, spec: FieldSpec) -> bool:
    """Whether the group has a value, or a refusal that closes it (one that only asks for an alternative does not)."""
    for member in catalog.alternatives(spec):
        entry = state.fields.get(member.id)
        if entry is None:
            continue
        if entry.status is FieldStatus.KNOWN or member.if_declined is not IfDeclined.ALTERNATIVE:
            return True
    return False


def _build_index(catalog: Catalog) -> _Index:
    groups: dict[str, tuple[FieldSpec, ...]] = {}
    for spec in _in_ask_order(catalog.fields):
        if spec.one_of:
            groups[spec.one_of] = (*groups.get(spec.one_of, ()), spec)
    stages = [(agent, service) for agent in Agent for service in (None, *catalog.services)]
    required = {_key(*stage): _required(catalog, groups, *stage) for stage in stages}
    optional = {_key(*stage): _optional(catalog, required[_key(*stage)], *stage) for stage in stages}
    options = {(spec.id, key): option for spec in catalog.fields for key, option in _named(spec.values).items()}
    return _Index(
        services=_named(catalog.services),
        segments=_named(catalog.segments),
        fields={fold_key(spec.id): spec for spec in catalog.fields},
        packages={fold_key(package.id): package for package in catalog.packages},
        options=options,
        groups=groups,
        required=required,
        optional=optional,
    )


def _key(agent: Agent, service: Service | None) -> tuple[Agent, str | None]:
    return agent, service.id if service else None


def _in_ask_order(specs: Iterable[FieldSpec]) -> tuple[FieldSpec, ...]:
    return tuple(sorted(specs, key=lambda spec: spec.order))


def _named(entries: Sequence[_Named]) -> Mapping[str, _Named]:
    """Every name of each entry; where two share one, ids win over names, names over synonyms."""
    synonyms = {fold_key(synonym): entry for entry in entries for synonym in entry.synonyms}
    names = {fold_key(entry.name): entry for entry in entries}
    return {**synonyms, **names, **{fold_key(entry.id): entry for entry in entries}}


def _required(
    catalog: Catalog, groups: Mapping[str, tuple[FieldSpec, ...]], agent: Agent, service: Service | None
) -> tuple[FieldSpec, ...]:
    named = service.required.get(agent, ()) if service else ()
    asked = [spec for spec in catalog.fields if agent in spec.required_at or spec.id in named]
    with_alternatives = {
        member.id: member for spec in asked for member in (groups[spec.one_of] if spec.one_of else (spec,))
    }
    return _in_ask_order(with_alternatives.values())


def _optional(
    catalog: Catalog, required: Sequence[FieldSpec], agent: Agent, service: Service | None
) -> tuple[FieldSpec, ...]:
    named = service.optional.get(agent, ()) if service else ()
    offered = [spec for spec in catalog.fields if agent in spec.optional_at or spec.id in named]
    return _in_ask_order(spec for spec in offered if spec not in required)
