"""What a customer would say to a company of which only the catalogue is known: its first service, then the answers."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from core.domain.actions import Agent
from core.domain.catalogue.catalog import Catalog, FieldScope, FieldSpec, FieldType, IfDeclined, required_fields

TITLE = "1. Do primeiro pedido até a pessoa que atende"
NAME = "Lara Quintela"
_NUMBER = Decimal(2)
# Invented: a range of numbers that no operator gives out, a reserved domain, documents that belong to nobody.
_ANSWERS = {
    FieldType.DATE: "15/01/2030",
    FieldType.BOOLEAN: "sim",
    FieldType.CPF: "529.982.247-25",
    FieldType.CNPJ: "11.222.333/0001-81",
    FieldType.EMAIL: "lara@quintela.example",
    FieldType.PHONE: "(19) 3555-0123",
    FieldType.CITY: "Campinas",
}


def derived_lines(catalog: Catalog) -> tuple[str, ...]:
    """The lines, in the order of asking."""
    return tuple(_lines(catalog))


def _lines(catalog: Catalog) -> Iterator[str]:
    service = catalog.services[0]
    yield f"Oi, bom dia! Preciso de {service.name[0].lower()}{service.name[1:]}"
    if service.asks_segment:
        yield catalog.segments[0].name
    answered: set[str] = set()
    for agent in Agent:
        for spec in required_fields(catalog, agent, service.id):
            group = spec.one_of or spec.id
            if group not in answered:
                yield answer_to(spec)
            answered.add(group)


def answer_to(spec: FieldSpec) -> str:
    """A plausible answer to a field's question, by its type alone."""
    if spec.type is FieldType.ENUM:
        return spec.values[0].name
    if spec.type in (FieldType.INTEGER, FieldType.DECIMAL):
        return _number(spec)
    return _ANSWERS.get(spec.type) or _text(spec)


def _number(spec: FieldSpec) -> str:
    """Two, or what is nearest to it in the field's bounds."""
    number = _NUMBER if spec.minimum is None else max(_NUMBER, spec.minimum)
    number = number if spec.maximum is None else min(number, spec.maximum)
    return f"{number:f}".replace(".", ",")


def _text(spec: FieldSpec) -> str:
    """Of the customer, only what may not be declined is told: that is the name. A request may have anything in it."""
    if spec.scope is FieldScope.CUSTOMER:
        return "prefiro não informar" if spec.if_declined is IfDeclined.ACCEPT else NAME
    return "o mais comum"
