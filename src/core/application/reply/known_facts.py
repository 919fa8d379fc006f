"""What a text may repeat, and what plain arithmetic makes of it (docs/contract.md, "Egress check")."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations, pairwise

from core.application.reply.rule_tables import as_spoken, read_table, sentences
from core.application.reply.statements import FIGURE, dates_in, finds, money_in, topics_of, value_of, word_values
from core.domain.text import fold

DENIED = re.compile(r"\b(?:nao|nem|nunca)(?: \w+){0,3} \Z")
_REDUCTION = re.compile(r"descont|abatimento|cupom|metade|% off|\d ?%")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d|[a-z]+")
# A number with nothing behind it, as lists of prices have it: "corte 70; escova 50".
_LISTED_PRICE = re.compile(
    r"(?<=[a-z):,] )(\d{2,}[\d.]*(?:,\d\d)?|\d,\d\d)(?=\s*(?:[;.|/)](?!\d)|,\s|\Z|\n)| (?:o|a|por|cada|mais) )"
)
_INCLUDED = re.compile(r"\binclus[oa]s?\b")
_PARTS_MAX = 24  # of which sums are tried
_COUNT_MAX = 120  # of what prices are counted by: pieces, people, instalments
_PER_CENT = re.compile(r"(\d{1,2}) ?(?:%|por cento)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a text may repeat: the company's packages and fixed texts, the facts, what the customer wrote.

    `facts` hold what this conversation's own lines said from packages, too. `dates` are ISO dates that code resolved
    from the customer's words. `states_amounts`: whether the packages hold prices that may be told.
    """

    packages: str = ""
    fixed: str = ""
    facts: str = ""
    customer: str = ""
    states_amounts: bool = False
    dates: frozenset[str] = frozenset()


