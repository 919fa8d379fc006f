"""Portuguese words for numbers, and the one quantity that a row of words and figures tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

UP_TO_NINETEEN = (
    *("zero", "um", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove"),
    *("dez", "onze", "doze", "treze", "quatorze", "quinze", "dezesseis", "dezessete", "dezoito", "dezenove"),
)
TENS = ("vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa")
_HUNDREDS = (
    *("cento", "duzentos", "trezentos", "quatrocentos", "quinhentos"),
    *("seiscentos", "setecentos", "oitocentos", "novecentos"),
)
WORDS = {word: value for value, word in enumerate(UP_TO_NINETEEN)}
WORDS |= {word: value * 10 for value, word in enumerate(TENS, 2)}
WORDS |= {word: value * 100 for value, word in enumerate(_HUNDREDS, 1)}
WORDS |= {word[:-2] + "as": WORDS[word] for word in _HUNDREDS[1:]}
WORDS |= {"uma": 1, "duas": 2, "catorze": 14, "dezasseis": 16, "dezassete": 17, "dezanove": 19, "cem": 100}
_SCALES = {"mil": 10**3, "milhao": 10**6, "milhoes": 10**6, "bilhao": 10**9, "bilhoes": 10**9}
_COLLECTIVES = {"par": 2, "dezena": 10, "duzia": 12, "centena": 100, "milheiro": 1000}
_COLLECTIVES |= {"pares": 2} | {word + "s": size for word, size in _COLLECTIVES.items() if word != "par"}
HALVES = frozenset({"meio", "meia"})
_HALF = Decimal("0.5")
_ARTICLES = frozenset({"um", "uma"})
_NUMBERS = frozenset({*WORDS, *_SCALES, *_COLLECTIVES, *HALVES})
_FIGURE = re.compile(r"[-+]?[0-9]")

FigureReader = Callable[[str], Decimal | None]


def tells_number(token: str) -> bool:
    """Whether a token is a figure, or a word that counts."""
    return token in _NUMBERS or is_figure(token)


def is_figure(token: str) -> bool:
    """Digits, with what punctuates them."""
    return _FIGURE.match(token) is not None


@dataclass(slots=True)
class QuantityReader:
    """Reads the quantity at the start of `tokens`; `rest` is what stands after it. Mutable on purpose: it moves along.

    `amount` is None where what begins like a number does not go on like one.
    """

    tokens: Sequence[str]
    read_figure: FigureReader
    position: int = 0
    bare_article: bool = False

    @property
    def rest(self) -> Sequence[str]:
        return self.tokens[self.position :]

    def amount(self) -> Decimal | None:
        if self._next() in HALVES:
            return self._half_of()
        first = self._group()
        if first is None:
            return None
        if self._next() in _COLLECTIVES:
            return self._collective(first)
        return self._sum(first)

    def _next(self, ahead: int = 0) -> str:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else ""

    def _half_of(self) -> Decimal | None:
        """`meia dúzia`, `meio milhão`, `meio hectare`; `meia` alone says nothing."""
        self.position += 1
        size = _COLLECTIVES.get(self._next()) or _SCALES.get(self._next(), 0)
        if size == _SCALES["mil"] or not self._next():
            return None
        self.position += bool(size)
        return _HALF * (size or 1)

    def _collective(self, count: Decimal) -> Decimal:
        """`duas dúzias`, `uma dúzia e meia`."""
        size = _COLLECTIVES[self._next()]
        self.position += 1
        return (count + (_HALF if self._takes_half() else 0)) * size

    def _sum(self, first: Decimal) -> Decimal | None:
        """`dois mil e quinhentos`: each part smaller than what the one before it counts in."""
        total, scale = self._scaled(first)
        while scale > 1 and self._enters_part():
            part = self._group()
            if part is None or part != part.to_integral_value():
                return None
            value, smaller = self._scaled(part)
            if not 0 < value < scale or smaller >= scale:
                return None
            total, scale = total + value, smaller
        if self._takes_half():
            return None if scale == _SCALES["mil"] else total + _HALF * scale
        return total

    def _enters_part(self) -> bool:
        """Whether a further part comes next, an `e` before it taken."""
        joined = self._next() == "e"
        token = self._next(int(joined))
        follows = token in WORDS or is_figure(token)
        self.position += joined and follows
        return follows

    def _scaled(self, value: Decimal) -> tuple[Decimal, int]:
        scale = _SCALES.get(self._next(), 1)
        self.position += scale > 1
        return value * scale, scale

    def _group(self) -> Decimal | None:
        """A figure, or words below a thousand; `mil` alone is one thousand."""
        word = self._next()
        if is_figure(word):
            self.position += 1
            return self.read_figure(word)
        if word == "mil":
            return Decimal(1)
        if word not in WORDS:
            return None
        self.bare_article = word in _ARTICLES
        self.position += 1
        total = last = WORDS[word]
        while _adds_to(last, value := WORDS.get(self._next(int(joined := self._next() == "e")), 0)):
            total, last, self.bare_article = total + value, value, False
            self.position += 1 + joined
        return Decimal(total)

    def _takes_half(self) -> bool:
        """`e meio`, `e meia`, taken when it comes next."""
        found = self._next() == "e" and self._next(1) in HALVES
        self.position += 2 * found
        return found


def _adds_to(rounder: int, value: int) -> bool:
    """`cento` and `vinte`, `vinte` and `cinco`; not `doze` and `dois`."""
    return 0 < value < (100 if rounder >= 100 else 10 if rounder >= 20 else 0)
