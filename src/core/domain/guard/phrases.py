"""Phrases over a spelled-out text, and the rules made of them.

A spelled-out text is words and clause marks with one space after each ("quero um atendente . "). In a phrase `<class>`
is a word of that class, with regex quantifiers after it. Every quantifier is bounded and a sighting sees a bounded
stretch of text, so that searching stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from core.domain.guard.needed_words import Needs, needed_words

_GENDERS = ("o", "a", "os", "as")
_CLASS = re.compile(r"(?<!\?P)<([a-z_]+)>")
_MARKS = frozenset("?!.,")
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


class Phrase:
    """A pattern over classes: besides those, `<any>` is any word, `<start>` and `<end>` the bounds of a clause."""

    def __init__(self, pattern: str, classes: Mapping[str, frozenset[str]]) -> None:
        self._pattern = pattern
        self._classes = classes

    @cached_property
    def needs(self) -> tuple[Needs, ...]:
        """For each alternative, sets of words of which a text must meet every one."""
        return needed_words(self._pattern, self._classes)

    @cached_property
    def regex(self) -> re.Pattern[str]:
        """Compiled when a text may first hold it: most phrases are never met in the life of a process."""
        return re.compile(rf"(?<![^ ])(?:{_CLASS.sub(self._expanded, self._pattern)})")

    def _expanded(self, found: re.Match[str]) -> str:
        bounds = {"any": f"(?:{WORD})", "end": END, "start": START}
        name = found.group(1)
        return bounds.get(name) or f"(?:{_either(self._classes[name])} )"


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
    phrase: Phrase
    holds: Callable[[Sighting], bool]

    def fires(self, text: str) -> bool:
        """Whether some sighting of the phrase holds."""
        return any(self.holds(_sight(text, found)) for found in self.phrase.regex.finditer(text))


class RuleBook:
    """Rules in their order, found by the words that they need."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules

    def fired(self, text: str, *, at_least: int = 1) -> Iterator[str]:
        """The names of the rules that fire on a spelled-out text, in order; none where fewer than `at_least` could."""
        heard, by_word = frozenset(text.split()), self._by_word
        found = [entry for word in heard if word in by_word for entry in by_word[word]]
        met = {at for at, others in found if not any(map(heard.isdisjoint, others))} | self._always
        if len(met) < at_least:
            return iter(())
        return (self.rules[at].name for at in sorted(met) if self.rules[at].fires(text))

    @cached_property
    def _always(self) -> frozenset[int]:
        """Positions of the rules that no word tells, to be tried on every text."""
        return frozenset(at for at, rule in enumerate(self.rules) if () in rule.phrase.needs)

    @cached_property
    def _by_word(self) -> dict[str, list[tuple[int, Needs]]]:
        """By the rarest word that an alternative needs: its rule's position, and the other words it needs."""
        by_word: dict[str, list[tuple[int, Needs]]] = {}
        for at, rule in enumerate(self.rules):
            for words, *others in filter(None, rule.phrase.needs):
                for word in words:
                    by_word.setdefault(word, []).append((at, tuple(others)))
        return by_word


def ruler(classes: Mapping[str, frozenset[str]]) -> Callable[..., Rule]:
    """A maker of rules over `classes`: `rule(name, condition, phrase, ...)` fires on any of its phrases."""

    def rule(name: str, holds: Callable[[Sighting], bool], *alternatives: str) -> Rule:
        return Rule(name=name, phrase=Phrase("|".join(alternatives), classes), holds=holds)

    return rule


def always(_: Sighting) -> bool:
    """For phrases that nothing can excuse."""
    return True


def bare_words(text: str) -> list[str]:
    """The words of a spelled-out text without its clause marks."""
    return [word for word in text.split() if word not in _MARKS]
