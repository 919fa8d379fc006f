"""The word lists beside this file, read when first asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache

from core.domain.guard.tables import read_table, table_error

_GENDERS = ("o", "a", "os", "as")
_SHORTEST_STEM = 4
_SUFFIX_LENGTH = 5
_EVERYWHERE = 30
MARKS = frozenset("?!.,")


def words(text: str) -> frozenset[str]:
    """The entries of a list. `burr~` stands for burro, burra, burros and burras; `ser_humano` is one entry."""
    found: set[str] = set()
    for entry in text.split():
        found.update(entry[:-1] + ending for ending in _GENDERS) if entry.endswith("~") else found.add(entry)
    return frozenset(found)


@cache
def classes() -> Mapping[str, frozenset[str]]:
    """Word, stem (`irrit*`) or ending (`*mente`) to the classes that list it, in the brackets that phrases write.

    Raises `GuardTableError`.
    """
    found: dict[str, set[str]] = {}
    for name in read_table("words"):
        for entry in _all_words(name):
            found.setdefault(entry, set()).add(f"<{name}>")
    return {entry: frozenset(names) for entry, names in found.items()}


@cache
def chances() -> Mapping[str, int]:
    """How likely a text has one of a class's words: each counts once, and those that are everywhere many times."""
    everywhere = words(read_table("loop")["stop"])
    found: Counter[str] = Counter(dict.fromkeys(everywhere, _EVERYWHERE))
    for entry, names in classes().items():
        for name in names:
            found[name] += _EVERYWHERE if entry in everywhere else 1
    return found


@lru_cache(maxsize=4096)  # most words of a conversation are the same few
def senses(word: str) -> frozenset[str]:
    """A word as phrases see it: itself and the classes that it belongs to; of a mark, nothing but the mark."""
    stems = (f"{word[:length]}*" for length in range(_SHORTEST_STEM, len(word) + 1))
    known = (word, f"*{word[-_SUFFIX_LENGTH:]}", *stems)
    return frozenset((word,)).union(*(classes().get(entry, ()) for entry in known))


def _all_words(name: str, within: tuple[str, ...] = ()) -> frozenset[str]:
    """A class's list may name another: `<person>` stands for all of its words. Raises `GuardTableError`."""
    table = read_table("words")
    if name not in table or name in within:
        what = "names itself" if name in within else "is no class of words.toml"
        raise table_error("words", f"<{name}>", f"<{name}> {what}")
    listed = words(table[name])
    named = {entry for entry in listed if entry.startswith("<")}
    return (listed - named).union(*(_all_words(entry[1:-1], (*within, name)) for entry in named))
