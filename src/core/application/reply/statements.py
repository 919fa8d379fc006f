"""What a folded sentence states: amounts of money, dates, and what the rows of `invention.toml` find in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from core.application.reply.rule_tables import read_table

_LISTED = re.compile(r"(\d[\d.]*,\d\d)\b|r\$ ?\d[\d.,]* (?:a|ate|e|ou) (\d[\d.,]*)")
FIGURE = re.compile(r"\d[\d.,]*\d|\d")
_WORD = re.compile(r"[a-z]{3,}")
_STEM = 5  # letters by which two forms of a word are one


def finds(group: str, spoken: str, name: str = "") -> list[str]:
    """What the rows of a group find, or the one of this name."""
    rows = read_table("invention").rows[group]
    finds = (found for row in rows if name in ("", row.name) for found in row.pattern.finditer(spoken))
    return [found.groupdict().get("told") or found[0] for found in finds]


def amounts_in(spoken: str) -> Iterator[tuple[Decimal, str]]:
    for row in read_table("invention").rows["money"]:
        for found in row.pattern.finditer(spoken):
            yield value_of(found[1] or found[2]), found[0]


def bare_amounts_in(spoken: str) -> Iterator[tuple[Decimal, str]]:
    """Amounts without `R$` or "reais", where the words around say that they are money."""
    for row in read_table("invention").rows["bare_amount"]:
        for found in row.pattern.finditer(spoken):
            yield value_of(found[1]), found[0]


def value_of(written: str) -> Decimal:
    """`1.850`, `12,50`, `5 mil`, `duzentos e vinte`."""
    values = word_values()
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
def word_values() -> dict[str, int]:
    """What each word for a number is worth; the table has them in order."""
    words = read_table("invention").words
    orders = (("ones", 1), ("tens", 10), ("hundreds", 100))
    return {
        name: at * order
        for kind, order in orders
        for at, names in enumerate(words[kind], 1)
        for name in names.split("|")
    }


def dates_in(spoken: str) -> Iterator[tuple[tuple[int, int], str]]:
    months: list[str] = read_table("invention").words["months"]
    for row in read_table("invention").rows["date"]:
        for found in row.pattern.finditer(spoken):
            named = next((at for at, names in enumerate(months, 1) if found["d"] in names.split("|")), 0)
            day, month = int(found["a"] or found["c"] or found["f"]), named or int(found["b"] or found["e"])
            if 0 < day <= 31 and 0 < month <= 12:
                yield (day, month), found[0]


def topics_of(spoken: str) -> set[str]:
    """What a sentence is about: the stems of its longer words."""
    return {word[:_STEM] for word in _WORD.findall(spoken) if word not in _vague()}


@cache
def _vague() -> frozenset[str]:
    return frozenset(read_table("invention").words["vague"])


def money_in(folded: str) -> set[Decimal]:
    """Amounts as they are told, and as tables of prices and ranges write them, without `R$` before each."""
    return {amount for amount, _ in amounts_in(folded)} | {
        value_of(found[1] or found[2]) for found in _LISTED.finditer(folded)
    }
