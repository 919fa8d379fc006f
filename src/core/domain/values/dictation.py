"""Numbers and e-mails said aloud, written out: voice notes come as words, and so do the values in them.

`zero onze nove oito…` becomes `0 11 9 8…`, `joao ponto silva arroba gmail ponto com` `joao.silva@gmail.com`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.text import fold
from core.domain.values.number_words import TENS, UP_TO_NINETEEN

_DIGITS = {word: str(number) for number, word in enumerate(UP_TO_NINETEEN)}
_DIGITS |= {word: str(number * 10) for number, word in enumerate(TENS, 2)}
_DIGITS |= {"uma": "1", "duas": "2", "meia": "6", "catorze": "14"}
_TWO_DIGITS = re.compile(rf"\b({'|'.join(TENS)}) e ({'|'.join(UP_TO_NINETEEN[1:10])})\b")
_WORD = rf"\b(?:{'|'.join(_DIGITS)})\b"
_FIGURE = re.compile(rf"{_WORD}|(?<![0-9])[0-9]++")
_BETWEEN = r"(?:[\s,.;\-–—/]|\b(?:traco|hifen|ponto|barra)\b){1,8}"
# Several in a row, or words beside figures; a lone "um" is an article.
_DICTATED = re.compile(rf"(?:{_FIGURE.pattern})(?:{_BETWEEN}(?:{_FIGURE.pattern}))+")
_AT = re.compile(r"\s{0,3}(?:@|[(\[]\s?(?:arroba|at)\s?[)\]]|\barroba\b)\s{0,3}")
_SIGNS = (
    (re.compile(r",?\s?\(?\btud[oa] (?:junto|(?:em )?minuscul[oa])\b\)?,?"), " "),
    (re.compile(r"\s{0,3}\bponto\b\s{0,3}"), "."),
    (re.compile(r"\s{0,3}\b(?:underline|underscore|anderline|sublinhado)\b\s{0,3}"), "_"),
    (re.compile(r"\s{0,3}\b(?:traco|tracinho|hifen)\b\s{0,3}"), "-"),
)


def write_out_digits(text: str) -> str:
    """Folded, with digits that were dictated as digits."""
    return _DICTATED.sub(_as_figures, _TWO_DIGITS.sub(_as_figure, fold(text)))


def readings_of_emails(text: str) -> Iterator[str]:
    """Folded, as it was written; then, where somebody says "arroba", with the signs and digits that were named."""
    folded = fold(text)
    yield _AT.sub("@", folded)
    if "arroba" in folded:
        for pattern, sign in _SIGNS:
            folded = pattern.sub(sign, folded)
        signs = _AT.sub("@", folded)
        yield signs
        yield re.sub(_WORD, lambda word: _DIGITS[word[0]], _TWO_DIGITS.sub(_as_figure, signs))


def _as_figure(words: re.Match[str]) -> str:
    """`vinte e um` is 21."""
    return str(int(_DIGITS[words[1]]) + int(_DIGITS[words[2]]))


def _as_figures(found: re.Match[str]) -> str:
    return " ".join(_DIGITS.get(figure, figure) for figure in _FIGURE.findall(found[0]))
