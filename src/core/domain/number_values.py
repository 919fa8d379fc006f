"""Numbers as models and Brazilians write them: `12`, `"12"`, `"12 amostras"`, `"1.200"`, `"12,5"`, `"doze"`."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import pairwise, takewhile

from core.domain.text_normalisation import fold

_MAX_DIGITS = 15
# A number, perhaps with its unit; "H2O" and "12h30" hold none.
_NUMBER = re.compile(r"(?<![\w.,])([-+]?[0-9]+(?:[.,][0-9]+)*)[^\W\d_]*(?!\w)")
_ANY_DIGIT = re.compile(r"\d")
_DOT_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_COMMA_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}")
_INNER_COMMA = re.compile(r"[0-9],[0-9]")
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


def read_number(raw: object) -> Decimal | None:
    """The one number that a value holds; None when it holds none, several, an ambiguous or an enormous one."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw) if abs(raw) < 10**_MAX_DIGITS else None
    if isinstance(raw, float):
        return _sized(Decimal(str(raw))) if math.isfinite(raw) else None
    return _from_text(fold(raw)) if isinstance(raw, str) and len(raw) <= 80 else None


def read_integer(raw: object) -> int | None:
    """A whole number; a comma in a text is refused, since it is a decimal sign to some and thousands to others."""
    if isinstance(raw, str) and _INNER_COMMA.search(raw) and not _COMMA_THOUSANDS.fullmatch(raw.strip()):
        return None
    number = read_number(raw)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _from_text(text: str) -> Decimal | None:
    if not _ANY_DIGIT.search(text):
        return _spelled_out(text)
    found = _NUMBER.findall(text)
    if len(found) != 1 or len(_ANY_DIGIT.findall(text)) != len(_ANY_DIGIT.findall(found[0])):
        return None
    plain = _unpunctuated(found[0])
    return None if plain is None else _sized(Decimal(plain))


def _unpunctuated(number: str) -> str | None:
    """With a decimal point and nothing else. `1.200` is read as Brazilians do."""
    sign, digits = (number[0], number[1:]) if number[0] in "+-" else ("", number)
    if _DOT_THOUSANDS.fullmatch(digits):
        return sign + digits.replace(".", "")
    if digits.count(",") > 1:
        return sign + digits.replace(",", "") if _COMMA_THOUSANDS.fullmatch(digits) else None
    whole, comma, fraction = digits.partition(",")
    if comma and "." in fraction:
        return None
    if comma and "." in whole and not _DOT_THOUSANDS.fullmatch(whole):
        return None
    if not comma and digits.count(".") > 1:
        return None
    return sign + (f"{whole.replace('.', '')}.{fraction}" if comma else digits)


def _sized(number: Decimal) -> Decimal | None:
    digits, exponent = len(number.as_tuple().digits), number.as_tuple().exponent
    small = isinstance(exponent, int) and exponent >= -_MAX_DIGITS and digits + exponent <= _MAX_DIGITS
    return number if small and digits <= 2 * _MAX_DIGITS else None


def _spelled_out(text: str) -> Decimal | None:
    """`doze`, `vinte e cinco amostras`; not `um monte` nor `dois ou tres`."""
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
