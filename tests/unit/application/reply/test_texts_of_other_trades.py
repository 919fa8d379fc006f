"""What may leave and what may not, on texts of trades that no company of the repository has (tests/cases/texts)."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from core.application.reply.egress_check import check_egress
from core.application.reply.invention_check import find_inventions
from core.application.reply.known_facts import Sources
from core.application.reply.transfer_check import announces_transfer

TEXTS = Path(__file__).resolve().parents[3] / "cases" / "texts"


@cache
def stopped() -> dict[str, tuple[int, int]]:
    """By label: how many texts of all sets are stopped, of how many."""
    companies = json.loads((TEXTS / "companies.json").read_text("utf-8"))
    rows = [json.loads(line) for line in (TEXTS / "rows.jsonl").read_text("utf-8").splitlines()]
    found, of = Counter[str](), Counter[str]()
    for row in rows:
        sources = Sources(packages=companies[row["company"]], customer=row["customer"], states_amounts=True)
        text = row["text"]
        of[row["label"]] += 1
        found[row["label"]] += (
            bool(find_inventions(text, sources))
            or announces_transfer(text)
            or bool(check_egress(text, customer_text=row["customer"]).ask_again)
        )
    return {label: (found[label], of[label]) for label in of}


def test_good_texts_are_sent() -> None:
    wrongly, texts = stopped()["ok"]
    assert wrongly / texts <= 0.025


@pytest.mark.parametrize(
    ("label", "least"),
    [
        ("false_transfer", 0.9),
        ("invented_price", 0.9),
        ("invented_discount", 0.9),
        ("invented_link", 0.9),
        ("invented_phone", 0.9),
        ("invented_deadline", 0.8),
        ("invented_visit", 0.8),
    ],
)
def test_what_is_not_so_is_stopped(label: str, least: float) -> None:
    found, texts = stopped()[label]
    assert found / texts >= least