class KnownFacts:
    """What the sources state, read when first asked for; `whole` is the text that is looked at."""

    def __init__(self, sources: Sources, whole: str) -> None:
        self._sources = sources
        self._whole = whole

    @cached_property
    def _stated(self) -> str:
        return fold("\n".join((self._sources.packages, self._sources.fixed, self._sources.facts)))

    @cached_property
    def _customer(self) -> str:
        return fold(self._sources.customer)

    @cached_property
    def _segments(self) -> list[tuple[str, set[str]]]:
        """Sentences of the sources, with what they are about: themselves, and the one before them in their line."""
        segments = []
        for before, said in pairwise(["", *sentences(self._stated)]):
            same_line = not before.endswith("\n")
            segments.append((as_spoken(said), topics_of(as_spoken(f"{before} {said}" if same_line else said))))
        return segments

    def has_written(self, text: str) -> bool:
        return text in self._stated or text in self._customer

    def has_said(self, text: str) -> bool:
        """Whether the customer wrote it."""
        return text in self._customer

    def has_stated(self, text: str) -> bool:
        return text in self._stated

    def has_phone(self, phone: str) -> bool:
        digits = re.sub(r"\D", "", phone)
        if "ramal" in phone:
            return f"ramal {digits}" in self._stated
        national = digits.removeprefix("55") if len(digits) > 11 else digits
        return national in self._digits

    def has_date(self, day: int, month: int) -> bool:
        """Whether the customer wrote its day and its month, code resolved it, or a source states it."""
        if any(date.endswith(f"-{month:02}-{day:02}") for date in self._sources.dates):
            return True
        if any((day, month) == known for text in (self._stated, self._customer) for known, _ in dates_in(text)):
            return True
        names: str = read_table("invention").words["months"][month - 1]
        return bool(re.search(rf"\b0?{day}\b", self._customer) and re.search(rf"\b(?:{names})\b", self._customer))

    def has_amount(self, amount: Decimal) -> bool:
        """Whether a source states it, or a package's price times a quantity that is known makes it."""
        if amount in self._told_amounts:
            return True
        if not self._sources.states_amounts:
            return False
        return self._is_product(amount) or amount in self._worked_out

    def has_figure(self, amount: Decimal) -> bool:
        """As `has_amount`, or a source states the bare number."""
        return self.has_amount(amount) or amount in self._stated_figures or amount in self._quantities

    @cached_property
    def _stated_figures(self) -> set[Decimal]:
        return {value_of(number) for number in FIGURE.findall(self._stated)}

    def _is_product(self, amount: Decimal) -> bool:
        """Whether it is a price, or one times a known quantity."""
        return amount in self._prices or any(amount / price in self._quantities for price in self._prices if price)

    @cached_property
    def _worked_out(self) -> set[Decimal]:
        """What the text works out of the prices that it speaks of: sums, shares, a stated reduction."""
        cues = {name for name in ("sum", "difference", "share", "reduction") if finds("arithmetic", self._whole, name)}
        figures = {value_of(number) for number in _NUMBER.findall(self._whole)}
        spoken_of = {price for price in self._prices if price in figures or self.subjects & self._about[price]}
        if len(self._prices) <= _PARTS_MAX:
            spoken_of = self._prices
        elif len(spoken_of) > _PARTS_MAX:  # a whole price list: what the text names is what it works with
            spoken_of = set(sorted(spoken_of & figures)[:_PARTS_MAX])
        counts = _counts(self._quantities)
        products = spoken_of | {price * count for price in spoken_of for count in counts}
        reduced = self._reduced(products) if "reduction" in cues else set()
        counted = {*_counts(figures), *counts, Decimal(2)}  # "20 cada trajeto, ida e volta 40"
        shown = (products | reduced) & figures | {price * count for price in spoken_of & figures for count in counted}
        amounts = products | reduced | shown | _together(shown)
        if "sum" in cues:
            amounts |= _sums(spoken_of) | {one + two for one in spoken_of for two in products if one != two}
            amounts |= {amount * count for amount in _sums(spoken_of) for count in counts}
        if "difference" in cues:
            amounts |= {abs(one - two) for one in spoken_of for two in products}
        if "reduction" in cues:
            amounts |= self._reduced(amounts)
        if "share" in cues:
            amounts |= {
                round(amount / count, 2) for amount in amounts for count in counted | _counts(self._stated_figures)
            }
        return amounts

    def _reduced(self, amounts: Collection[Decimal]) -> set[Decimal]:
        """Amounts less a share that the sources state, and that share of them."""
        shares = {Decimal(share) for share in _PER_CENT.findall(self._stated)}
        shares |= {Decimal(50)} if "metade" in self._stated else set()
        return {amount * part / 100 for amount in amounts for share in shares for part in (share, 100 - share)}

    @cached_property
    def subjects(self) -> set[str]:
        """What the text and the customer's words are about."""
        return topics_of(self._whole) | topics_of(self._customer)

    @cached_property
    def _about(self) -> Mapping[Decimal, set[str]]:
        """What each price is the price of."""
        about: dict[Decimal, set[str]] = {price: set() for price in self._prices}
        for said, topics in self._segments:
            for amount in money_in(said):
                about.setdefault(amount, set()).update(topics)
        return about

    @cached_property
    def _told_amounts(self) -> set[Decimal]:
        return money_in(fold(f"{self._sources.fixed}\n{self._sources.facts}"))

    @cached_property
    def _prices(self) -> set[Decimal]:
        packages = fold(self._sources.packages)
        return money_in(packages) | {value_of(number) for number in _LISTED_PRICE.findall(packages)}

    @cached_property
    def _quantities(self) -> set[Decimal]:
        said = fold(f"{self._sources.facts}\n{self._sources.customer}")
        return {value_of(number) for number in _NUMBER.findall(said)}

    @cached_property
    def _digits(self) -> str:
        """The digits of every line."""
        return re.sub(r"[^\d\n]", "", f"{self._stated}\n{self._customer}")

    def has_reduction(self, topics: set[str], figures: Collection[str]) -> bool:
        """Whether a source states a discount of these figures or, where there are none, on one of the topics."""
        return any(
            _REDUCTION.search(said) and (all(figure in said for figure in figures) if figures else topics & about)
            for said, about in self._segments
        )

    def has_words(self, topics: set[str], words: str) -> bool:
        return any(topics & about and words in said for said, about in self._segments)

    def has_times(self, topics: set[str], clause: str) -> bool:
        """Whether a sentence of a source states all days and hours of the clause, on a topic; not where it has none."""
        times = finds("time", clause)
        return len(times) > 1 and any(
            topics & about and set(times) <= set(finds("time", said)) for said, about in self._segments
        )

    def has_span(self, topics: set[str], number: str, unit: str) -> bool:
        """Whether a source states the number with that unit, or with none ("em dias úteis: reparo 5"), on a topic."""
        figure = word_values().get(number, number)
        written = re.compile(
            rf"(?<![\d.,]){figure}(?: ?(h\b|hora|dia|semana|mes|min)|(?= ?(?:[.,;:)] |[.,;:)]?\Z|a \d|ou \d|depois)))"
        )
        return any(
            unit[0] == (found[1] or unit)[0]
            for said, about in self._segments
            if topics & about
            for found in written.finditer(said)
        )

    def gives_free(self, topics: set[str]) -> bool:
        """Whether a source gives away what these are; they stand before the word, or else after it."""
        return any(topics & of for of in self._given)

    @cached_property
    def _given(self) -> list[set[str]]:
        parts = [
            said.partition(free)
            for said, _ in self._segments
            for free in [*finds("free", said), *_INCLUDED.findall(said)]
        ]
        return [topics_of(before) or topics_of(after) for before, _, after in parts if not DENIED.search(before)]


def _counts(figures: Collection[Decimal]) -> set[Decimal]:
    return set(sorted(figure for figure in figures if 1 < figure <= _COUNT_MAX)[:_PARTS_MAX])


def _sums(amounts: Collection[Decimal]) -> set[Decimal]:
    """Two or three of them together; none of more than anyone would add up."""
    sizes = (2, 3) if len(amounts) <= _PARTS_MAX else ()
    return {sum(few, Decimal(0)) for size in sizes for few in combinations(amounts, size)}


def _together(amounts: Collection[Decimal]) -> set[Decimal]:
    """Their sums, and by how much two of them differ."""
    few = amounts if len(amounts) <= _PARTS_MAX else ()
    return _sums(amounts) | {abs(one - two) for one, two in combinations(few, 2)}
