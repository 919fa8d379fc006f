"""Whether a customer really wrote a number: what may stand before it, and what may not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.domain.values.identifiers import DocumentRules, Rejected, read_cnpj, read_cpf, read_email, read_phone

ANY = DocumentRules(cpf=lambda _number: True, cnpj=lambda _number: True)
FROM_A_LETTER, FROM_A_DIGIT = "A2ABC34501DE35", "1AABC34501DE35"


@pytest.mark.parametrize(
    ("number", "before", "stands"),
    [
        (FROM_A_DIGIT, "cnpj", True),
        (FROM_A_DIGIT, "9", False),
        (FROM_A_DIGIT, " ", True),
        (FROM_A_LETTER, "cnpj", False),
        (FROM_A_LETTER, "9", False),
        (FROM_A_LETTER, ":", True),
    ],
)
def test_a_number_stands_by_itself_in_what_the_customer_wrote(number: str, before: str, stands: bool) -> None:
    read = read_cnpj(number, written=f"{before}{number}", rules=ANY)

    assert (read == number) is stands


@pytest.mark.parametrize(("behind", "stands"), [("", True), (" ok", True), ("9", False)])
def test_nothing_of_it_goes_on_behind(behind: str, stands: bool) -> None:
    assert isinstance(read_cpf("39053344705", written=f"39053344705{behind}", rules=ANY), str) is stands


def test_an_address_has_at_most_254_characters() -> None:
    longest = f"{'a' * 248}@ab.br"

    assert len(longest) == 254
    assert read_email(longest, written=longest) == longest
    assert isinstance(read_email(f"a{longest}", written=f"a{longest}"), Rejected)


@pytest.mark.parametrize(("label", "stands"), [(" " * 303, True), (" " * 304, False)], ids=["320", "321"])
def test_an_address_is_looked_for_in_320_characters(label: str, *, stands: bool) -> None:
    address = "rui@exemplo.co.br"
    read = read_email(f"{label}{address}", written=f"meu e-mail é {address}")

    assert (read == address) is stands


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        pytest.param("11111111111", read_cpf, id="CPF"),
        pytest.param("11111111111111", read_cnpj, id="CNPJ"),
    ],
)
def test_one_digit_repeated_is_no_document_though_its_check_digits_hold(
    number: str, kind: Callable[..., object]
) -> None:
    assert isinstance(kind(number, written=number, rules=ANY), Rejected)


@pytest.mark.parametrize(("kind", "number"), [(read_cpf, "39053344705"), (read_cnpj, "11222333000181")])
def test_check_digits_that_do_not_hold_are_no_document(kind: Callable[..., object], number: str) -> None:
    refuses = DocumentRules(cpf=lambda _number: False, cnpj=lambda _number: False)

    assert isinstance(kind(number, written=number, rules=refuses), Rejected)


@pytest.mark.parametrize(
    ("kind", "number", "whole"),
    [
        pytest.param(read_cpf, 191, "00000000191", id="CPF"),
        pytest.param(read_cnpj, 191, "00000000000191", id="CNPJ"),
    ],
)
def test_the_zeros_that_json_took_from_a_number_come_back(kind: Callable[..., object], number: int, whole: str) -> None:
    assert kind(number, written=whole, rules=ANY) == whole


PHONES = [
    pytest.param("55 11 3333-0101", "11 3333-0101", "+551133330101", id="a landline with the country's code"),
    pytest.param("0055 11 98000-0101", "11 98000-0101", "+5511980000101", id="dialled from abroad"),
    pytest.param("55 3333-0101", "55 3333-0101", "+555533330101", id="the area code 55 is no country's"),
    pytest.param("(55) 98000-0101", "55 98000-0101", "+5555980000101", id="the area code 55 and nine digits"),
    pytest.param("11 3333-0101", "113.333.010-1", "+551133330101", id="ten digits pointed like a CPF are none"),
    pytest.param("00351210000101", "00351210000101", "+351210000101", id="a foreign one with zeros for its plus"),
    pytest.param("+35121000", "+35121000", "+35121000", id="a foreign one of eight digits"),
    pytest.param("+351210000101012", "+351210000101012", "+351210000101012", id="a foreign one of fifteen digits"),
    pytest.param("+3512100", "+3512100", None, id="a foreign one of seven digits"),
    pytest.param("+3512100001010123", "+3512100001010123", None, id="a foreign one of sixteen digits"),
    pytest.param("+351210000101", "+351210000102", None, id="another foreign one"),
    pytest.param("11980000101", "meu cpf é 119.800.001-01", None, id="what was written as a CPF"),
    pytest.param("11980000101", "meu DDD é 11", None, id="the area code without the number"),
    pytest.param("11980000101", "98000-0101, DDD 21", None, id="the number with another area code"),
]


@pytest.mark.parametrize(("raw", "written", "phone"), PHONES)
def test_a_phone_is_kept_with_its_country_and_area(raw: str, written: str, phone: str | None) -> None:
    read = read_phone(raw, written=written)

    assert (None if isinstance(read, Rejected) else read) == phone


@pytest.mark.parametrize(
    ("kind", "number", "reason"),
    [
        pytest.param(read_cpf, "1234567890", "11 dígitos", id="CPF too short"),
        pytest.param(read_cpf, "123456789012", "11 dígitos", id="CPF too long"),
        pytest.param(read_cnpj, "1234567890123", "14 caracteres", id="CNPJ too short"),
        pytest.param(read_cnpj, "123456789012345", "14 caracteres", id="CNPJ too long"),
        pytest.param(read_cpf, "11111111111", "verificadores", id="CPF of one digit"),
        pytest.param(read_cnpj, "11111111111111", "verificadores", id="CNPJ of one digit"),
    ],
)
def test_the_agent_is_told_what_is_wrong_with_a_number(kind: Callable[..., object], number: str, reason: str) -> None:
    read = kind(number, written=number, rules=ANY)

    assert isinstance(read, Rejected)
    assert reason in read.reason
