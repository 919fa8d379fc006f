"""Phrases, rules made of them, and what excuses a rule (docs/guard.md, "The rules in words").

A phrase is elements with spaces between: a word, `<class>`, alternatives `a|<b>`, none of them `!a|b`, any word `.`, a
gap of up to four words `..`, the bounds of a clause `^` and `$`, a mark that stands alone. `?` after an element: it may
be missing; `*`: up to four of it. Every repeat is bounded and a clause is seen for a bounded stretch, so that searching
stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from core.domain.guard.lexicon import MARKS, chances, senses
from core.domain.guard.tables import read_table, table_error

_MOST = 4
_SIGHT = 12
_BARE_LENGTH = 8
_BOUNDS = ("^", "$")
_FILES = {"sign": "signs"}
_CLASS = re.compile(r"<([^<>]*)>")
_EXCUSE_KEYS = {"phrases", "but", "anywhere"}


class Text:
    """A spelled-out text as a row of words, each with its senses."""

    def __init__(self, spelled: str) -> None:
        self.words = spelled.split()
        self.senses = [senses(word) for word in self.words]

    @cached_property
    def heard(self) -> frozenset[str]:
        """Every word and class that is anywhere in the text."""
        return frozenset().union(*set(self.senses))

    @cached_property
    def spoken(self) -> list[frozenset[str]]:
        """The senses of its words, clause marks left out."""
        return [sense for sense in self.senses if MARKS.isdisjoint(sense)]

    def is_mark(self, at: int) -> bool:
        """Whether a clause ends there; both ends of the text count."""
        return not 0 <= at < len(self.words) or self.words[at] in MARKS

    def clause(self, start: int, end: int) -> tuple[int, int]:
        """The bounds of what stands around a stretch, as far as it is in sight."""
        low, high = start, end
        while low > start - _SIGHT and not self.is_mark(low - 1):
            low -= 1
        while high < end + _SIGHT and not self.is_mark(high):
            high += 1
        return low, high


@lru_cache(maxsize=32)  # as spell_out
def text_of(spelled: str) -> Text:
    """The text that a spelled-out one reads as."""
    return Text(spelled)


class _Element(NamedTuple):
    words: frozenset[str]
    negated: bool
    least: int
    most: int

    def fits(self, sense: frozenset[str]) -> bool:
        if self.negated:
            return self.words.isdisjoint(sense) and MARKS.isdisjoint(sense)
        return not self.words.isdisjoint(sense)


class Phrase:
    """One way of saying something."""

    def __init__(self, written: str) -> None:
        self._elements = [_element(part) for part in written.split()]
        sure = (element for element in self._elements if element.least and not element.negated)
        self._needs = [element.words for element in sure if element.words.isdisjoint(_BOUNDS)]
        self.key = min(self._needs, key=_commonness, default=frozenset[str]())
        """One of these a text must have for the phrase to be there; empty where none is sure."""

    def possible(self, text: Text) -> bool:
        """Whether the text has the words that the phrase can't do without: nearly every phrase ends here."""
        return not any(map(text.heard.isdisjoint, self._needs))

    def ends(self, text: Text, start: int, position: int = 0) -> Iterator[int]:
        """Where the phrase, begun at `start`, may end: the longest first."""
        if position == len(self._elements):
            yield start
            return
        element = self._elements[position]
        if ("^" in element.words and text.is_mark(start - 1)) or ("$" in element.words and text.is_mark(start)):
            yield from self.ends(text, start, position + 1)
        row, count = text.senses, 0
        while count < element.most and start + count < len(row) and element.fits(row[start + count]):
            count += 1
        for taken in range(count, element.least - 1, -1):
            yield from self.ends(text, start + taken, position + 1)

    def found(self, text: Text, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Where it begins and ends, of those that begin in the stretch."""
        if self.possible(text):
            first = self._elements[0]
            plain = first.least and first.words.isdisjoint(_BOUNDS)
            for start in range(low, high):
                if plain and not first.fits(text.senses[start]):
                    continue
                end = next(self.ends(text, start), None)
                if end is not None:
                    yield start, end


class Excuse:
    """What makes a sighting mean nothing: phrases of its clause, before it (`… @`), after it (`@ …`) or anywhere."""

    def __init__(self, phrases: Iterable[str], but: Iterable[str] = (), anywhere: bool = False) -> None:
        written = list(phrases)
        self._anywhere = anywhere
        self._before = [Phrase(each[:-1]) for each in written if each.endswith("@")]
        self._after = [Phrase(each[1:]) for each in written if each.startswith("@")]
        self._near = [Phrase(each) for each in written if "@" not in each]
        self._but = [Phrase(each) for each in but]

    def holds(self, text: Text, start: int, end: int) -> bool:
        """Whether it excuses the sighting between the two."""
        low, high = text.clause(start, end)
        if self._anywhere:
            low, high = max(0, start - 2 * _SIGHT), min(len(text.words), end + 2 * _SIGHT)
        holds = (
            any(start in each.ends(text, at) for each in self._before for at in range(low, start))
            or any(each.possible(text) and next(each.ends(text, end), None) for each in self._after)
            or any(True for each in self._near for _ in each.found(text, low, high))
        )
        return holds and not any(True for each in self._but for _ in each.found(text, low, high))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Fires on any of its phrases that is not excused, `beside` (if it has any) standing elsewhere in the text."""

    name: str
    example: str
    phrases: Sequence[Phrase] = ()
    beside: Sequence[Phrase] = ()
    excuses: Sequence[Excuse] = ()
    points: int = 0
    """What a sign counts for anger or, below zero, against it; a rule of another kind has none."""
    only: Sequence[str] = ()
    """The rule fires on a short text of the first class and the second and nothing else, with one of the first."""

    def fires(self, text: Text, phrases: Iterable[Phrase] | None = None) -> bool:
        """Whether a sighting is left that nothing excuses; `phrases`: those of its own that can be there."""
        whole = len(text.words)
        if self.only:
            core, filler = self.only
            short = 0 < len(text.spoken) <= _BARE_LENGTH and core in text.heard
            short = short and all(core in sense or filler in sense for sense in text.spoken)
            return short and not any(excuse.holds(text, 0, whole) for excuse in self.excuses)
        if self.beside and not any(True for each in self.beside for _ in each.found(text, 0, whole)):
            return False
        sightings = (found for phrase in phrases or self.phrases for found in phrase.found(text, 0, whole))
        return any(not any(excuse.holds(text, *found) for excuse in self.excuses) for found in sightings)


class RuleIndex:
    """Rules by the words that each phrase can't do without: a text has few of them, so few are tried."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._always = [number for number, rule in enumerate(rules) if rule.only]
        self._by_word: dict[str, list[tuple[int, Phrase]]] = {"": []}
        for number, rule in enumerate(rules):
            for phrase in rule.phrases:
                for word in phrase.key or ("",):
                    self._by_word.setdefault(word, []).append((number, phrase))
        self._words = frozenset(self._by_word)

    def fired(self, text: Text) -> Iterator[Rule]:
        """The rules that fire on a text, in their order."""
        tried: dict[int, list[Phrase]] = {number: [] for number in self._always}
        for word in (text.heard & self._words) | {""}:
            for number, phrase in self._by_word[word]:
                if phrase.possible(text):
                    tried.setdefault(number, []).append(phrase)
        for number in sorted(tried):
            rule = self._rules[number]
            if rule.fires(text, tried[number]):
                yield rule


def read_rules(section: str) -> tuple[Rule, ...]:
    """The rules of a section of rules.toml or signs.toml, in their order. Excuses stand in the first.

    Raises `GuardTableError` for one that names what is not.
    """
    excuses = {name: _excuse(name, written) for name, written in read_table("rules")["excuses"].items()}
    file = _FILES.get(section, "rules")
    return tuple(_rule(row, excuses, file) for row in read_table(file)[section])


def _excuse(name: str, written: Mapping[str, Any]) -> Excuse:
    unknown = sorted(written.keys() - _EXCUSE_KEYS)
    if unknown or "phrases" not in written:
        what = f"has no key {unknown[0]}" if unknown else "lacks its phrases"
        raise table_error("rules", f"[excuses.{name}]", f"[excuses.{name}] {what}")
    _check_classes([*written["phrases"], *written.get("but", ())], "rules")
    return Excuse(**written)


def _rule(row: Mapping[str, Any], excuses: Mapping[str, Excuse], file: str) -> Rule:
    name = str(row.get("name", ""))
    if missing := next((key for key in ("name", "example") if key not in row), None):
        raise table_error(file, name or str(row.get("example")), f"the rule {name} lacks its {missing}")
    if unknown := sorted(set(row.get("unless", ())) - excuses.keys()):
        raise table_error(file, f'"{unknown[0]}"', f"the rule {name}: {unknown[0]} is none of [excuses]")
    _check_classes([*row.get("phrases", ()), *row.get("beside", ()), *row.get("only", ())], file)
    return Rule(
        name=name,
        example=row["example"],
        phrases=[Phrase(each) for each in row.get("phrases", ())],
        beside=[Phrase(each) for each in row.get("beside", ())],
        excuses=[excuses[each] for each in row.get("unless", ())],
        points=row.get("points", 0),
        only=row.get("only", ()),
    )


def _check_classes(phrases: Iterable[str], file: str) -> None:
    """A class that is nowhere would make its phrase one that never fits, and nobody would know."""
    known = read_table("words")
    for phrase in phrases:
        for name in _CLASS.findall(phrase):
            if name not in known:
                raise table_error(file, f"<{name}>", f"<{name}> is no class of words.toml")


def _commonness(needed: frozenset[str]) -> int:
    """How likely a text has one of these."""
    known = chances()
    return sum(known.get(word, 1) for word in needed)


def _element(written: str) -> _Element:
    if written == "..":
        return _Element(frozenset(), negated=True, least=0, most=_MOST)
    if written in "?!":
        return _Element(frozenset(written), negated=False, least=1, most=1)
    least, most = {"?": (0, 1), "*": (0, _MOST)}.get(written[-1], (1, 1))
    listed = written.rstrip("?*")
    if listed == ".":
        return _Element(frozenset(), negated=True, least=least, most=most)
    return _Element(frozenset(listed.lstrip("!").split("|")), negated=listed.startswith("!"), least=least, most=most)
