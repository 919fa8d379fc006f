"""The folded copy that rules read: no case, no accents, nothing invisible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.text import fold, tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Análise de ÁGUA, não?", "analise de agua, nao?"),
        ("a\u0301\u0316gua", "agua"),
        ("hu\u200bma\u00adno\ufeff", "humano"),
        ("ＨＵＭＡＮＯ ﬁm 2ª", "humano fim 2a"),
        ("ok 👍", "ok 👍"),
        ("\ud800", "\ud800"),
    ],
    ids=["accents", "combining", "zero-width", "compatibility", "emoji", "lone-surrogate"],
)
def test_what_looks_the_same_folds_the_same(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text(st.characters(codec=None)))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_punctuation_becomes_the_strongest_mark_of_its_run() -> None:
    assert tokens("oi, tudo bem?! sim... ok!!\nfim") == ["oi", ",", "tudo", "bem", "?", "sim", ".", "ok", "!", "fim"]
