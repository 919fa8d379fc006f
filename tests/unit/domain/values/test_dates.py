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
    pytest.param("anteontem", ["2026-11-16"], id="the day before yesterday"),
    pytest.param("foi ontem", ["2026-11-17"], id="yesterday"),
    pytest.param("daqui a uma semana", ["2026-11-25"], id="in one week"),
    pytest.param("daqui a 1 dia", ["2026-11-19"], id="in one day"),
    pytest.param("daqui a 730 dias", ["2028-11-17"], id="as far ahead as days are counted"),
    pytest.param("trinta de dezembro", ["2026-12-30"], id="day spelled, thirty"),
    pytest.param("vinte de dezembro", ["2026-12-20"], id="day spelled, twenty"),
    pytest.param("trinta e um de dezembro", ["2026-12-31"], id="day spelled, the last"),
    pytest.param("vinte e nove de dezembro", ["2026-12-29"], id="day spelled, tens and nine"),
    pytest.param("trinta e dez de dezembro", ["2026-12-10", "2026-12-30"], id="two days spelled"),
    pytest.param("dia 5/1", ["2027-01-05"], id="the first month"),
    pytest.param("dia 5/12", ["2026-12-05"], id="the last month"),
    pytest.param("dia 1", ["2026-12-01"], id="the first day"),
    pytest.param("3/2/99", ["2099-02-03"], id="the last year of two figures"),
    pytest.param("3/2/00", ["2000-02-03"], id="the first year of two figures"),
    pytest.param("dia 18", ["2026-11-18"], id="that very day of the month"),
    pytest.param("dia 17", ["2026-12-17"], id="the day before: next month"),
    pytest.param("dias 20 e 21", ["2026-11-20", "2026-11-21"], id="two days of a month"),
    pytest.param("dia 20 deste mês", ["2026-11-20"], id="this month's"),
    pytest.param("dia 10 deste mês", ["2026-11-10"], id="this month's, though it is past"),
    pytest.param("domingo que vem", ["2026-11-22", "2026-11-29"], id="que vem, the week's last day"),
    pytest.param("quarta que vem", ["2026-11-25"], id="que vem, today's weekday"),
    pytest.param("domingo da semana que vem", ["2026-11-29"], id="the last day of next week"),
    pytest.param("segunda da semana que vem", ["2026-11-23"], id="the first day of next week"),
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
        pytest.param("daqui a 731 dias", id="too far ahead to be counted"),
        pytest.param("daqui a 0 dias", id="no days ahead"),
        pytest.param("dia 5/13", id="no such month"),
        pytest.param("dia 5/0", id="no month before the first"),
        pytest.param("dia 32", id="no such day of a month"),
        pytest.param("dia 0", id="no day before the first"),
        pytest.param("qualquer sexta", id="any weekday"),
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


def test_a_leap_day_waits_past_a_century_without_one() -> None:
    assert resolve_dates("29 de fevereiro", date(2096, 3, 1)) == {"2104-02-29"}


def test_a_date_is_looked_for_in_the_newest_hundred_thousand_characters() -> None:
    text = "3/2/2027".ljust(100_000, ".")
    assert resolve_dates(text) == {"2027-02-03"}
    assert resolve_dates(f"{text}.") == frozenset()


def test_a_model_s_date_has_at_most_eighty_characters() -> None:
    raw = f"{'2027-02-03':>80}"
    assert read_date(raw, written="3/2/2027", said_on=None) == "2027-02-03"
    assert isinstance(read_date(f" {raw}", written="3/2/2027", said_on=None), Rejected)


@pytest.mark.parametrize(
    ("raw", "written", "reason"),
    [
        pytest.param("quanto antes", "quanto antes", "um dia só", id="none"),
        pytest.param("quinta que vem", "quinta que vem", "mais de um dia", id="several"),
        pytest.param("2027-02-03", "quanto antes", "não está no que o cliente escreveu", id="one that was not said"),
    ],
)
def test_the_agent_is_told_why_a_date_is_refused(raw: str, written: str, reason: str) -> None:
    refused = read_date(raw, written=written, said_on=WEDNESDAY)
    assert isinstance(refused, Rejected)
    assert reason in refused.reason


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
