"""The card in people's words: names instead of ids, values as people write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.application.people.card import card_of, motive_of, written_value
from core.domain.catalogue.catalog import FieldScope, FieldSpec, FieldType
from core.domain.conversation import ConversationState
from core.domain.handoff import HandoffReason, HandoffRequest
from core.domain.values.field_value import FieldScalar, FieldStatus, FieldValue
from tests.neutral_company import catalog


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("cpf", "52998224725", "529.982.247-25"),
        ("cnpj", "11222333000181", "11.222.333/0001-81"),
        ("numero_aparelhos", Decimal(3), "3"),
        ("area_m2", Decimal("12.50"), "12,5"),
        ("visita_antes", True, "sim"),
        ("visita_antes", False, "não"),
        ("nome", "Lara Quintela", "Lara Quintela"),
        ("cpf", "5299822472", "5299822472"),
        ("cnpj", "1122233300018", "1122233300018"),
        ("cnpj", "12ABC34501DE35", "12.ABC.345/01DE-35"),
        ("area_m2", Decimal(1200), "1200"),
        ("area_m2", 12, "12"),
        ("motivo", "de_outro_tempo", "de_outro_tempo"),
        ("de_outro_tempo", "a", "a"),
        ("de_outro_tempo", None, ""),
    ],
)
def test_a_value_is_written_as_people_write_it(name: str, value: FieldScalar | None, written: str) -> None:
    assert written_value(catalog().field(name), value, catalog()) == written


@pytest.mark.parametrize("value", ["+551935550166", "+5519935550166"])
def test_a_telephone_of_here_has_its_area_in_brackets(value: str) -> None:
    phones = [spec for spec in catalog().fields if spec.type is FieldType.PHONE]
    assert phones
    assert written_value(phones[0], value, catalog()) in {"(19) 3555-0166", "(19) 93555-0166"}


@pytest.mark.parametrize("value", ["+351210000101", "+55193555016", "+5519935550166123"])
def test_any_other_telephone_stays_as_it_is(value: str) -> None:
    phone = next(spec for spec in catalog().fields if spec.type is FieldType.PHONE)
    assert written_value(phone, value, catalog()) == value


def test_a_day_is_written_day_first() -> None:
    day = FieldSpec(id="dia", name="Dia", type=FieldType.DATE, scope=FieldScope.SERVICE, question="?")
    assert written_value(day, "2027-02-03", catalog()) == "03/02/2027"


def test_the_card_names_service_segment_and_fields_and_says_what_is_unknown_as_it_is() -> None:
    company = catalog()
    service, segment = company.services[0], company.segments[0]
    told = FieldValue(status=FieldStatus.KNOWN, value="x", source="M#1")
    state = ConversationState(service=service.id, segment=segment.id, fields={"de_outro_tempo": told})
    card = card_of(HandoffRequest(reason=HandoffReason.COMPLETED), state, (), company)
    assert (card.service, card.segment, card.data) == (service.name, segment.name, {"de outro tempo": "x"})

    bare = card_of(HandoffRequest(reason=HandoffReason.COMPLETED), ConversationState(), (), company)
    assert (bare.service, bare.segment, bare.data) == ("", "", {})


def test_an_option_goes_by_its_name() -> None:
    spec = catalog().field("motivo")
    assert spec is not None
    option = spec.values[0]
    assert written_value(spec, option.id, catalog()) == option.name != option.id


@pytest.mark.parametrize(
    ("reason", "detail", "written"),
    [
        (HandoffReason.COMPLETED, "", "atendimento concluído"),
        (HandoffReason.AGENT_REQUESTED, "segunda_via_boleto", "o assunto é de uma pessoa: segunda via boleto"),
        (HandoffReason.LLM_TIMEOUT, "server_error", "o modelo não respondeu"),
    ],
)
def test_the_reason_is_told_in_words(reason: HandoffReason, detail: str, written: str) -> None:
    assert motive_of(HandoffRequest(reason=reason, detail=detail)) == written


def test_what_the_team_settles_itself_is_not_told_as_a_refusal() -> None:
    company = catalog()
    spec = next((each for each in company.fields if each.declined_text), None)
    assert spec is not None
    declined = FieldValue(status=FieldStatus.DECLINED, value=None, source="M#1")
    state = ConversationState(fields={spec.id: declined, "empresa": declined})

    data = card_of(HandoffRequest(reason=HandoffReason.COMPLETED), state, (), company).data

    assert data == {spec.name: spec.declined_text, company.field("empresa").name: "não informado (recusou)"}  # type: ignore[union-attr]
