"""The entries of a company's `catalog.toml`: what it offers, what it asks of customers, where its limits are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from core.domain.actions import Agent, RefusalReason

DEFAULT_MAX_LENGTH = 200


class FieldType(StrEnum):
    """How a raw value is read and checked (`values/read_value.py`)."""

    TEXT = "text"
    INTEGER = "integer"
    DECIMAL = "decimal"
    DATE = "date"
    ENUM = "enum"
    BOOLEAN = "boolean"
    CPF = "cpf"
    CNPJ = "cnpj"
    EMAIL = "email"
    PHONE = "phone"
    CITY = "city"


class FieldScope(StrEnum):
    """`service` values are cleared when the service changes; `customer` values are carried to the next session."""

    CUSTOMER = "customer"
    SERVICE = "service"


class IfDeclined(StrEnum):
    """What a refusal means: go on without it, ask for another of the `one_of` group, or let a person decide."""

    ACCEPT = "accept"
    ALTERNATIVE = "alternative"
    HANDOFF = "handoff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A value of an enum field, or a segment: `id` is stored, the others are recognised."""

    id: str
    name: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """A value asked of the customer. `order` is the ask order; `one_of` names a group of which one suffices.

    `required_at` and `optional_at` hold for every service; services add their own. `minimum` and `maximum` bound
    integers and decimals, `max_length` texts, in characters.
    """

    id: str
    name: str
    type: FieldType
    scope: FieldScope
    question: str
    order: int = 0
    required_at: tuple[Agent, ...] = ()
    optional_at: tuple[Agent, ...] = ()
    one_of: str | None = None
    if_declined: IfDeclined = IfDeclined.ACCEPT
    values: tuple[Option, ...] = ()
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    max_length: int = DEFAULT_MAX_LENGTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What the company does. `required` and `optional` hold field ids by stage; `scope_note` what is left out."""

    id: str
    name: str
    description: str
    synonyms: tuple[str, ...] = ()
    scope_note: str = ""
    asks_segment: bool = False
    required: Mapping[Agent, tuple[str, ...]] = field(default_factory=dict)
    optional: Mapping[Agent, tuple[str, ...]] = field(default_factory=dict)
    erp_product_code: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A text that agents may ask for with code 99; `built_by_code` ones have no file."""

    id: str
    title: str
    ask_when: str
    built_by_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """Who speaks: `offers` is what it sells, in a phrase; `outcome` what its people make of a finished conversation."""

    name: str
    offers: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePolicy:
    """What agents may say about money: with `states_amounts`, what packages state. `package` holds the policy whole."""

    policy: str = ""
    states_amounts: bool = False
    package: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What only a person settles, and what a refusal's reason means in this trade, beside what holds everywhere."""

    to_person: tuple[str, ...] = ()
    refuse: Mapping[RefusalReason, str] = field(default_factory=dict)
