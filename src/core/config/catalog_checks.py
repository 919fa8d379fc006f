"""What must hold between the entries of a catalogue: unique names, known fields, groups of more than one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from core.domain.catalogue.catalog import Catalog, Option, Service
from core.domain.text import fold_key


def catalog_mistakes(catalog: Catalog) -> list[str]:
    """Every mistake between entries, by table and key."""
    problems: list[str] = []
    _names(catalog, problems)
    _fields(catalog, problems)
    _services(catalog, problems)
    if catalog.prices.package and catalog.package(catalog.prices.package) is None:
        problems.append(f"prices: package names {catalog.prices.package!r}, which is no package")
    return problems


def _names(catalog: Catalog, problems: list[str]) -> None:
    """No two entries of a kind may answer to the same name."""
    kinds: Mapping[str, Sequence[Option | Service]] = {
        "segments": catalog.segments,
        "services": catalog.services,
        **{f"fields ({spec.id}).values": spec.values for spec in catalog.fields},
    }
    for kind, entries in kinds.items():
        names = [{fold_key(name) for name in (entry.id, entry.name, *entry.synonyms)} for entry in entries]
        ids = [entry.id for entry in entries]
        problems += _find_repeated(f"{kind}: id", ids)
        if len(set(ids)) == len(ids):
            problems += _find_repeated(f"{kind}: name or synonym", [name for own in names for name in own])
    problems += _find_repeated("fields: id", [spec.id for spec in catalog.fields])
    problems += _find_repeated("packages: id", [package.id for package in catalog.packages])


def _find_repeated(what: str, names: Iterable[str]) -> list[str]:
    return [f"{what} {name!r} stands more than once" for name, count in Counter(names).items() if count > 1]


def _fields(catalog: Catalog, problems: list[str]) -> None:
    known = {spec.id for spec in catalog.fields}
    groups = Counter(spec.one_of for spec in catalog.fields if spec.one_of)
    for spec in catalog.fields:
        if spec.one_of and groups[spec.one_of] == 1:
            problems.append(f"fields ({spec.id}): one_of {spec.one_of!r} has no other field")
        if spec.one_of in known:
            problems.append(f"fields ({spec.id}): one_of {spec.one_of!r} is a field's id")
        both = set(spec.required_at) & set(spec.optional_at)
        problems += [f"fields ({spec.id}): {agent} is both required_at and optional_at" for agent in both]


def _services(catalog: Catalog, problems: list[str]) -> None:
    if not catalog.services:
        problems.append("services is missing")
    known = {spec.id for spec in catalog.fields}
    for service in catalog.services:
        if service.asks_segment and not catalog.segments:
            problems.append(f"services ({service.id}): asks_segment, and there are no segments")
        for key, stages in (("required", service.required), ("optional", service.optional)):
            for agent, names in stages.items():
                where = f"services ({service.id}).{key}: {agent}"
                problems += [f"{where} names {name!r}, which is no field" for name in names if name not in known]
                problems += _find_repeated(where, names)
