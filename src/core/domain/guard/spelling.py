"""Chat spelling to plain words: "qro flr c/ atendnte" reads "quero falar com atendente"."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from core.domain.guard.lexicon import MARKS, classes, words
from core.domain.guard.tables import read_table
from core.domain.text import fold, tokens

_LEET = str.maketrans("0134$@5", "oieasas")
_ELONGATED = re.compile(r"([a-z])\1{2,}")
_SYLLABLES = re.compile(r"(?<![a-z-])(?:[a-z]{1,3}-){2,}[a-z]{1,3}(?![a-z-])")
_TITLE = re.compile(r"(?<![a-z])((?:sr|dr|prof)a?)\.")
# "??", "?!" and "…" are two marks: whoever writes so presses.
_PRESSED = re.compile(r"([?!.])[?!.]+")
_LONGEST_WORD = 24
_FACES = {
    "\N{REVERSED HAND WITH MIDDLE FINGER EXTENDED}": " vsf ",
    "\N{SERIOUS FACE WITH SYMBOLS COVERING MOUTH}": " pqp ",
    "\N{POUTING FACE}": " raiva ",
    "\N{ANGRY FACE}": " raiva ",
    "\N{FACE WITH LOOK OF TRIUMPH}": " raiva ",
    "\N{FACE WITH ROLLING EYES}": " aff ",
    "\N{CLOWN FACE}": " aff ",
}
_ANGRY_FACES = str.maketrans(_FACES)


class _Spelling(NamedTuple):
    plain: dict[str, str]
    slippery: tuple[str, ...]
    masked: tuple[str, ...]
    known: frozenset[str]
    joined: dict[str, str]
    join: re.Pattern[str]


@cache
def _spelling() -> _Spelling:
    table = read_table("spelling")
    plain = {variant: word for word, variants in table["spelled"].items() for variant in variants.split()}
    slippery, no_slip, masked = (words(table["words"][name]) for name in ("slippery", "no_slip", "masked"))
    joined = {entry.replace("_", " "): entry for entry in classes() if "_" in entry and "<" not in entry}
    joined |= table["joined"]
    longest_first = sorted(joined, key=len, reverse=True)
    return _Spelling(
        plain=plain,
        slippery=tuple(sorted(slippery)),
        masked=tuple(sorted(masked)),
        known=slippery | no_slip | masked | frozenset(plain),
        joined=joined,
        join=re.compile(rf"(?<![^ ])(?:{'|'.join(longest_first)})(?= )"),
    )


@lru_cache(maxsize=32)  # every detector of a turn asks for the same text, and a loop again for those before it
def spell_out(text: str) -> str:
    """`text` folded and spelled plainly: words and clause marks, each with one space after it."""
    folded = _TITLE.sub(r"\1 ", fold(text))  # "a Dra. Helena"
    folded = _SYLLABLES.sub(lambda found: found[0].replace("-", ""), folded)  # "A-TEN-DEN-TE"
    folded = _PRESSED.sub(r"\1 \1 ", folded)
    spelled = map(_plain, tokens(folded.translate(_ANGRY_FACES)))
    plain = "".join([f"{word} " for word in spelled if word])  # nothing is left of a token of asterisks
    known = _spelling()
    return known.join.sub(lambda found: known.joined[found[0]], plain)


def bare_words(text: str) -> list[str]:
    """The words of a spelled-out text without its clause marks."""
    return [word for word in text.split() if word not in MARKS]


@lru_cache(maxsize=4096)  # most words of a conversation are the same few
def _plain(written: str) -> str:
    if len(written) > _LONGEST_WORD or written in MARKS:
        return written[:_LONGEST_WORD]
    word = _unmask(written.strip("*"))
    word = _shorten(word) if _ELONGATED.search(word) else word
    return _spelling().plain.get(word) or _without_slip(word)


def _unmask(token: str) -> str:
    masked = _spelling().masked
    if "*" in token:
        dots = re.compile(token.replace("*", "[a-z]"))
        return next((word for word in masked if dots.fullmatch(word)), token.replace("*", ""))
    plain = token.translate(_LEET)
    return plain if plain != token and _shorten(plain) in masked else token


def _shorten(word: str) -> str:
    """Make "burroooo" "burro": each run of three or more becomes one letter, or two where only that is a known word."""
    parts = _ELONGATED.split(word)  # text, letter, text, letter, text
    runs = parts[1::2][:3]
    sizes = product((1, 2), repeat=len(runs))
    candidates = ["".join(_resized(parts, chosen)) for chosen in sizes]
    return next((candidate for candidate in candidates if candidate in _spelling().known), candidates[0])


def _resized(parts: list[str], sizes: tuple[int, ...]) -> list[str]:
    by_part = dict(zip(range(1, len(parts), 2), sizes, strict=False))
    return [part * by_part.get(position, 1) for position, part in enumerate(parts)]


def _without_slip(word: str) -> str:
    known = _spelling()
    if not 5 <= len(word) <= 15 or word in known.known or word.endswith("ndo"):
        return word
    return next((key for key in known.slippery if key[0] == word[0] and _one_slip(key, word)), word)


def _one_slip(key: str, word: str) -> bool:
    """Whether one letter added, dropped, replaced or swapped with its neighbour tells the two apart."""
    if abs(len(key) - len(word)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(key, word, strict=False)) if a != b), min(len(key), len(word)))
    rest, other = key[start:], word[start:]
    swapped = rest[:2] == other[1::-1] and rest[2:] == other[2:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or swapped
