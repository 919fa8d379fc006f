"""A copy of what a customer wrote, easier to read for a rule. The stored text is never altered by it.

`fold` takes away case, accents, compatibility forms and invisible characters; `tokens` cuts the folded copy into words
and clause marks. Both are linear and take any string, lone surrogates included.
"""

from __future__ import annotations

import re
import unicodedata

# Accents, enclosing marks, and what has no width: joiners, variation selectors, soft hyphens, byte-order marks.
_INVISIBLE = frozenset({"Mn", "Me", "Cf"})

_TOKEN = re.compile(r"[a-z0-9$@*]+|[?!.,;:()\n…]+")


def fold(text: str) -> str:
    """`text` in NFKD without accents or zero-width characters, case folded.

    Character by character: normalising a long run of combining marks as a whole takes quadratic time.
    """
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)


def tokens(folded: str) -> list[str]:
    """Words of a folded text, and each run of punctuation as the strongest mark in it: `?`, `!`, `.` or `,`."""
    return [_mark(token) if token[0] in "?!.,;:()\n…" else token for token in _TOKEN.findall(folded)]


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
