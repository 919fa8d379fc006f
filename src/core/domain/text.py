"""Text for storing (`clean_text`, `storable_text`), for showing (`displayable_text`) and copies of it for rules to read
(`fold`, `fold_key`, `tokens`).

Every function is linear and takes any string, lone surrogates included; what is stored is never a folded copy.
"""

from __future__ import annotations

import re
import unicodedata

# Accents, enclosing marks, and what has no width: joiners, variation selectors, soft hyphens, byte-order marks.
_INVISIBLE = frozenset({"Mn", "Me", "Cf"})

# Nothing is seen of them: controls, format characters, marks, white space, what no font has.
_UNSEEN = _INVISIBLE | frozenset({"Cc", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# Letters and a symbol by category, blank all the same: Hangul's fillers (default-ignorable), Braille's empty cell.
BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Classes of characters that turn or wall off the direction of what follows.
_TURNING = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})

_SEPARATORS = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TERMINAL_COMMAND = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")
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


def is_seen(character: str) -> bool:
    """Whether a reader sees something of it, by its Unicode class: no invisible, ignorable or direction character."""
    return unicodedata.category(character) not in _UNSEEN and character not in BLANKS


def displayable_text(text: str) -> str:
    """The text without what acts on a screen instead of being read: terminal commands, control characters other than
    the line's end and the tab, overrides of direction. Joiners and variation selectors stay: emoji are made of them.
    """
    return _TERMINAL_COMMAND.sub("", text).translate(_DISPLAYED)


class _Displayed(dict[int, str]):
    """What each character becomes on a customer's screen, worked out when first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        shown = character
        if unicodedata.category(character) == "Cc" and character not in "\n\t":
            shown = " " if character.isspace() else ""
        elif unicodedata.bidirectional(character) in _TURNING:
            shown = ""
        self[code] = shown
        return shown


class _Folded(dict[int, str]):
    """What each character folds to, worked out when first met: there are no more of them than Unicode has."""

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFKD", chr(code))
        folded = "".join(part for part in decomposed if unicodedata.category(part) not in _INVISIBLE).casefold()
        self[code] = folded
        return folded


_FOLDED = _Folded()
_DISPLAYED = _Displayed()


def _mark(punctuation: str) -> str:
    for mark in "?!":
        if mark in punctuation:
            return mark
    return "." if any(character in ".;\n…" for character in punctuation) else ","
