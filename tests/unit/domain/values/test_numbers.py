"""Numbers are read whole or refused, never in part."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.values.number_words import TENS, UP_TO_NINETEEN
from core.domain.values.numbers import read_integer, read_number
from core.domain.values.units import names_other_unit

WHOLE = [
    pytest.param("três dúzias", 36, id="dozens"),
    pytest.param("uma dúzia e meia", 18, id="a dozen and a half"),
    pytest.param("meia dúzia de frascos", 6, id="half a dozen"),
    pytest.param("duas centenas", 200, id="hundreds as a noun"),
    pytest.param("um par", 2, id="a pair"),
    pytest.param("quarenta mil", 40_000, id="words in thousands"),
    pytest.param("15 mil", 15_000, id="figure in thousands"),
    pytest.param("7mil", 7000, id="figure and thousand without a space"),
    pytest.param("1,5 mil", 1500, id="decimal in thousands"),
    pytest.param("3 mil e 200", 3200, id="thousands and figures"),
    pytest.param("mil e oitocentos", 1800, id="a thousand and hundreds"),
    pytest.param("mil trezentas e doze", 1312, id="feminine hundreds"),
    pytest.param("um milhão e meio", 1_500_000, id="a million and a half"),
    pytest.param("2 milhões e 300 mil", 2_300_000, id="millions and thousands"),
    pytest.param("noventa e nove", 99, id="tens and units"),
    pytest.param("cento e sete pontos", 107, id="hundred and units, with what is counted"),
    pytest.param("2.500", 2500, id="a point for thousands"),
    pytest.param("umas 30", 30, id="about"),
    pytest.param("mais ou menos 80 frascos", 80, id="more or less"),
    pytest.param("cerca de cem", 100, id="around"),
    pytest.param("14 pontos em um poço", 14, id="an article after it"),
    pytest.param("só uma balança", 1, id="one, with what is counted"),
    pytest.param("6 frascos de água e solo", 6, id="what is counted is two things"),
    pytest.param("１２", 12, id="full-width digits"),
    pytest.param("cento e vinte e cinco", 125, id="hundred, tens and units"),
    pytest.param("vinte cinco", 25, id="tens and units without their e"),
    pytest.param("cem mil", 100_000, id="a hundred in thousands"),
    pytest.param("duzentas e uma", 201, id="the first of the feminine hundreds"),
    pytest.param("novecentas", 900, id="the last of the feminine hundreds"),
    pytest.param("catorze", 14, id="fourteen as it is also written"),
    pytest.param("dezasseis", 16, id="sixteen as in Portugal"),
    pytest.param("dezassete", 17, id="seventeen as in Portugal"),
    pytest.param("dezanove", 19, id="nineteen as in Portugal"),
    pytest.param("um bilhão", 10**9, id="a billion"),
    pytest.param("seis bilhões", 6 * 10**9, id="billions"),
    pytest.param("um milheiro", 1000, id="a thousand as a noun"),
    pytest.param("3 milheiros", 3000, id="thousands as a noun"),
    pytest.param("dois pares", 4, id="pairs"),
    pytest.param("uma dezena", 10, id="ten as a noun"),
    pytest.param("5 dezenas", 50, id="tens as a noun"),
    pytest.param("mil e um", 1001, id="the least that may follow a thousand"),
    pytest.param("mil", 1000, id="a thousand alone"),
    pytest.param("2 mil e 999", 2999, id="the most that a thousand leaves"),
    pytest.param("2 mil 500", 2500, id="thousands and figures without their e"),
    pytest.param("dois milhões quinhentos mil e dez", 2_500_010, id="millions, thousands and units"),
    pytest.param("meio milhão", 500_000, id="half a million"),
    pytest.param("2 dúzias e meia", 30, id="dozens and a half"),
    pytest.param("uma centena e meia de frascos", 150, id="a hundred and a half, with what is counted"),
    pytest.param("vinte e um lotes", 21, id="the one of twenty-one is no article"),
    pytest.param("dois hectares e", 2, id="an e without anything behind it"),
    pytest.param("12 a b c d e f", 12, id="six words after it"),
    pytest.param("9" * 15, 999_999_999_999_999, id="fifteen digits"),
    pytest.param(f"{12:>80}", 12, id="eighty characters"),
]


@pytest.mark.parametrize(("text", "number"), WHOLE)
def test_a_whole_number_is_read_whole(text: str, number: int) -> None:
    assert read_integer(text) == number


DECIMALS = [
    pytest.param("3 e meio", "3.5", id="figure and a half"),
    pytest.param("dois hectares e meio", "2.5", id="the half after the unit"),
    pytest.param("meio hectare", "0.5", id="half a unit"),
    pytest.param("7,25 ha", "7.25", id="comma and unit"),
    pytest.param("0.75", "0.75", id="point"),
    pytest.param("12,5 m²", "12.5", id="a unit with a raised figure"),
    pytest.param("-4,2 graus", "-4.2", id="below zero"),
    pytest.param("2,5 m³", "2.5", id="a cubic unit"),
    pytest.param("0,5", "0.5", id="less than one"),
    pytest.param("1.250,75", "1250.75", id="thousands and cents"),
    pytest.param("1,250.75", "1250.75", id="thousands and cents, as in English"),
    pytest.param("0.000000000000001", "0.000000000000001", id="fifteen decimal places"),
]


@pytest.mark.parametrize(("text", "number"), DECIMALS)
def test_a_decimal_is_read_whole_and_is_no_integer(text: str, number: str) -> None:
    assert read_number(text) == Decimal(number)
    assert read_integer(text) is None


REFUSED = [
    pytest.param("5 ou 6", id="either"),
    pytest.param("cinco ou 6", id="either, a word and a figure"),
    pytest.param("8 a 10 amostras", id="from to"),
    pytest.param("entre dez e vinte", id="between"),
    pytest.param("mais de 20", id="more than"),
    pytest.param("até 15", id="up to"),
    pytest.param("no mínimo 3", id="at least"),
    pytest.param("10+", id="plus"),
    pytest.param("<5", id="less than, as a sign"),
    pytest.param("7³", id="a power"),
    pytest.param("1½", id="a vulgar fraction"),
    pytest.param("3/4", id="a fraction"),
    pytest.param("8º", id="an ordinal"),
    pytest.param("20k", id="k"),
    pytest.param("4 por mês", id="a rate"),
    pytest.param("2 de cada galpão", id="each"),
    pytest.param("3x5", id="times"),
    pytest.param("4 da piscina e 2 da caixa", id="two counts"),
    pytest.param("9 amostras e mais uma", id="and one more"),
    pytest.param("vinte e poucos", id="twenty odd"),
    pytest.param("umas dúzias", id="dozens without a number"),
    pytest.param("meia", id="half of nothing"),
    pytest.param("mil e meio", id="a thousand and a half of what"),
    pytest.param("uma caixa", id="one of something else"),
    pytest.param("um dois três", id="digits dictated"),
    pytest.param("não são 12", id="denied"),
    pytest.param("14h15", id="an hour"),
    pytest.param("CO2", id="a formula"),
    pytest.param("٣", id="digits of another script"),
    pytest.param("trinta e dez", id="tens after tens"),
    pytest.param("dezenove e um", id="a unit after a teen"),
    pytest.param("12 itens uma", id="an article behind what is counted"),
    pytest.param("12 itens para dois", id="a second count behind a preposition"),
    pytest.param("12 uma", id="an article behind a figure"),
    pytest.param("cento e cem", id="a hundred after a hundred"),
    pytest.param("vinte e zero", id="zero after tens"),
    pytest.param("dois mil e 1000", id="a thousand after thousands"),
    pytest.param("dois mil e zero", id="zero after thousands"),
    pytest.param("dois mil três mil", id="thousands twice"),
    pytest.param("2 mil e 2,5", id="a decimal after thousands"),
    pytest.param("meio mil", id="half a thousand"),
    pytest.param("dois hectares e meio por dia", id="a rate behind a half"),
    pytest.param("dois hectares e meio e meio", id="two halves"),
    pytest.param("12 a b c d e f g", id="seven words after it"),
    pytest.param("9" * 16, id="sixteen digits"),
    pytest.param("1" + "0" * 15, id="the first number of sixteen digits"),
    pytest.param("0.0000000000000001", id="sixteen decimal places"),
    pytest.param(f"{12:>81}", id="eighty-one characters"),
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_one_number_is_refused(text: str) -> None:
    assert read_number(text) is None
    assert read_integer(text) is None


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        pytest.param(10**15 - 1, Decimal(10**15 - 1), id="fifteen digits"),
        pytest.param(10**15, None, id="sixteen digits"),
        pytest.param(-(10**15), None, id="sixteen digits below zero"),
        pytest.param(1e14, Decimal(10**14), id="a float of fifteen digits"),
        pytest.param(1e15, None, id="a float of sixteen digits"),
        pytest.param(1e-15, Decimal("1e-15"), id="a float of fifteen places"),
        pytest.param(1e-16, None, id="a float of sixteen places"),
        pytest.param(True, None, id="a truth"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_a_number_that_is_no_text_is_read_up_to_its_size(raw: object, number: Decimal | None) -> None:
    assert read_number(raw) == number


@given(number=st.integers(min_value=0, max_value=99))
def test_every_number_below_a_hundred_is_known_by_its_words(number: int) -> None:
    tens, unit = divmod(number, 10)
    words = UP_TO_NINETEEN[number] if number < 20 else TENS[tens - 2] + (f" e {UP_TO_NINETEEN[unit]}" if unit else "")
    assert read_integer(words) == number
    assert read_integer(f"{words} mil e {words}") == (number * 1001 if number else None)


@settings(deadline=None)
@given(
    one=st.integers(min_value=0, max_value=10**6),
    other=st.integers(min_value=0, max_value=10**6),
    joint=st.text(max_size=8),
)
def test_of_two_figures_none_is_ever_left_out(one: int, other: int, joint: str) -> None:
    """Joined by whatever, two figures are one number only where they make one together."""
    number = read_number(f"{one} {joint} {other}")
    assert number is None or number not in (one, other) or 0 in (one, other)


@pytest.mark.parametrize(
    ("text", "field", "differs"),
    [
        pytest.param("2 alqueires", "área em hectares", True, id="alqueires for hectares"),
        pytest.param("2500 m²", "área em hectares", True, id="square metres for hectares"),
        pytest.param("2,5 ha", "área em hectares", False, id="the same unit, short"),
        pytest.param("2,5", "área em hectares", False, id="no unit"),
        pytest.param("4 frascos de 1 litro", "número de amostras", False, id="a field without a unit"),
        pytest.param("3 semanas", "prazo em dias", True, id="weeks for days"),
    ],
)
def test_a_value_in_another_unit_than_the_field_asks_for_is_told_apart(text: str, field: str, *, differs: bool) -> None:
    assert names_other_unit(text, asked_in=field) is differs
