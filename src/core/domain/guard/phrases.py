"""Phrases over a spelled-out text, and the rules made of them.

A spelled-out text is words and clause marks with one space after each ("quero um atendente . "). In a phrase `<class>`
is a word of that class, with regex quantifiers after it. Every quantifier is bounded and a sighting sees a bounded
stretch of text, so that searching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby

_GENDERS = ("o", "a", "os", "as")
_CLASS = re.compile(r"(?<!\?P)<([a-z_]+)>")
_MARK = re.compile(r"[?!.,]")
_SIGHT = 80

WORD = "[a-z0-9$@*]+ "
END = r"(?=[?!.,] |$)"
START = r"(?:^|(?<=[?!.,] ))"


def words(text: str) -> frozenset[str]:
    """The entries of a list. `burr~` stands for burro, burra, burros and burras; `ser_humano` is one entry."""
    found: set[str] = set()
    for entry in text.split():
        word = entry.replace("_", " ")
        found.update(word[:-1] + ending for ending in _GENDERS) if word.endswith("~") else found.add(word)
    return frozenset(found)


def phrase(pattern: str, classes: Mapping[str, frozenset[str]]) -> re.Pattern[str]:
    """Compile `pattern`; besides the classes, `<any>` is any word, `<start>` and `<end>` the bounds of a clause."""

    def expand(found: re.Match[str]) -> str:
        bounds = {"any": f"(?:{WORD})", "end": END, "start": START}
        name = found.group(1)
        return bounds.get(name) or f"(?:{_either(classes[name])} )"

    return re.compile(rf"(?<![^ ])(?:{_CLASS.sub(expand, pattern)})")


def _either(entries: frozenset[str]) -> str:
    """One of the entries, tried by first letter: a long list costs little where none of it stands."""
    by_letter = groupby(sorted(entries), key=lambda entry: entry[0] if entry[0].isalnum() else "")
    groups = ((letter, "|".join(entry[len(letter) :] for entry in group)) for letter, group in by_letter)
    return "(?:" + "|".join(f"{letter}(?:{rest})" for letter, rest in groups) + ")"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A phrase where it was found: its words, those of its clause on either side, and its group `who`."""

    before: tuple[str, ...]
    said: tuple[str, ...]
    after: tuple[str, ...]
    who: str

    @property
    def clause(self) -> frozenset[str]:
        """Every word of the clause within sight."""
        return frozenset((*self.before, *self.said, *self.after))


def _sight(text: str, found: re.Match[str]) -> Sighting:
    before = _MARK.split(text[max(0, found.start() - _SIGHT) : found.start()])[-1]
    after = _MARK.split(text[found.end() : found.end() + _SIGHT], maxsplit=1)[0]
    who = found.groupdict().get("who") or ""
    return Sighting(
        before=tuple(before.split()), said=tuple(found[0].split()), after=tuple(after.split()), who=who.strip()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A phrase that fires where `holds` finds nothing against it."""

    name: str
    pattern: re.Pattern[str]
    holds: Callable[[Sighting], bool]

    def fires(self, text: str) -> bool:
        """Whether some sighting of the phrase holds."""
        if self.pattern.search(text) is None:  # nearly always, and cheaper to learn without an iterator
            return False
        return any(self.holds(_sight(text, found)) for found in self.pattern.finditer(text))


def ruler(classes: Mapping[str, frozenset[str]]) -> Callable[..., Rule]:
    """A maker of rules over `classes`: `rule(name, condition, phrase, ...)` fires on any of its phrases."""

    def rule(name: str, holds: Callable[[Sighting], bool], *alternatives: str) -> Rule:
        return Rule(name=name, pattern=phrase("|".join(alternatives), classes), holds=holds)

    return rule


def always(_: Sighting) -> bool:
    """For phrases that nothing can excuse."""
    return True


def bare_words(text: str) -> list[str]:
    """The words of a spelled-out text without its clause marks."""
    return [word for word in text.split() if not _MARK.fullmatch(word)]
