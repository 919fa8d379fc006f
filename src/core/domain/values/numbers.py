"""Numbers as models and Brazilians write them: `12`, `"12"`, `"12 peças"`, `"1.200"`, `"12,5"`, `"doze"`."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import pairwise, takewhile

from core.domain.text import fold

_MAX_DIGITS = 15
# A number, perhaps with its unit; "H2O" and "12h30" hold none.
_NUMBER = re.compile(r"(?<![\w.,])([-+]?[0-9]+(?:[.,][0-9]+)*)[^\W\d_]*(?!\w)")
_ANY_DIGIT = re.compile(r"\d")
_BRAZILIAN_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_ENGLISH_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})")
_COMMA_DECIMAL = re.compile(r"[0-9]+,[0-9]+")
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_UNITS = (
    "zero",
    "um",
    "dois",
    "tres",
    "quatro",
    "cinco",
    "seis",
    "sete",
    "oito",
    "nove",
    "dez",
    "onze",
    "doze",
    "treze",
)
_TEENS = ("quatorze", "quinze", "dezesseis", "dezessete", "dezoito", "dezenove")
_TENS = ("vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa", "cem")
_WORDS = {word: value for value, word in enumerate((*_UNITS, *_TEENS))}
_WORDS |= {word: value * 10 for value, word in enumerate(_TENS, 2)}
_WORDS |= {"uma": 1, "duas": 2, "catorze": 14, "cento": 100, "duzentos": 200, "duzentas": 200}


def read_number(raw: object, *, comma_decimal: bool = True) -> Decimal | None:
    """The one number that a value holds; None when it holds none, several, a doubtful or an enormous one."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw) if abs(raw) < 10**_MAX_DIGITS else None
    if isinstance(raw, float):
        return _within_size(Decimal(str(raw))) if math.isfinite(raw) else None
    return _from_text(fold(raw), comma_decimal) if isinstance(raw, str) and len(raw) <= 80 else None


def read_integer(raw: object) -> int | None:
    """A whole number. `1,200` is refused: to some the comma is a decimal sign, to others it marks thousands."""
    number = read_number(raw, comma_decimal=False)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _from_text(text: str, comma_decimal: bool) -> Decimal | None:
    if not _ANY_DIGIT.search(text):
        return _spelled_out(text)
    found = _NUMBER.findall(text)
    if len(found) != 1 or len(_ANY_DIGIT.findall(text)) != len(_ANY_DIGIT.findall(found[0])):
        return None
    plain = _strip_punctuation(found[0].lstrip("+-"), comma_decimal)
    sign = "-" if found[0].startswith("-") else ""
    return None if plain is None else _within_size(Decimal(sign + plain))


def _strip_punctuation(digits: str, comma_decimal: bool) -> str | None:
    """With a decimal point and nothing else. `1.200` is read as Brazilians do."""
    if _BRAZILIAN_THOUSANDS.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _ENGLISH_THOUSANDS.fullmatch(digits):
        return digits.replace(",", "")
    if comma_decimal and _COMMA_DECIMAL.fullmatch(digits):
        return digits.replace(",", ".")
    return digits if _PLAIN.fullmatch(digits) else None


def _within_size(number: Decimal) -> Decimal | None:
    digits, exponent = len(number.as_tuple().digits), number.as_tuple().exponent
    small = isinstance(exponent, int) and exponent >= -_MAX_DIGITS and digits + exponent <= _MAX_DIGITS
    return number if small and digits <= 2 * _MAX_DIGITS else None


def _spelled_out(text: str) -> Decimal | None:
    """`doze`, `vinte e cinco peças`; not `um monte` nor `dois ou tres`."""
    words = re.findall(r"[^\W_]+", text)
    spelled = list(takewhile(lambda word: word in _WORDS or word == "e", words))
    values = [_WORDS[word] for word in spelled if word in _WORDS]
    rest = words[len(spelled) :]
    if not values or any(not _adds_to(*pair) for pair in pairwise(values)) or any(word in _WORDS for word in rest):
        return None
    total = sum(values)
    return Decimal(total) if not rest or (total > 1 and len(rest) <= 2) else None


def _adds_to(rounder: int, value: int) -> bool:
    """`cento` and `vinte`, `vinte` and `cinco`; not `doze` and `dois`."""
    return 0 < value < (100 if rounder >= 100 else 10 if rounder >= 20 else 0)
