"""What a person who takes over reads first, in their own words: names instead of ids, values as people write them."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from core.application.operational_summary import SummaryInput
from core.domain.agent_call import HistoryLine
from core.domain.catalogue.catalog import Catalog, FieldSpec, FieldType
from core.domain.conversation import ConversationState
from core.domain.handoff import REASON_NAMES, HandoffReason, HandoffRequest
from core.domain.values.field_value import FieldScalar, FieldStatus, FieldValue

DECLINED = "não informado (recusou)"
_BRAZILIAN_PHONE = re.compile(r"\+55(\d\d)(\d{4,5})(\d{4})")


def card_of(
    request: HandoffRequest, state: ConversationState, history: tuple[HistoryLine, ...], catalog: Catalog
) -> SummaryInput:
    """The facts of a summary, from typed state: the model does not get to invent them."""
    service, segment = catalog.service(state.service), catalog.segment(state.segment)
    return SummaryInput(
        motive=motive_of(request),
        service=service.name if service else "",
        segment=segment.name if segment else "",
        data=dict(card_entry(catalog, name, value) for name, value in state.fields.items()),
        history=history,
        extra_requests=state.extra_requests,
    )


def motive_of(request: HandoffRequest) -> str:
    """Why a person is needed; an agent's own reason is words with underscores."""
    name = REASON_NAMES[request.reason]
    own = request.detail.replace("_", " ").strip() if request.reason is HandoffReason.AGENT_REQUESTED else ""
    return f"{name}: {own}" if own else name


def written_value(spec: FieldSpec | None, value: FieldScalar | None, catalog: Catalog) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, Decimal):
        return f"{value.normalize():f}".replace(".", ",")
    if isinstance(value, str) and spec is not None:
        return _written_text(spec, value, catalog)
    return "" if value is None else str(value)


def _written_text(spec: FieldSpec, value: str, catalog: Catalog) -> str:
    if spec.type is FieldType.ENUM:
        option = catalog.option(spec, value)
        return option.name if option else value
    if spec.type is FieldType.CPF and len(value) == 11:
        return f"{value[:3]}.{value[3:6]}.{value[6:9]}-{value[9:]}"
    if spec.type is FieldType.CNPJ and len(value) == 14:
        return f"{value[:2]}.{value[2:5]}.{value[5:8]}/{value[8:12]}-{value[12:]}"
    if spec.type is FieldType.PHONE and (found := _BRAZILIAN_PHONE.fullmatch(value)):
        return f"({found[1]}) {found[2]}-{found[3]}"
    return date.fromisoformat(value).strftime("%d/%m/%Y") if spec.type is FieldType.DATE else value


def card_entry(catalog: Catalog, name: str, entry: FieldValue) -> tuple[str, str]:
    """A field's name and what the card says of it."""
    spec = catalog.field(name)
    label = spec.name if spec else name.replace("_", " ")
    if entry.status is FieldStatus.DECLINED:
        return label, (spec.declined_text if spec else "") or DECLINED
    return label, written_value(spec, entry.value, catalog)
