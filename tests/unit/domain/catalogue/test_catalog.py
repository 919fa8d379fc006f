"""What follows from the catalogue for a conversation: what is asked, what may begin, who is there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.actions import Agent
from core.domain.catalogue.catalog import (
    OpeningHours,
    earliest_open_stage,
    entry_requirements,
    missing_fields,
    next_stage,
    optional_fields,
    required_fields,
)
from core.domain.catalogue.opening_hours import Shift
from core.domain.values.field_value import FieldValue
from tests.cases.small_catalog import at, declined, known, small_catalog

CATALOG = small_catalog()
TRIAGEM, QUALIFICACAO, COLETA = Agent.TRIAGEM, Agent.QUALIFICACAO, Agent.COLETA
QUALIFIED = known(tipo="poço", quantos=3)
REGISTERED = known(nome="Lara", cpf="39053344705", email="lara@exemplo.com.br")


def asked(fields: dict[str, FieldValue], *, service: str = "alfa", agent: Agent = COLETA) -> list[str]:
    return [spec.id for spec in missing_fields(CATALOG, at(agent, service=service, **fields), agent)]


@pytest.mark.parametrize(
    "name",
    ["alfa", "ALFA", "Serviço Alfa", "servico alfa", "SERVIÇO-ALFA", "primeiro serviço"],
)
def test_a_service_is_found_by_id_name_or_synonym_whatever_the_accents_and_case(name: str) -> None:
    found = CATALOG.service(name)
    assert found is not None
    assert found.id == "alfa"


@pytest.mark.parametrize("name", ["", None, "delta", "alfa beta", "—", "\u0301"])
def test_what_names_no_service_finds_none(name: str | None) -> None:
    assert CATALOG.service(name) is None


def test_required_fields_come_in_the_order_of_asking_and_not_in_that_of_the_service() -> None:
    assert [spec.id for spec in required_fields(CATALOG, QUALIFICACAO, "alfa")] == ["tipo", "quantos"]


def test_a_stage_asks_every_service_for_its_common_fields_and_each_for_its_own() -> None:
    assert [spec.id for spec in required_fields(CATALOG, QUALIFICACAO, "beta")] == ["modelo"]
    assert [spec.id for spec in required_fields(CATALOG, COLETA, "beta")] == ["nome", "cpf", "cnpj", "email"]


def test_an_unknown_or_missing_service_is_asked_for_the_common_fields_alone() -> None:
    for service in (None, "extinto"):
        assert required_fields(CATALOG, QUALIFICACAO, service) == ()
        assert [spec.id for spec in required_fields(CATALOG, COLETA, service)] == ["nome", "cpf", "cnpj", "email"]


def test_optional_fields_are_those_of_the_stage_and_of_the_service() -> None:
    assert [spec.id for spec in optional_fields(CATALOG, COLETA, "alfa")] == ["telefone"]
    assert [spec.id for spec in optional_fields(CATALOG, QUALIFICACAO, "alfa")] == ["detalhe"]


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        pytest.param({}, ["nome", "cpf", "cnpj", "email"], id="nothing known: every alternative is open"),
        pytest.param(known(cpf="1"), ["nome", "email"], id="one alternative known settles the group"),
        pytest.param(known(cnpj="1"), ["nome", "email"], id="the other one too"),
        pytest.param(declined("cpf"), ["nome", "cnpj", "email"], id="one declined: the other is asked"),
        pytest.param(declined("cpf", "cnpj"), ["nome", "email"], id="all declined: nothing is left to ask"),
        pytest.param({**declined("cpf"), **known(cnpj="1")}, ["nome", "email"], id="declined, then the other known"),
        pytest.param(declined("email"), ["nome", "cpf", "cnpj"], id="an accepted refusal is not asked again"),
        pytest.param(declined("nome"), ["cpf", "cnpj", "email"], id="nor one that went to a person"),
        pytest.param(REGISTERED, [], id="all known"),
    ],
)
def test_what_is_known_or_declined_is_never_asked_again(fields: dict[str, FieldValue], missing: list[str]) -> None:
    assert asked(fields) == missing


@pytest.mark.parametrize(
    ("service", "segment", "fields", "missing"),
    [
        pytest.param(None, None, {}, ("service",), id="no service"),
        pytest.param("extinto", None, {}, ("service",), id="a service that the catalogue lost"),
        pytest.param("alfa", None, {}, ("segment", "tipo", "quantos"), id="a service that asks for the segment"),
        pytest.param("alfa", "casa", known(tipo="x"), ("quantos",), id="half qualified"),
        pytest.param("alfa", "casa", QUALIFIED, (), id="qualified"),
        pytest.param("gama", None, {}, (), id="a service that asks nothing"),
    ],
)
def test_coleta_may_begin_when_triagem_and_qualificacao_have_what_they_ask(
    service: str | None, segment: str | None, fields: dict[str, FieldValue], missing: tuple[str, ...]
) -> None:
    state = at(TRIAGEM, service=service, segment=segment, **fields)
    assert entry_requirements(CATALOG, state, COLETA) == missing


def test_triagem_may_always_begin() -> None:
    assert entry_requirements(CATALOG, at(COLETA), TRIAGEM) == ()


@pytest.mark.parametrize(
    ("stage", "service", "fields", "expected"),
    [
        pytest.param(TRIAGEM, "alfa", {}, QUALIFICACAO, id="the next stage asks something"),
        pytest.param(TRIAGEM, "alfa", QUALIFIED, COLETA, id="a stage whose fields are known is skipped"),
        pytest.param(TRIAGEM, "gama", {}, COLETA, id="a stage without fields is skipped"),
        pytest.param(TRIAGEM, "alfa", {**QUALIFIED, **REGISTERED}, None, id="nothing is left"),
        pytest.param(QUALIFICACAO, "alfa", {}, COLETA, id="never the stage itself"),
        pytest.param(QUALIFICACAO, "alfa", REGISTERED, None, id="nothing is left after it"),
        pytest.param(COLETA, "alfa", {}, None, id="nothing comes after Coleta"),
    ],
)
def test_the_next_stage_is_the_first_later_one_with_something_to_ask(
    stage: Agent, service: str, fields: dict[str, FieldValue], expected: Agent | None
) -> None:
    assert next_stage(CATALOG, at(stage, service=service, segment="casa", **fields)) is expected


def test_after_a_change_of_service_the_earliest_stage_with_something_to_ask_is_found_from_anywhere() -> None:
    assert earliest_open_stage(CATALOG, at(COLETA, service="beta", **REGISTERED)) is QUALIFICACAO
    assert earliest_open_stage(CATALOG, at(COLETA, service="alfa", **REGISTERED)) is TRIAGEM
    assert earliest_open_stage(CATALOG, at(COLETA, service="gama", **REGISTERED)) is None


# Opening hours: a week from Monday, 08:00-12:00 and 13:00-18:00, Friday until midnight; São Paulo is UTC-3

HOURS = OpeningHours(
    timezone="America/Sao_Paulo",
    week=(
        *((Shift(start=480, end=720), Shift(start=780, end=1080)),) * 4,
        (Shift(start=510, end=1440),),
        (),
        (),
    ),
    holidays=frozenset({"12-25", "2026-11-30"}),
)


def utc_ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("local", "is_open"),
    [
        ("2026-11-24 07:59:59", False),
        ("2026-11-24 08:00:00", True),
        ("2026-11-24 11:59:59", True),
        ("2026-11-24 12:00:00", False),
        ("2026-11-24 13:00:00", True),
        ("2026-11-24 18:00:00", False),
        ("2026-11-27 23:59:59", True),
        ("2026-11-28 00:00:00", False),
        ("2026-11-28 10:00:00", False),
        ("2026-11-30 10:00:00", False),
        ("2026-12-25 10:00:00", False),
        ("2028-12-25 10:00:00", False),
    ],
)
def test_people_answer_by_the_company_s_own_clock_and_not_on_holidays(local: str, *, is_open: bool) -> None:
    at_ms = utc_ms(local) + 3 * 3_600_000
    assert HOURS.is_open(at_ms) is is_open


@pytest.mark.parametrize(
    ("local", "text"),
    [
        ("2026-11-24 07:00", "hoje às 8h"),
        ("2026-11-24 12:30", "hoje às 13h"),
        ("2026-11-24 19:00", "amanhã às 8h"),
        ("2026-11-26 19:00", "amanhã às 8h30"),
        ("2026-11-28 10:00", "terça-feira às 8h"),
        ("2026-11-24 08:00", "hoje às 13h"),
    ],
)
def test_the_next_opening_is_told_as_a_customer_would_say_it(local: str, text: str) -> None:
    assert HOURS.next_opening_text(utc_ms(local) + 3 * 3_600_000) == text


def test_an_opening_more_than_a_week_away_is_told_by_its_date() -> None:
    holidays = frozenset(f"2026-12-{day:02d}" for day in range(1, 15))
    hours = OpeningHours(week=HOURS.week, holidays=holidays)
    assert hours.next_opening_text(utc_ms("2026-12-01 12:00")) == "dia 15/12 às 8h"


def test_a_company_that_never_opens_promises_nothing() -> None:
    assert OpeningHours().is_open(0) is False
    assert OpeningHours().next_opening_text(0) == ""
