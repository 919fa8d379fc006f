"""Whether a customer really wrote a number: what may stand before it, and what may not."""

from __future__ import annotations

import pytest

from core.domain.values.identifiers import DocumentRules, Rejected, read_cnpj, read_cpf, read_email

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
