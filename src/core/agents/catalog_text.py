"""The catalogue as agents read it: one JSON object, an entry a line, the same bytes for the same file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from core.domain.actions import Agent
from core.domain.catalogue.catalog import (
    Catalog,
    FieldSpec,
    FieldType,
    IfDeclined,
    Package,
    Service,
    optional_fields,
    required_fields,
)

_TYPES = {
    FieldType.TEXT: "texto",
    FieldType.INTEGER: "inteiro",
    FieldType.DECIMAL: "decimal",
    FieldType.DATE: "data",
    FieldType.ENUM: "enum",
    FieldType.BOOLEAN: "booleano",
    FieldType.CPF: "cpf",
    FieldType.CNPJ: "cnpj",
    FieldType.EMAIL: "e-mail",
    FieldType.PHONE: "telefone",
    FieldType.CITY: "cidade",
}
_IF_DECLINED = {IfDeclined.ACCEPT: "aceitar", IfDeclined.ALTERNATIVE: "alternativa", IfDeclined.HANDOFF: "pessoa"}


def catalog_text(catalog: Catalog, agent: Agent) -> str:
    """`<catalogo>` with the company, its limits, services, segments, fields and packages; hours are no part of it.

    Coleta chooses no service and describes none: it reads by which names they go and which fields are whose.
    """
    sections = (
        ("servicos", [_service(catalog, service, agent) for service in catalog.services]),
        ("segmentos", [_entry_text(s.id, s.name, s.synonyms) for s in catalog.segments]),
        ("campos", [_field(spec) for spec in catalog.fields]),
        ("pacotes", [_package(package) for package in catalog.packages]),
    )
    body = ",\n".join(f'"{name}":[\n{_lines(entries)}\n]' for name, entries in sections)
    about = ",\n".join(f'"{name}":{_json(entry)}' for name, entry in _about(catalog).items())
    return f"<catalogo>\n{{{about},\n{body}}}\n</catalogo>"


def _about(catalog: Catalog) -> Mapping[str, Mapping[str, Any]]:
    company, prices, limits = catalog.company, catalog.prices, catalog.limits
    return {
        "empresa": _filled(nome=company.name, oferece=company.offers, resultado=company.outcome),
        "precos": _filled(informa_valores=prices.states_amounts, politica=prices.policy, pacote=prices.package),
        "limites": _filled(
            pessoa=list(limits.to_person), recusa={reason.value: text for reason, text in limits.refuse.items()}
        ),
    }


def _filled(**entries: Any) -> Mapping[str, Any]:
    return {name: value for name, value in entries.items() if value or value is False}


def _service(catalog: Catalog, service: Service, reader: Agent) -> dict[str, Any]:
    entry: dict[str, Any] = _entry_text(service.id, service.name, service.synonyms)
    if reader is not Agent.COLETA:
        entry["descricao"] = service.description
        if service.scope_note:
            entry["nao_inclui"] = service.scope_note
        if service.asks_segment:
            entry["pede_segmento"] = True
    for key, fields in (("obrigatorios", required_fields), ("opcionais", optional_fields)):
        entry[key] = {
            agent.value: ids for agent in Agent if (ids := [f.id for f in fields(catalog, agent, service.id)])
        }
    return entry


def _field(spec: FieldSpec) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": spec.id, "nome": spec.name, "tipo": _TYPES[spec.type], "pergunta": spec.question}
    if spec.values:
        entry["valores"] = [_entry_text(option.id, option.name, option.synonyms) for option in spec.values]
    if spec.one_of:
        entry["grupo"] = spec.one_of
    entry["se_recusar"] = _IF_DECLINED[spec.if_declined]
    return entry


def _package(package: Package) -> dict[str, Any]:
    return {"id": package.id, "titulo": package.title, "peca_quando": package.ask_when}


def _entry_text(identity: str, name: str, synonyms: Iterable[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": identity, "nome": name}
    if words := list(synonyms):
        entry["sinonimos"] = words
    return entry


def _lines(entries: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(_json(entry) for entry in entries)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
