"""What a turn looks up in the catalogue, prepared once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.domain.actions import Agent
from core.domain.catalogue.entries import FieldSpec, Option, Package, Service
from core.domain.text import fold_key


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogIndex:
    """Entries by their folded names; required and optional fields by stage and service, in ask order."""

    services: Mapping[str, Service]
    segments: Mapping[str, Option]
    fields: Mapping[str, FieldSpec]
    packages: Mapping[str, Package]
    options: Mapping[tuple[str, str], Option]
    ids: frozenset[str]
    groups: Mapping[str, tuple[FieldSpec, ...]]
    required: Mapping[tuple[Agent, str | None], tuple[FieldSpec, ...]]
    optional: Mapping[tuple[Agent, str | None], tuple[FieldSpec, ...]]


_Named = TypeVar("_Named", Option, Service)


def build_index(
    *,
    services: Sequence[Service],
    segments: Sequence[Option],
    fields: Sequence[FieldSpec],
    packages: Sequence[Package],
) -> CatalogIndex:
    """The index of a catalogue's entries."""
    groups: dict[str, tuple[FieldSpec, ...]] = {}
    for spec in _in_ask_order(fields):
        if spec.one_of:
            groups[spec.one_of] = (*groups.get(spec.one_of, ()), spec)
    stages = [(agent, service) for agent in Agent for service in (None, *services)]
    required = {_key(*stage): _index_required(fields, groups, *stage) for stage in stages}
    optional = {_key(*stage): _optional(fields, required[_key(*stage)], *stage) for stage in stages}
    options = {(spec.id, key): option for spec in fields for key, option in _index_by_name(spec.values).items()}
    names = [service.id for service in services] + [package.id for package in packages]
    names += [option.id for spec in fields for option in spec.values] + [spec.id for spec in fields]
    names += [segment.id for segment in segments]
    return CatalogIndex(
        services=_index_by_name(services),
        segments=_index_by_name(segments),
        fields={fold_key(spec.id): spec for spec in fields},
        packages={fold_key(package.id): package for package in packages},
        options=options,
        ids=frozenset(fold_key(name) for name in names),
        groups=groups,
        required=required,
        optional=optional,
    )


def _key(agent: Agent, service: Service | None) -> tuple[Agent, str | None]:
    return agent, service.id if service else None


def _in_ask_order(specs: Iterable[FieldSpec]) -> tuple[FieldSpec, ...]:
    return tuple(sorted(specs, key=lambda spec: spec.order))


def _index_by_name(entries: Sequence[_Named]) -> Mapping[str, _Named]:
    """Every name of each entry; where two share one, ids win over names, names over synonyms."""
    synonyms = {fold_key(synonym): entry for entry in entries for synonym in entry.synonyms}
    names = {fold_key(entry.name): entry for entry in entries}
    return {**synonyms, **names, **{fold_key(entry.id): entry for entry in entries}}


def _index_required(
    fields: Sequence[FieldSpec], groups: Mapping[str, tuple[FieldSpec, ...]], agent: Agent, service: Service | None
) -> tuple[FieldSpec, ...]:
    named = service.required.get(agent, ()) if service else ()
    asked = [spec for spec in fields if agent in spec.required_at or spec.id in named]
    with_alternatives = {
        member.id: member for spec in asked for member in (groups[spec.one_of] if spec.one_of else (spec,))
    }
    return _in_ask_order(with_alternatives.values())


def _optional(
    fields: Sequence[FieldSpec], required: Sequence[FieldSpec], agent: Agent, service: Service | None
) -> tuple[FieldSpec, ...]:
    named = service.optional.get(agent, ()) if service else ()
    offered = [spec for spec in fields if agent in spec.optional_at or spec.id in named]
    return _in_ask_order(spec for spec in offered if spec not in required)
