"""Check digits of CPF and CNPJ (alphanumeric ones included), by python-stdnum.

Imported when the first number is checked: the library costs a cold start tens of milliseconds.
"""

from __future__ import annotations

from core.domain.values.identifiers import DocumentRules


def _cpf_holds(number: str) -> bool:
    from stdnum.br import cpf

    return bool(cpf.is_valid(number))


def _cnpj_holds(number: str) -> bool:
    from stdnum.br import cnpj

    return bool(cnpj.is_valid(number))


DOCUMENT_RULES = DocumentRules(cpf=_cpf_holds, cnpj=_cnpj_holds)
