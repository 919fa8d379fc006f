"""Numbers as models and Brazilians write them: `12`, `"12 peças"`, `"1.200"`, `"12,5"`, `"duas dúzias"`.

A number is read whole or not at all: what bounds it, spreads it or counts a second thing is no part to be left out.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal

from core.domain.text import fold
from core.domain.values.number_words import HALVES, QuantityReader, tells_number

_MAX_DIGITS = 15
_MAX_CHARS = 80
_MAX_WORDS_AFTER = 6
# A figure, a word, or a name with digits in it ("H2O", "h30").
_TOKEN = re.compile(r"(?<![\w.,])[-+]?[0-9]+(?:[.,][0-9]+)*|[^\W\d_]+[0-9]\w*|[^\W\d_]+")
_ANY_DIGIT = re.compile(r"\d")
# An ordinal, a power, a bound, a fraction.
_UNFIT = re.compile(r"[0-9][ao](?![a-z0-9])|[0-9]\s*[+^]|[<>≤≥±]|[0-9]\s*/")
_BRAZILIAN_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_ENGLISH_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+\.[0-9]+|(?:,[0-9]{3}){2,})")
_COMMA_DECIMAL = re.compile(r"[0-9]+,[0-9]+")
_DOUBTFUL_COMMA = re.compile(r"[0-9]+,[0-9]{3}")
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_RAISED = re.compile(r"(?<=[A-Za-z])[²³]")
_UNITS_WITH_DIGITS = frozenset(f"{unit}{power}" for unit in ("m", "cm", "mm", "km", "dm") for power in "23")
# What only rounds, taken out before words that bound are looked for.
_ROUNDERS = re.compile(r"\b(?:mais ou menos|por volta de|por enquanto|por favor|por hora)\b")
# With any of these the number is a bound, a rate, a share or a denial.
_CHANGERS = frozenset(
    {
        *("ou", "entre", "ate", "mais", "menos", "minimo", "maximo", "acima", "abaixo", "partir", "desde", "superior"),
        *("inferior", "por", "cada", "vezes", "vez", "x", "k", "kk", "nao", "nem", "sem", "exceto", "metade", "dobro"),
        *(
            "triplo",
            "terco",
            "tercos",
            "quartos",
            "decimos",
            "varios",
            "varias",
            "alguns",
            "algumas",
            "tantos",
            "tantas",
        ),
        *("poucos", "poucas", "muitos", "muitas", "nenhum", "nenhuma", "diario", "diaria", "mensal", "mensais"),
        *("semanal", "semanais", "anual", "anuais", "diarias", "diarios", "pouco", "pouca"),
    }
)
# `um monte`, `uma caixa`: not one of what is counted.
_VAGUE = frozenset(
    {
        *(
            "monte",
            "montao",
            "porcao",
            "punhado",
            "bocado",
            "tanto",
            "pouco",
            "pouquinho",
            "tantinho",
            "bando",
            "numero",
        ),
        *("quantidade", "serie", "lote", "caixa", "kit", "carga", "remessa", "conjunto", "grupo", "pacote"),
        *(
            "bateria",
            "rodada",
            "leva",
            "fardo",
            "saco",
            "bandeja",
            "palete",
            "pallet",
            "infinidade",
            "parte",
            "media",
            "volume",
        ),
        *(
            "dia",
            "semana",
            "mes",
            "ano",
            "hora",
            "total",
            "estoque",
            "turma",
            "equipe",
            "galera",
            "boa",
            "grande",
            "certo",
        ),
        *("certa", "bom"),
    }
)
_BEFORE_ARTICLE = frozenset({"de", "em", "para", "pra", "num", "numa"})


def read_number(raw: object, *, comma_decimal: bool = True) -> Decimal | None:
    """The one number that a value holds; None when it holds none, several, a doubtful or an enormous one."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw) if abs(raw) < 10**_MAX_DIGITS else None
    if isinstance(raw, float):
        return _within_size(Decimal(str(raw))) if math.isfinite(raw) else None
    return _from_text(raw, comma_decimal) if isinstance(raw, str) and len(raw) <= _MAX_CHARS else None


def read_integer(raw: object) -> int | None:
    """A whole number. `1,200` is refused: to some the comma is a decimal sign, to others it marks thousands."""
    number = read_number(raw, comma_decimal=False)
    return int(number) if number is not None and number == number.to_integral_value() else None


def _from_text(raw: str, comma_decimal: bool) -> Decimal | None:
    text = _without_rounders(raw)
    if text is None:
        return None
    tokens = _TOKEN.findall(text)
    if _digits_in(text) != sum(map(_digits_in, tokens)) or any(map(_is_unclear, tokens)):
        return None
    start = next((place for place, token in enumerate(tokens) if tells_number(token)), len(tokens))
    if not _CHANGERS.isdisjoint(tokens[:start]):
        return None
    reader = QuantityReader(tokens[start:], lambda figure: _read_figure(figure, comma_decimal))
    number = reader.amount()
    if number is None:
        return None
    rest = list(reader.rest)
    if len(rest) >= 3 and rest[1] == "e" and rest[2] in HALVES:  # `dois hectares e meio`
        number += Decimal("0.5")
        del rest[1:3]
    clear = _only_names_what_is_counted(rest, bare_article=reader.bare_article)
    return _within_size(number) if clear else None


def _without_rounders(raw: str) -> str | None:
    """Folded, without words that only round; None for ordinals, and for signs that folding would turn into digits."""
    text = _RAISED.sub(lambda sign: fold(sign[0]), raw)
    if any(unicodedata.category(character) in ("No", "Nl") for character in text):
        return None
    text = _ROUNDERS.sub(" ", fold(text))
    return None if _UNFIT.search(text) else text


def _only_names_what_is_counted(rest: Sequence[str], *, bare_article: bool) -> bool:
    """Whether what follows a number takes nothing from it and adds nothing to it."""
    if bare_article and rest and rest[0] in _VAGUE:
        return False
    counts_on = any(
        tells_number(token) and not (token in ("um", "uma") and place and rest[place - 1] in _BEFORE_ARTICLE)
        for place, token in enumerate(rest)
    )
    return not counts_on and len(rest) <= _MAX_WORDS_AFTER and _CHANGERS.isdisjoint(rest)


def _is_unclear(token: str) -> bool:
    """A name with digits in it, or a figure that a letter could belong to."""
    return token[0].isalpha() and _ANY_DIGIT.search(token) is not None and token not in _UNITS_WITH_DIGITS


def _digits_in(text: str) -> int:
    return len(_ANY_DIGIT.findall(text))


def _read_figure(figure: str, comma_decimal: bool) -> Decimal | None:
    plain = _strip_punctuation(figure.lstrip("+-"), comma_decimal)
    return None if plain is None else Decimal(("-" if figure.startswith("-") else "") + plain)


def _strip_punctuation(digits: str, comma_decimal: bool) -> str | None:
    """With a decimal point and nothing else. `1.200` is read as Brazilians do."""
    if _BRAZILIAN_THOUSANDS.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _ENGLISH_THOUSANDS.fullmatch(digits):
        return digits.replace(",", "")
    if _COMMA_DECIMAL.fullmatch(digits) and (comma_decimal or not _DOUBTFUL_COMMA.fullmatch(digits)):
        return digits.replace(",", ".")
    return digits if _PLAIN.fullmatch(digits) else None


def _within_size(number: Decimal) -> Decimal | None:
    digits, exponent = len(number.as_tuple().digits), number.as_tuple().exponent
    small = isinstance(exponent, int) and exponent >= -_MAX_DIGITS and digits + exponent <= _MAX_DIGITS
    return number if small else None
