"""What a text states that no package, fixed text or fact does (docs/contract.md, "Egress check"; `invention.toml`)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from itertools import pairwise

from core.application.reply.rule_tables import as_spoken, asks, read_table, sentences
from core.domain.text import fold

_SENTENCE_MAX = 600  # characters of a sentence that are read
_CONTRAST = re.compile(r"\b(?:mas|porem|so que)\b|[;:]")
_DENIED = re.compile(r"\b(?:nao|nem|nunca)(?: \w+){0,3} \Z")
_OF_THEIRS = re.compile(r"\b(?:seus?|suas?|voce)\b")
_REDUCTION = re.compile(r"descont|abatimento|cupom|metade|% off")
_LISTED = re.compile(r"(\d[\d.]*,\d\d)\b|r\$ ?\d[\d.,]* (?:a|ate|e|ou) (\d[\d.,]*)")
_WORD = re.compile(r"[a-z]{3,}")
_FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d|[a-z]+")
_STEM = 5  # letters by which two forms of a word are one
_LEAST_WORDS = 4  # of a sentence that answers something


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Invention:
    """`sentence` as it stands in the text; `what` says in Portuguese what was made up."""

    kind: str
    sentence: str
    what: str


def find_inventions(text: str, sources: Sources) -> tuple[Invention, ...]:
    """What the text states of its own making, in its order."""
    table, known, whole = read_table("invention"), _Known(sources), as_spoken(text[:_SENTENCE_MAX])
    found = []
    for sentence in sentences(text):
        spoken = as_spoken(sentence)[:_SENTENCE_MAX]
        for kind, said in dict.fromkeys(_invented(spoken, whole, known)):
            what = table.words["what"][kind].format(said.strip(" .,;:").replace("r$", "R$"))
            found.append(Invention(kind=kind, sentence=sentence.strip(), what=what))
    return tuple(found)


def without_inventions(text: str, found: Collection[Invention]) -> str | None:
    """The text without the sentences of `found`; None where what is left neither answers nor asks anything."""
    invented = {invention.sentence for invention in found}
    whole = sentences(text)
    kept = [
        sentence
        for sentence, following in pairwise([*whole, ""])
        if sentence.strip() not in invented
        and not (sentence.rstrip().endswith(":") and following.strip() in invented)  # what it announces is cut
    ]
    useful = any(
        ("?" in sentence or len(sentence.split()) >= _LEAST_WORDS) and not _finds("courtesy", as_spoken(sentence))
        for sentence in kept
    )
    return "".join(kept).strip() if useful else None


def _invented(spoken: str, whole: str, known: _Known) -> Iterator[tuple[str, str]]:
    """Kind and words of what a sentence states; `whole` is the text it stands in."""
    yield from _contacts(spoken, known)
    yield from (("date", said) for day_month, said in _dates(spoken) if not known.has_date(*day_month))
    question = asks(spoken)
    of_theirs = question and _OF_THEIRS.search(spoken)
    for clause in _CONTRAST.split(spoken):
        if _finds("excuse", clause, "declined"):
            continue
        if not of_theirs:
            yield from (("price", said) for amount, said in _amounts(clause) if not known.has_amount(amount))
        if not question:
            yield from _promises(clause, _topics(clause) or _topics(whole), known)


def _promises(clause: str, topics: set[str], known: _Known) -> Iterator[tuple[str, str]]:
    """Discounts, gifts, visits and deadlines."""
    wished = bool(_finds("excuse", clause, "of_the_customer"))
    for said in [] if wished and _finds("noted", clause) else _finds("discount", clause):
        if not known.has_reduction(topics, _FIGURE.findall(said)):
            yield "discount", said
    for said in _finds("free", clause):
        before, _, after = clause.partition(said)
        given = known.gives_free(_topics(before) or _topics(after)) or known.gives_free(_topics(after))
        if not _DENIED.search(before) and not given:
            yield "discount", said
    if wished:
        return
    if not _finds("excuse", clause, "condition"):
        yield from (("visit", said) for said in _finds("visit", clause))
    if _finds("delivery", clause):
        yield from _deadlines(clause, topics, known)


def _deadlines(clause: str, topics: set[str], known: _Known) -> Iterator[tuple[str, str]]:
    span, when = read_table("invention").rows["span"]
    for found in span.pattern.finditer(clause):
        if not known.has_span(topics, found["number"], found["unit"]):
            yield "deadline", found[0]
    for found in when.pattern.finditer(clause):
        if not known.has_words(topics, found[0]):
            yield "deadline", found[0]


def _contacts(spoken: str, known: _Known) -> Iterator[tuple[str, str]]:
    """E-mails, links and phones that nobody gave; what is noted down is the customer's own."""
    noted = _finds("noted", spoken)
    emails = _finds("email", spoken)
    for email in emails:
        spoken = spoken.replace(email, " ")
        if not noted and not known.has_written(email):
            yield "email", email
    for found in _finds("link", spoken):
        link = re.sub(r"\A(?:https?://)?(?:www\.)?", "", found).rstrip("/.,;:!?)")
        spoken = spoken.replace(found, " ")
        if not known.has_stated(link) and not _finds("excuse", spoken, "declined"):
            yield "link", link
    for phone in _finds("phone", spoken):
        if not noted and not known.has_phone(phone):
            yield "phone", phone


