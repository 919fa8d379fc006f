"""Portuguese without accents and case: folding, phrases, stems, numbers."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from functools import cache

UNITS = ("zero", "um", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze")
NUMBERS = {word: value for value, word in enumerate(UNITS)}
NUMBERS |= {
    "uma": 1,
    "duas": 2,
    "quinze": 15,
    "vinte": 20,
    "trinta": 30,
    "quarenta": 40,
    "cinquenta": 50,
    "cem": 100,
    "mil": 1000,
}
_NUMBER = re.compile(rf"(?<![\w.,@/-])(\d{{1,3}}(?:\.\d{{3}})+|\d{{1,5}}|{'|'.join(NUMBERS)})(?![\w@/-]|[.,]\d)")
_OF = r"d[aeo]s?(?:\s+(?:meu|minha|nosso|nossa|um|uma))?"
_STOP = frozenset(
    {
        *(
            "a",
            "o",
            "as",
            "os",
            "um",
            "uma",
            "de",
            "do",
            "da",
            "dos",
            "das",
            "e",
            "em",
            "no",
            "na",
            "nos",
            "nas",
            "que",
        ),
        *("se", "por", "para", "pra", "com", "como", "qual", "quais", "quanto", "quanta", "quantos", "voces", "voce"),
        *("vcs", "vc", "eu", "me", "meu", "minha", "seu", "sua", "isso", "esse", "essa", "este", "esta", "ai", "la"),
        *("aqui", "ja", "so", "mais", "mas", "tem", "ter", "ser", "ate"),
    }
)


def fold(text: str) -> str:
    """Lower case, without accents; as long as the text, so that places in one are places in the other."""
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    spread = unicodedata.normalize("NFKD", character)
    base = next((part for part in spread if not unicodedata.combining(part)), character)
    lower = base.lower()
    return lower if len(lower) == 1 else base


def says(text: str, *phrases: str) -> bool:
    """Whether a folded text holds one of the patterns as whole words."""
    return any(_whole_words(phrase).search(text) for phrase in phrases)


def place_of(text: str, phrase: str) -> tuple[int, int] | None:
    """Where a phrase stands in a folded text, as whole words, plural or not."""
    found = _name(phrase).search(text)
    return found.span() if found else None


@cache
def _whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


@cache
def _name(phrase: str) -> re.Pattern[str]:
    words = (_OF if word in ("de", "do", "da") else rf"{re.escape(word)}(?:e?s)?" for word in fold(phrase).split())
    return re.compile(r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)")


def stems(text: str) -> set[str]:
    """The beginnings of the words that mean something."""
    words = re.findall(r"\w+", fold(text))
    return {word[:5] for word in words if len(word) > 2 and word not in _STOP}


def numbers(text: str) -> list[int]:
    """Whole numbers in a folded text, as digits or words, in order; "um" alone is no number but an article."""
    found = [(m[1], m.start()) for m in _NUMBER.finditer(text)]
    alone = [word for word, _ in found if word not in ("um", "uma")]
    return [NUMBERS[w] if w in NUMBERS else int(w.replace(".", "")) for w in alone or [word for word, _ in found]]


def pick(choices: Sequence[str], *seed: object) -> str:
    """One of several wordings: the same for the same conversation."""
    return choices[zlib.crc32("|".join(map(str, seed)).encode()) % len(choices)]


def lower_first(text: str) -> str:
    """For use inside a sentence; acronyms stay."""
    return text if len(text) > 1 and text[1].isupper() else text[:1].lower() + text[1:]


def listed(names: Iterable[str], last: str = "ou") -> str:
    """`água, solo ou alimento`."""
    items = list(names)
    return f" {last} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)
