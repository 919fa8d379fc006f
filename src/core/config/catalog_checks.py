"""What must hold between the entries of a catalogue: unique names, known fields, groups of more than one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.config.mistakes import Mistake
from core.domain.catalogue.catalog import Catalog, Option, Service
from core.domain.text import fold_key

_FILE = "catalog.toml"


def catalog_mistakes(catalog: Catalog) -> list[Mistake]:
    """Every mistake between entries, by table and key."""
    found = (_of_names(catalog), _of_fields(catalog), _of_services(catalog), _of_prices(catalog))
    return [mistake for each in found for mistake in each]


def _mistake(table: str, what: str, key: str = "") -> Mistake:
    return Mistake(file=_FILE, table=table, key=key, what=what)


def _of_names(catalog: Catalog) -> Iterator[Mistake]:
    """No two entries of a kind may answer to the same name."""
    kinds: Mapping[str, Sequence[Option | Service]] = {
        "segments": catalog.segments,
        "services": catalog.services,
        **{f"fields ({spec.id}).values": spec.values for spec in catalog.fields},
    }
    for kind, entries in kinds.items():
        names = [{fold_key(name) for name in (entry.id, entry.name, *entry.synonyms)} for entry in entries]
        ids = [entry.id for entry in entries]
        yield from _repeated(kind, "id", ids)
        if len(set(ids)) == len(ids):
            yield from _repeated(kind, "name or synonym", [name for own in names for name in own])
    yield from _repeated("fields", "id", [spec.id for spec in catalog.fields])
    yield from _repeated("packages", "id", [package.id for package in catalog.packages])


def _repeated(table: str, key: str, names: Iterable[str]) -> Iterator[Mistake]:
    for name, count in Counter(names).items():
        if count > 1:
            yield _mistake(table, f"{name!r} stands more than once", key)


def _of_fields(catalog: Catalog) -> Iterator[Mistake]:
    known = {spec.id for spec in catalog.fields}
    groups = Counter(spec.one_of for spec in catalog.fields if spec.one_of)
    for spec in catalog.fields:
        table = f"fields ({spec.id})"
        if spec.one_of and groups[spec.one_of] == 1:
            yield _mistake(table, f"{spec.one_of!r} has no other field", "one_of")
        if spec.one_of in known:
            yield _mistake(table, f"{spec.one_of!r} is a field's id", "one_of")
        for agent in set(spec.required_at) & set(spec.optional_at):
            yield _mistake(table, "is both required_at and optional_at", agent)


def _of_services(catalog: Catalog) -> Iterator[Mistake]:
    if not catalog.services:
        yield _mistake("", "is missing", "services")
    known = {spec.id for spec in catalog.fields}
    for service in catalog.services:
        if service.asks_segment and not catalog.segments:
            yield _mistake(f"services ({service.id})", "is set, and there are no segments", "asks_segment")
        for key, stages in (("required", service.required), ("optional", service.optional)):
            table = f"services ({service.id}).{key}"
            for agent, names in stages.items():
                for name in names:
                    if name not in known:
                        yield _mistake(table, f"names {name!r}, which is no field", agent)
                yield from _repeated(table, agent, names)


def _of_prices(catalog: Catalog) -> Iterator[Mistake]:
    named = catalog.prices.package
    if named and catalog.package(named) is None:
        yield _mistake("prices", f"names {named!r}, which is no package", "package")
