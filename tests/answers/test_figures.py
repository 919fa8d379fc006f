"""The customer is served: of the labelled rows, so many as the product promises (docs/contract.md)."""

from __future__ import annotations

import pytest

from tests.answers.figures import Figures, count_customers, count_slips, count_texts


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("served", 0.97),
        ("fields right", 0.97),
        ("nothing forbidden was sent", 1.0),
        ("at most one call more", 1.0),
        ("marked free and free", 0.9),
    ],
)
def test_a_slip_costs_a_call_and_not_a_customer(name: str, least: float) -> None:
    _hold(count_slips(), name, least)


@pytest.mark.parametrize(("name", "least"), [("good and sent without a call", 0.99), ("good and no person", 1.0)])
def test_a_good_text_costs_nothing(name: str, least: float) -> None:
    _hold(count_texts(), name, least)


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        *((kind, 0.7) for kind in ("false_transfer", "price", "discount", "link", "phone")),
        *((kind, 0.5) for kind in ("deadline", "visit")),
    ],
)
def test_what_is_not_true_is_stopped(kind: str, least: float) -> None:
    _hold(count_texts(), f"stopped: {kind}", least)


@pytest.mark.parametrize(("label", "least"), [("none", 0.99), ("human", 0.8), ("frustrated", 0.65)])
def test_the_guard_hears_who_asks_and_nobody_else(label: str, least: float) -> None:
    _hold(count_customers(), f"labelled {label}", least)


def _hold(figures: Figures, name: str, least: float) -> None:
    share = figures[name]
    assert share.all
    assert share.rate >= least, f"{name}: {share}"
