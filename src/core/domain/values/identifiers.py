"""CPF, CNPJ, e-mail and phone: their one stored form, and whether a customer really wrote them.

A model can misremember or invent an identifier; so each is accepted only when it stands, normalised, in what the
customer wrote or dictated (docs/contract.md, "Data"). Check digits are injected: the library that knows them is not
the domain's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from core.domain.text import fold
from core.domain.values.dictation import readings_of_emails, write_out_digits

_GAP = r"[\s.,\-–—_/()]{0,4}"
_NOT_DIGIT = re.compile(r"[^0-9]+")
_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Z]+")
_CNPJ = re.compile(r"[0-9A-Z]{12}[0-9]{2}")
# Anatel's area codes; mobile numbers have nine digits and begin with 9.
_AREA = "(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])"
_NATIONAL_PHONE = re.compile(rf"{_AREA}(?:9[0-9]{{8}}|[2-8][0-9]{{7}})")
_EMAIL = re.compile(r"[a-z0-9_%+\-]+(?:\.[a-z0-9_%+\-]+)*@(?:[a-z0-9](?:[a-z0-9\-]*[a-z0-9])?\.)+[a-z]{2,24}")
_EMAIL_IN_TEXT = re.compile(rf"(?<![\w.+\-%]){_EMAIL.pattern}(?![\w\-]|\.\w|@)")
_EMAIL_MAX_CHARS = 254
_RAW_EMAIL_MAX_CHARS = 320
_AREA_CODE_SAID = r"\bddd\W{{0,3}}(?:e |eh )?0?{area}(?![0-9])"

NumberCheck = Callable[[str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRules:
    """Whether the check digits of a compact number hold."""

    cpf: NumberCheck
    cnpj: NumberCheck


@dataclass(frozen=True, slots=True)
class Rejected:
    """A value that cannot be kept. `reason` is Portuguese, for the agent, and never holds the value."""

    reason: str


def read_cpf(raw: str | int, *, written: str, rules: DocumentRules) -> str | Rejected:
    """Eleven digits."""
    digits = _digits(raw, 11)
    if len(digits) != 11:
        return Rejected("um CPF tem 11 dígitos; peça para conferir")
    if len(set(digits)) == 1 or not rules.cpf(digits):
        return Rejected("os dígitos verificadores do CPF não conferem; peça para conferir")
    return digits if _has_number(written, digits) else _not_written("este CPF")


def read_cnpj(raw: str | int, *, written: str, rules: DocumentRules) -> str | Rejected:
    """Fourteen characters: digits, and since July 2026 also capital letters before the check digits."""
    text = str(raw).zfill(14) if isinstance(raw, int) else fold(raw).upper().strip().removeprefix("CNPJ")
    compact = _NOT_ALPHANUMERIC.sub("", text)
    if not _CNPJ.fullmatch(compact):
        return Rejected("um CNPJ tem 14 caracteres, e os dois últimos são dígitos; peça para conferir")
    if len(set(compact)) == 1 or not rules.cnpj(compact):
        return Rejected("os dígitos verificadores do CNPJ não conferem; peça para conferir")
    return compact if _has_number(written, compact) else _not_written("este CNPJ")


def read_email(raw: str, *, written: str) -> str | Rejected:
    """In small letters."""
    email = _one_email(raw)
    if email is None or len(email) > _EMAIL_MAX_CHARS:
        return Rejected("não é um endereço de e-mail completo; peça para conferir")
    found = any(_stands_in(email, text, spoken=place > 0) for place, text in enumerate(readings_of_emails(written)))
    return email if found else _not_written("este e-mail")


def _one_email(raw: str) -> str | None:
    """The one address that a text holds, its words together when it was said aloud; None for none or several."""
    for text in readings_of_emails(raw[:_RAW_EMAIL_MAX_CHARS]):
        whole = "".join(text.split()).strip("<>").removeprefix("mailto:")
        if _EMAIL.fullmatch(whole):
            return whole
        found = set(_EMAIL_IN_TEXT.findall(text))
        if len(found) == 1:
            return str(found.pop())
    return None


def _stands_in(email: str, text: str, *, spoken: bool) -> bool:
    """Whether an e-mail stands in a text, and not as a part of a longer one; said aloud, its words may be apart."""
    pattern = r"\s{0,2}".join(map(re.escape, email)) if spoken else re.escape(email)
    return re.search(rf"(?<![\w.+\-%]){pattern}(?![\w\-]|\.\w|@)", text) is not None


def read_phone(raw: str | int, *, written: str) -> str | Rejected:
    """`+` and country code; Brazilian numbers need their area code. Other countries' numbers need the `+`."""
    digits = _digits(raw, 0)
    international = isinstance(raw, str) and raw.strip().startswith(("+", "00"))
    if international and not digits.removeprefix("00").startswith("55"):
        foreign = digits.removeprefix("00")
        if not 8 <= len(foreign) <= 15:
            return Rejected("não é um telefone completo; peça para conferir")
        return f"+{foreign}" if _has_number(written, foreign, prefix="(?:00)?") else _not_written("este telefone")
    national = _national(digits)
    if not _NATIONAL_PHONE.fullmatch(national) or _stands_as_cpf(national, written):
        return Rejected("não é um telefone completo com DDD; peça para conferir")
    found = _has_number(written, national, prefix=rf"(?:(?:00)?55|0)?{_GAP}") or _stands_apart(written, national)
    return f"+55{national}" if found else _not_written("este telefone")


def _stands_apart(written: str, national: str) -> bool:
    """Whether the customer wrote the number, and its area code as such elsewhere: `98000-0101, meu DDD é 11`."""
    said = re.search(_AREA_CODE_SAID.format(area=national[:2]), fold(written))
    return said is not None and _has_number(written, national[2:])


def _stands_as_cpf(digits: str, written: str) -> bool:
    """Whether the customer wrote these eleven digits as a CPF: `529.982.247-25` is nobody's phone."""
    if len(digits) != 11:
        return False
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}" in written


def _national(digits: str) -> str:
    bare = digits.removeprefix("00")
    without_country = bare[2:] if bare.startswith("55") and len(bare) > 11 else bare
    return without_country.removeprefix("0")


def _digits(raw: str | int, width: int) -> str:
    """Only the digits; numbers get back the leading zeros that JSON took from them."""
    return str(raw).zfill(width) if isinstance(raw, int) else _NOT_DIGIT.sub("", write_out_digits(raw))


def _has_number(written: str, compact: str, *, prefix: str = "") -> bool:
    """Whether the number stands in the text, punctuated in whatever way, and not as a part of a longer one."""
    before = r"(?<![0-9])" if compact[0].isdigit() else r"(?<![0-9a-z])"
    pattern = before + prefix + _GAP.join(compact.lower()) + r"(?![0-9])"
    return any(re.search(pattern, text) for text in (fold(written), write_out_digits(written)))


def _not_written(what: str) -> Rejected:
    return Rejected(f"{what} não aparece no que o cliente escreveu; use só o que ele escreveu ou pergunte de novo")
