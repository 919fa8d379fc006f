"""Text for storing (`clean_text`, `storable_text`) and copies of it for rules to read (`fold`, `fold_key`, `tokens`).

Every function is linear and takes any string, lone surrogates included; what is stored is never a folded copy.
"""

from __future__ import annotations

import re
import unicodedata

# Accents, enclosing marks, and what has no width: joiners, variation selectors, soft hyphens, byte-order marks.
_INVISIBLE = frozenset({"Mn", "Me", "Cf"})

_SEPARATORS = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TOKEN = re.compile(r"[a-z0-9$@*]+|[?!.,;:()\n…]+")


def fold(text: str) -> str:
    """`text` in NFKD without accents or zero-width characters, case folded.

    Character by character: normalising a long run of combining marks as a whole takes quadratic time.
    """
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)


def fold_key(text: str) -> str:
    """`Ponto de Luz, Já!`, `ponto-de-luz ja` and `pontoDeLuzJa` are `ponto_de_luz_ja`; "" where nothing is left."""
    return _SEPARATORS.sub("_", fold(_CAMEL.sub("_", text))).strip("_")


def tokens(folded: str) -> list[str]:
    """Words of a folded text, and each run of punctuation as the strongest mark in it: `?`, `!`, `.` or `,`."""
    return [_mark(token) if token[0] in "?!.,;:()\n…" else token for token in _TOKEN.findall(folded)]


def clean_text(text: str) -> str:
    """Join surrogate pairs; a lone one, which no UTF-8 can carry, becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def storable_text(text: str, limit: int | None = None) -> str | None:
    """The text as the table takes it: no NUL, no half characters, cut at `limit`. None when nothing is left."""
    kept = clean_text(text[:limit].replace("\x00", ""))
    return kept if kept.strip() else None


class _Folded(dict[int, str]):
    """What each character folds to, worked out when first met: there are no more of them than Unicode has."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code))
        folded = "".join(part for part in decomposed if unicodedata.category(part) not in _INVISIBLE).casefold()
        self[code] = folded
        return folded


_FOLDED = _Folded()


def _mark(punctuation: str) -> str:
    for mark in "?!":
        if mark in punctuation:
            return mark
    return "." if any(character in ".;\n…" for character in punctuation) else ","
