"""Reads a company's `catalog.toml`; every mistake in it is told at once, by table and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.config.catalog_checks import catalog_mistakes
from core.config.mistakes import CompanyFilesError, Mistake
from core.config.toml_table import TomlTable
from core.domain.actions import Agent, RefusalReason
from core.domain.catalogue.catalog import (
    DEFAULT_MAX_LENGTH,
    PREVIOUS_SESSION,
    RESERVED_KEYS,
    Catalog,
    Company,
    FieldScope,
    FieldSpec,
    FieldType,
    IfDeclined,
    Limits,
    OpeningHours,
    Option,
    Package,
    PricePolicy,
    Service,
)
from core.domain.catalogue.opening_hours import WEEKDAYS, Shift

_FIELD_ID = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PACKAGE_ID = re.compile(r"[A-Z][A-Z0-9_]{0,39}")
_SHIFT = re.compile(r"([01]\d|2[0-4]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)")
_YEARLY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_NUMBERS = frozenset({FieldType.INTEGER, FieldType.DECIMAL})


CATALOG_FILE = "catalog.toml"


class CatalogFileError(CompanyFilesError):
    """The catalogue cannot be used."""


def load_catalog(path: str | Path) -> Catalog:
    """The catalogue of a file. Raises `CatalogFileError`, also when the file is not there or is no TOML."""
    catalog, mistakes = read_catalog(path)
    if mistakes or catalog is None:
        raise CatalogFileError(path, mistakes)
    return catalog


def read_catalog(path: str | Path) -> tuple[Catalog | None, Sequence[Mistake]]:
    """The catalogue as far as it can be read, and everything that is wrong with it; None for what is no TOML."""
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return None, (Mistake(file=CATALOG_FILE, what=f"cannot be read: {error}"),)
    mistakes: list[Mistake] = []
    return _catalog(TomlTable(CATALOG_FILE, "", content, mistakes)), mistakes


def _catalog(top: TomlTable) -> Catalog:
    catalog = Catalog(
        company=_company(top.table("company")),
        prices=_price_policy(top.table("prices")),
        limits=_limits(top.table("limits")),
        segments=_options(top, "segments"),
        fields=tuple(_field(table, order) for order, table in enumerate(top.tables("fields"))),
        services=tuple(_service(table) for table in top.tables("services")),
        packages=tuple(_package(table) for table in top.tables("packages")),
        hours=_hours(top),
        neutral_words=top.texts("neutral_words"),
    )
    top.finish()
    top.mistakes += catalog_mistakes(catalog)
    return catalog


def _company(table: TomlTable) -> Company:
    company = Company(name=table.text("name"), offers=table.text("offers"), outcome=table.text("outcome"))
    table.finish()
    return company


def _price_policy(table: TomlTable) -> PricePolicy:
    prices = PricePolicy(
        policy=table.text("policy"),
        states_amounts=table.flag("amounts"),
        package=table.text("package", default="") or None,
    )
    table.finish()
    return prices


def _limits(table: TomlTable) -> Limits:
    refuse = table.table("refuse")
    limits = Limits(
        to_person=table.texts("to_person"),
        refuse={RefusalReason(key): refuse.text(key) for key in refuse.values if key in set(RefusalReason)},
    )
    refuse.finish()
    table.finish()
    return limits


def _options(parent: TomlTable, key: str) -> tuple[Option, ...]:
    return tuple(_option(table) for table in parent.tables(key))


def _option(table: TomlTable) -> Option:
    option = Option(id=_id(table), name=table.text("name"), synonyms=table.texts("synonyms"))
    table.finish()
    return option


def _field(table: TomlTable, order: int) -> FieldSpec:
    spec = FieldSpec(
        id=_id(table),
        name=table.text("name"),
        type=table.choice("type", FieldType) or FieldType.TEXT,
        scope=table.choice("scope", FieldScope) or FieldScope.SERVICE,
        question=table.text("question"),
        order=order,
        required_at=table.choices("required_at", Agent),
        optional_at=table.choices("optional_at", Agent),
        one_of=table.text("one_of", default="") or None,
        if_declined=table.choice("if_declined", IfDeclined, default=IfDeclined.ACCEPT) or IfDeclined.ACCEPT,
        values=_options(table, "values"),
        minimum=_decimal(table.number("min")),
        maximum=_decimal(table.number("max")),
        max_length=_max_length(table),
    )
    table.finish()
    _check_field(table, spec)
    return spec


def _service(table: TomlTable) -> Service:
    service = Service(
        id=_id(table),
        name=table.text("name"),
        description=table.text("description"),
        synonyms=table.texts("synonyms"),
        scope_note=table.text("scope_note", default=""),
        asks_segment=table.flag("asks_segment"),
        required=_by_stage(table.table("required")),
        optional=_by_stage(table.table("optional")),
        erp_product_code=table.integer("erp_product_code"),
    )
    table.finish()
    return service


def _package(table: TomlTable) -> Package:
    package = Package(
        id=_id(table, _PACKAGE_ID, "must be capital letters, digits and _"),
        title=table.text("title"),
        ask_when=table.text("ask_when"),
        built_by_code=table.flag("built_by_code"),
    )
    if package.built_by_code and package.id != PREVIOUS_SESSION:
        table.problem("built_by_code", f"is only for {PREVIOUS_SESSION}")
    table.finish()
    return package


def _by_stage(table: TomlTable) -> Mapping[Agent, tuple[str, ...]]:
    fields = {agent: table.texts(agent.value) for agent in Agent}
    table.finish()
    return {agent: names for agent, names in fields.items() if names}


def _id(
    table: TomlTable, pattern: re.Pattern[str] = _FIELD_ID, rule: str = "must be small letters, digits and _"
) -> str:
    identity = table.text("id")
    if identity and not pattern.fullmatch(identity):
        table.problem("id", f"{rule}, at most 40")
    return identity


def _decimal(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _max_length(table: TomlTable) -> int:
    length = table.integer("max_length")
    if length is not None and length < 1:
        table.problem("max_length", "must be at least 1")
    return DEFAULT_MAX_LENGTH if length is None else length


def _hours(top: TomlTable) -> OpeningHours:
    week = top.table("business_hours")
    hours = OpeningHours(
        timezone=_timezone(top),
        week=tuple(_shifts(week, day) for day in WEEKDAYS),
        holidays=frozenset(_holidays(top)),
    )
    week.finish()
    return hours


def _timezone(top: TomlTable) -> str:
    name = top.text("timezone")
    try:
        ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        top.problem("timezone", f"{name!r} is not a time zone")
    return name


def _shifts(week: TomlTable, day: str) -> tuple[Shift, ...]:
    shifts: list[Shift] = []
    for text in week.texts(day):
        match = _SHIFT.fullmatch(text)
        start, end = _minutes(match) if match else (0, 0)
        if start < end <= 1440 and (not shifts or shifts[-1].end <= start):
            shifts.append(Shift(start=start, end=end))
        else:
            week.problem(day, f"{text!r} is not a stretch like 08:00-12:00, after the one before it")
    return tuple(shifts)


def _minutes(match: re.Match[str]) -> tuple[int, int]:
    hours = [int(part) for part in match.groups()]
    return hours[0] * 60 + hours[1], hours[2] * 60 + hours[3]


def _holidays(top: TomlTable) -> Iterable[str]:
    for text in top.texts("holidays"):
        if not _is_holiday(text):
            top.problem("holidays", f"{text!r} is neither YYYY-MM-DD nor MM-DD")
        yield text


def _is_holiday(text: str) -> bool:
    if _YEARLY.fullmatch(text):
        text = f"2000-{text}"
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _check_field(table: TomlTable, spec: FieldSpec) -> None:
    if spec.id in RESERVED_KEYS:
        table.problem("id", "is a key of the reply itself")
    if (spec.type is FieldType.ENUM) != bool(spec.values):
        table.problem("values", "must be there for the type enum, and for it alone")
    if spec.type not in _NUMBERS and not (spec.minimum is None and spec.maximum is None):
        table.problem("min" if spec.maximum is None else "max", "is only for numbers")
    if spec.minimum is not None and spec.maximum is not None and spec.minimum > spec.maximum:
        table.problem("min", "is greater than max")
    if spec.if_declined is IfDeclined.ALTERNATIVE and spec.one_of is None:
        table.problem("if_declined", "is alternative, and one_of is missing")
