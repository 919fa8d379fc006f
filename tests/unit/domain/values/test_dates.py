"""Days that words name, and dates that count only when the customer named them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.values.dates import read_date, resolve_dates
from core.domain.values.identifiers import Rejected

WEDNESDAY = date(2026, 11, 18)

NAMED = [
    pytest.param("pode ser 03/02/2027?", ["2027-02-03"], id="day, month, year"),
    pytest.param("3-2-27", ["2027-02-03"], id="two figures for the year"),
    pytest.param("2027-02-03", ["2027-02-03"], id="as computers write it"),
    pytest.param("dia 9 de maio de 2027 cedo", ["2027-05-09"], id="month by name"),
    pytest.param("1º de agosto", ["2027-08-01"], id="the first, year implied"),
    pytest.param("no dia primeiro de dezembro", ["2026-12-01"], id="the first, spelled"),
    pytest.param("vinte e três de dezembro", ["2026-12-23"], id="day spelled"),
    pytest.param("12/jan", ["2027-01-12"], id="month shortened"),
    pytest.param("5/12", ["2026-12-05"], id="day and month"),
    pytest.param("18/11", ["2026-11-18"], id="that very day"),
    pytest.param("17/11", ["2027-11-17"], id="the day before: next year"),
    pytest.param("dia 7 do 3", ["2027-03-07"], id="month by its number"),
    pytest.param("29 de fevereiro", ["2028-02-29"], id="a leap day waits for its year"),
    pytest.param("hoje mesmo", ["2026-11-18"], id="today"),
    pytest.param("amanhã de manhã", ["2026-11-19"], id="tomorrow"),
    pytest.param("depois de amanhã", ["2026-11-20"], id="the day after tomorrow"),
    pytest.param("na sexta", ["2026-11-20"], id="a weekday ahead in this week"),
    pytest.param("terça-feira", ["2026-11-24"], id="a weekday of next week"),
    pytest.param("quarta", ["2026-11-25"], id="today's weekday is next week's"),
    pytest.param("segunda que vem", ["2026-11-23"], id="que vem, past in this week"),
    pytest.param("quinta que vem", ["2026-11-19", "2026-11-26"], id="que vem, still ahead: either"),
    pytest.param("quinta da semana que vem", ["2026-11-26"], id="next week's"),
    pytest.param("semana que vem, na terça", ["2026-11-24"], id="next week's, the other way round"),
    pytest.param("dia 25", ["2026-11-25"], id="day of this month"),
    pytest.param("dia 2", ["2026-12-02"], id="day of next month"),
    pytest.param("dia 31", ["2026-12-31"], id="the next month that has it"),
    pytest.param("dia 10 do mês que vem", ["2026-12-10"], id="next month's"),
    pytest.param("dia 30, segunda", ["2026-11-30"], id="a day and its weekday are one"),
    pytest.param("daqui a 10 dias", ["2026-11-28"], id="in some days"),
    pytest.param("daqui a duas semanas", ["2026-12-02"], id="in some weeks"),
    pytest.param("quinta ou sexta", ["2026-11-19", "2026-11-20"], id="either weekday"),
    pytest.param("15 ou 16 de abril", ["2027-04-15", "2027-04-16"], id="either day"),
    pytest.param("15/4, não, dia 16/04", ["2027-04-15", "2027-04-16"], id="two days in one text"),
]


@pytest.mark.parametrize(("text", "days"), NAMED)
def test_words_name_days(text: str, days: list[str]) -> None:
    assert resolve_dates(text, WEDNESDAY) == frozenset(days)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("semana que vem", id="a week"),
        pytest.param("de preferência numa terça", id="any such weekday"),
        pytest.param("às terças", id="every such weekday"),
        pytest.param("toda quinta", id="each such weekday"),
        pytest.param("no fim do mês", id="the end of a month"),
        pytest.param("em maio", id="a month"),
        pytest.param("daqui a um mês", id="about a month"),
        pytest.param("em 10 dias úteis", id="working days"),
        pytest.param("segunda via do laudo", id="an ordinal"),
        pytest.param("31/02/2027", id="no such day"),
        pytest.param("04/15/2027", id="month and day exchanged"),
        pytest.param("CPF 390.533.447-05", id="a CPF"),
        pytest.param("CNPJ 11.222.333/0001-81", id="a CNPJ"),
        pytest.param("(11) 98000-0101", id="a phone"),
        pytest.param("volta das férias", id="an occasion"),
    ],
)
def test_words_that_name_no_day(text: str) -> None:
    assert resolve_dates(text, WEDNESDAY) == frozenset()


def test_without_a_day_to_count_from_only_dates_with_a_year_are_named() -> None:
    assert resolve_dates("amanhã, dia 20, 15/04, sexta ou 3 de maio de 2027") == {"2027-05-03"}


@pytest.mark.parametrize(
    ("raw", "written", "day"),
    [
        pytest.param("2027-04-15", "pode ser 15/04/2027", "2027-04-15", id="written in figures"),
        pytest.param("2027-04-15T00:00:00Z", "15 de abril", "2027-04-15", id="with an hour, year implied"),
        pytest.param("15/04/2027", "15-4-27", "2027-04-15", id="a model that writes as people do"),
        pytest.param("15 de abril de 2027", "15 de abril de 2027", "2027-04-15", id="the customer's own words"),
        pytest.param("2026-11-19", "pode vir amanhã", "2026-11-19", id="a relative day"),
        pytest.param("amanhã", "amanhã cedo", "2026-11-19", id="a relative day, as it was said"),
        pytest.param("2026-11-27", "sexta que vem", "2026-11-27", id="one of two that it may mean"),
        pytest.param("sexta-feira", "na sexta, às 9h", "2026-11-20", id="a weekday"),
    ],
)
def test_a_date_that_the_customer_named_is_taken(raw: str, written: str, day: str) -> None:
    assert read_date(raw, written=written, said_on=WEDNESDAY) == day


@pytest.mark.parametrize(
    ("raw", "written"),
    [
        pytest.param("2027-01-12", "de preferência numa terça", id="a Tuesday that nobody named"),
        pytest.param("2027-04-15", "15 de maio", id="another month"),
        pytest.param("2028-04-15", "15 de abril", id="another year than the next"),
        pytest.param("2026-11-19", "quanto antes", id="nothing named"),
        pytest.param("amanhã", "quanto antes", id="a relative day that was not said"),
        pytest.param("sexta que vem", "sexta que vem", id="words that may mean two days"),
        pytest.param("semana que vem", "semana que vem", id="a week"),
        pytest.param("volta das férias", "na volta das férias", id="an occasion"),
        pytest.param("15 a 20 de abril", "15 a 20 de abril", id="a span"),
        pytest.param(20270415, "15/04/2027", id="no text"),
        pytest.param("x" * 200, "15/04/2027", id="too long"),
    ],
)
def test_a_date_that_the_customer_did_not_name_is_refused(raw: object, written: str) -> None:
    refused = read_date(raw, written=written, said_on=WEDNESDAY)
    assert isinstance(refused, Rejected)
    assert str(raw) not in refused.reason


@settings(deadline=None)
@given(text=st.text() | st.text(alphabet="0123456789/-. abdeilor"), said_on=st.none() | st.dates())
def test_no_text_breaks_the_reading(text: str, said_on: date | None) -> None:
    assert all(date.fromisoformat(day) for day in resolve_dates(text, said_on))


@settings(deadline=None)
@given(day=st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31)), said_on=st.dates())
def test_a_full_date_is_the_same_day_whenever_it_is_said(day: date, said_on: date) -> None:
    for text in (f"{day:%d/%m/%Y}", f"{day.day}-{day.month}-{day:%y}", day.isoformat()):
        assert resolve_dates(f"no dia {text}.", said_on) == {day.isoformat()}


@settings(deadline=None)
@given(said_on=st.dates(max_value=date(9999, 1, 1)), weekday=st.sampled_from(["segunda", "terça", "sábado", "domingo"]))
def test_a_weekday_is_within_the_next_seven_days(said_on: date, weekday: str) -> None:
    (day,) = resolve_dates(weekday, said_on)
    assert 1 <= (date.fromisoformat(day) - said_on).days <= 7