def _finds(group: str, spoken: str, name: str = "") -> list[str]:
    """What the rows of a group find, or the one of this name."""
    rows = read_table("invention").rows[group]
    finds = (found for row in rows if name in ("", row.name) for found in row.pattern.finditer(spoken))
    return [found.groupdict().get("told") or found[0] for found in finds]


def _amounts(spoken: str) -> Iterator[tuple[Decimal, str]]:
    for row in read_table("invention").rows["money"]:
        for found in row.pattern.finditer(spoken):
            yield _value(found[1] or found[2]), found[0]


def _value(written: str) -> Decimal:
    """`1.850`, `12,50`, `5 mil`, `duzentos e vinte`."""
    values = _figures()
    total = Decimal(0)
    for word in written.split():
        if word[0].isdigit():
            plain = re.sub(r"\.(?=\d{3}\b)", "", word.rstrip(".,")).replace(",", ".")
            total += Decimal(plain) if plain.count(".") < 2 else Decimal(0)
        elif word == "mil":
            total = (total or Decimal(1)) * 1000
        else:
            total += values.get(word, 0)
    return total


@cache
def _figures() -> dict[str, int]:
    """What each word for a number is worth; the table has them in order."""
    words = read_table("invention").words
    orders = (("ones", 1), ("tens", 10), ("hundreds", 100))
    return {
        name: at * order
        for kind, order in orders
        for at, names in enumerate(words[kind], 1)
        for name in names.split("|")
    }


def _dates(spoken: str) -> Iterator[tuple[tuple[int, int], str]]:
    months: list[str] = read_table("invention").words["months"]
    for row in read_table("invention").rows["date"]:
        for found in row.pattern.finditer(spoken):
            named = next((at for at, names in enumerate(months, 1) if found["d"] in names.split("|")), 0)
            day, month = int(found["a"] or found["c"] or found["f"]), named or int(found["b"] or found["e"])
            if 0 < day <= 31 and 0 < month <= 12:
                yield (day, month), found[0]


def _topics(spoken: str) -> set[str]:
    """What a sentence is about: the stems of its longer words."""
    vague: list[str] = read_table("invention").words["vague"]
    return {word[:_STEM] for word in _WORD.findall(spoken) if word not in vague}


class _Known:
    """What the sources state, read when first asked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

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
            segments.append((as_spoken(said), _topics(as_spoken(f"{before} {said}" if same_line else said))))
        return segments

    def has_written(self, text: str) -> bool:
        return text in self._stated or text in self._customer

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
        if any((day, month) == known for text in (self._stated, self._customer) for known, _ in _dates(text)):
            return True
        names: str = read_table("invention").words["months"][month - 1]
        return bool(re.search(rf"\b0?{day}\b", self._customer) and re.search(rf"\b(?:{names})\b", self._customer))

    def has_amount(self, amount: Decimal) -> bool:
        """Whether a source states it, or a package's price times a quantity that is known makes it."""
        if amount in self._told_amounts:
            return True
        prices = self._prices if self._sources.states_amounts else set()
        return amount in prices or any(price * quantity == amount for price in prices for quantity in self._quantities)

    @cached_property
    def _told_amounts(self) -> set[Decimal]:
        return _money(fold(f"{self._sources.fixed}\n{self._sources.facts}"))

    @cached_property
    def _prices(self) -> set[Decimal]:
        return _money(fold(self._sources.packages))

    @cached_property
    def _quantities(self) -> set[Decimal]:
        said = fold(f"{self._sources.facts}\n{self._sources.customer}")
        return {_value(number) for number in _NUMBER.findall(said)}

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

    def has_span(self, topics: set[str], number: str, unit: str) -> bool:
        """Whether a source states the number with that unit, or with none ("em dias úteis: reparo 5"), on a topic."""
        figure = _figures().get(number, number)
        written = re.compile(
            rf"(?<![\d.,]){figure}(?: (h|dia|semana|mes|min)|(?= ?(?:[.,;:)] |[.,;:)]?\Z|a \d|ou \d|depois)))"
        )
        return any(
            unit.startswith(found[1] or unit)
            for said, about in self._segments
            if topics & about
            for found in written.finditer(said)
        )

    def gives_free(self, topics: set[str]) -> bool:
        """Whether a source gives away what these are; they stand before the word, or else after it."""
        return any(topics & of for of in self._given)

    @cached_property
    def _given(self) -> list[set[str]]:
        parts = [said.partition(free) for said, _ in self._segments for free in _finds("free", said)]
        return [_topics(before) or _topics(after) for before, _, after in parts if not _DENIED.search(before)]


def _money(folded: str) -> set[Decimal]:
    """Amounts as they are told, and as tables of prices and ranges write them, without `R$` before each."""
    return {amount for amount, _ in _amounts(folded)} | {
        _value(found[1] or found[2]) for found in _LISTED.finditer(folded)
    }
