"""Portuguese without accents and case: what a text means, its stems, its numbers; `portuguese.toml` has the words."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

PORTUGUESE = tomllib.loads(Path(__file__).with_name("portuguese.toml").read_text(encoding="utf-8"))
FILLER = frozenset(PORTUGUESE["filler"].split())
_STOP = frozenset(PORTUGUESE["stop"].split())
_NUMBERS = {word: value for value, word in enumerate(PORTUGUESE["numbers"].split())}
_NUMBERS |= {
    "uma": 1,
    "duas": 2,
    "meia duzia": 6,
    "duzia": 12,
    "trinta": 30,
    "quarenta": 40,
    "cinquenta": 50,
    "cem": 100,
}
_SPELLED = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_NUMBER = re.compile(rf"(?<![\w.,@/-])(\d{{1,3}}(?:\.\d{{3}})+|\d{{1,6}}|{_SPELLED})(?![\w@/-]|[.,]\d)")
_OF = r"d[aeo]s?(?:\s+(?:meu|minha|nosso|nossa|um|uma))?"
_ENDING = re.compile(r"(?:[aeo]|[ae]m|[aei]r)$")


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case, without accents; as long as the text, so that places in one are places in the other."""
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    spread = unicodedata.normalize("NFKD", character)
    base = next((part for part in spread if not unicodedata.combining(part)), character)
    lower = base.lower()
    return lower if len(lower) == 1 else base


def says(text: str, *patterns: str) -> bool:
    """Whether a folded text holds one of the patterns as whole words."""
    return any(_whole_words(pattern).search(text) for pattern in patterns)


def means(text: str, *kinds: str) -> bool:
    """Whether a folded text holds a pattern of one of these kinds."""
    return any(says(text, *PORTUGUESE["means"][kind]) for kind in kinds)


@cache
def _whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


def place_of(text: str, phrase: str) -> tuple[int, int] | None:
    """Where a phrase stands in a folded text, as whole words, plural or not."""
    words = (_OF if word in ("de", "do", "da") else _either_number(word) for word in fold(phrase).split())
    found = _whole_words(r"\s+".join(words)).search(text)
    return found.span() if found else None


def _either_number(word: str) -> str:
    for one, many in (("ao", "(?:ao|oes|aes)"), ("l", "(?:l|i?s)"), ("m", "(?:m|ns)")):
        if word.endswith(one):
            return re.escape(word.removesuffix(one)) + many
    return rf"{re.escape(word)}(?:e?s)?"


def stems(text: str) -> set[str]:
    """The beginnings of the words that mean something: `vendem` and `venda` share theirs."""
    return {stem(word) for word in re.findall(r"\w+", fold(text)) if len(word) > 2 and word not in _STOP}


def stem(word: str) -> str:
    """Of one folded word."""
    word = word.removesuffix("s").replace("qu", "c")
    return _ENDING.sub("", word) if 4 <= len(word) <= 6 else word[:5]


def numbers(text: str) -> list[int]:
    """Whole numbers in a folded text, as digits or words, in order; "um" beside another is no number but an article."""
    found = [found[1] for found in _NUMBER.finditer(text)]
    counted = [word for word in found if word not in ("um", "uma")] or found
    return [_NUMBERS[word] if word in _NUMBERS else int(word.replace(".", "")) for word in counted]


def questions(text: str) -> list[str]:
    """The folded sentences that ask something."""
    sentences = (sentence.strip(" ,") for sentence in re.findall(r"[^?!.\n]+\??", fold(text)))
    return [sentence for sentence in sentences if sentence.endswith("?") or means(sentence, "question")]


def is_bare(text: str) -> bool:
    """Only courtesy, yes or no, and "go on": it holds no value."""
    return FILLER.issuperset(re.findall(r"\w+", fold(text)))


def lower_first(text: str) -> str:
    """For use inside a sentence; acronyms stay."""
    return text if len(text) > 1 and text[1].isupper() else text[:1].lower() + text[1:]


def listed(names: Iterable[str]) -> str:
    """`azul, verde ou branco`."""
    *first, last = [lower_first(name) for name in names]
    return f"{', '.join(first)} ou {last}" if first else last
