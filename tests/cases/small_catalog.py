"""A catalogue as small as rules allow: one field of each meaning, so that a test says all that it depends on."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from core.domain.actions import Agent
from core.domain.catalogue.catalog import (
    PREVIOUS_SESSION,
    Catalog,
    Company,
    FieldScope,
    FieldSpec,
    FieldType,
    IfDeclined,
    Option,
    Package,
    Service,
)
from core.domain.conversation import ConversationState
from core.domain.values.field_value import FieldScalar, FieldStatus, FieldValue

_QUALIFICACAO, _COLETA = Agent.QUALIFICACAO, Agent.COLETA


def _field(name: str, scope: FieldScope, **more: object) -> FieldSpec:
    known = {"id": name, "name": name.upper(), "type": FieldType.TEXT, "scope": scope, "question": f"{name}?"}
    return FieldSpec(**{**known, **more})  # type: ignore[arg-type]


def _own(name: str, **more: object) -> FieldSpec:
    return _field(name, FieldScope.SERVICE, **more)


def _customer(name: str, **more: object) -> FieldSpec:
    return _field(name, FieldScope.CUSTOMER, **{"required_at": (_COLETA,), **more})


def small_catalog() -> Catalog:
    """`alfa` asks for a segment and two fields, `beta` for one field, `gama` for nothing before Coleta."""
    fields = (
        _own("tipo"),
        _own("quantos", type=FieldType.INTEGER, minimum=Decimal(1), maximum=Decimal(10)),
        _own("modelo"),
        _own("detalhe"),
        _own("dia", type=FieldType.DATE),
        _customer("nome", if_declined=IfDeclined.HANDOFF),
        _customer("cpf", type=FieldType.CPF, one_of="documento", if_declined=IfDeclined.ALTERNATIVE),
        _customer("cnpj", type=FieldType.CNPJ, one_of="documento", if_declined=IfDeclined.ALTERNATIVE),
        _customer("email", type=FieldType.EMAIL, if_declined=IfDeclined.ACCEPT),
        _customer("telefone", type=FieldType.PHONE, required_at=(), optional_at=(_COLETA,)),
    )
    ordered = tuple(replace(spec, order=order) for order, spec in enumerate(fields))
    return Catalog(
        company=Company(name="Empresa Inventada"),
        segments=(Option(id="fabrica", name="Fábrica", synonyms=("indústria",)), Option(id="casa", name="Casa")),
        fields=ordered,
        services=(
            Service(
                id="alfa",
                name="Serviço Alfa",
                description="O primeiro.",
                synonyms=("primeiro serviço",),
                asks_segment=True,
                required={_QUALIFICACAO: ("quantos", "tipo")},
                optional={_QUALIFICACAO: ("detalhe",)},
            ),
            Service(id="beta", name="Serviço Beta", description="O segundo.", required={_QUALIFICACAO: ("modelo",)}),
            Service(id="gama", name="Serviço Gama", description="O terceiro."),
        ),
        packages=(
            Package(id="COMPANY_INFO", title="Quem somos", ask_when="perguntam quem somos"),
            Package(id="PRICES_POLICY", title="Preços", ask_when="perguntam o preço"),
            Package(id=PREVIOUS_SESSION, title="Antes", ask_when="falam de antes", built_by_code=True),
        ),
    )


def known(source: str = "M#0", **values: FieldScalar) -> dict[str, FieldValue]:
    """Fields with values, as a conversation holds them."""
    return {name: FieldValue(status=FieldStatus.KNOWN, value=value, source=source) for name, value in values.items()}


def declined(*names: str) -> dict[str, FieldValue]:
    """Fields that the customer would not tell."""
    return {name: FieldValue(status=FieldStatus.DECLINED, source="M#0") for name in names}


def at(
    stage: Agent, *, service: str | None = None, segment: str | None = None, **fields: FieldValue
) -> ConversationState:
    """A conversation that stands there."""
    return ConversationState(stage=stage, service=service, segment=segment, fields=fields)
