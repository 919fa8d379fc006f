"""The folded copy that rules read: no case, no accents, nothing invisible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.text import clean_text, displayable_text, fold, fold_key, is_seen, storable_text, tokens


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


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ponto de Luz, Já!", "ponto_de_luz_ja"),
        ("pontoDeLuzJa", "ponto_de_luz_ja"),
        ("__a--b  c_", "a_b_c"),
        ("NBR10004", "nbr10004"),
        ("?!", ""),
    ],
)
def test_a_key_is_its_words_joined(text: str, key: str) -> None:
    assert fold_key(text) == key


@pytest.mark.parametrize(
    ("punctuation", "mark"), [(",;", "."), (",", ","), (":", ","), ("(", ","), ("…", "."), ("!?", "?"), (",!", "!")]
)
def test_a_run_of_punctuation_is_one_mark(punctuation: str, mark: str) -> None:
    assert tokens(f"a{punctuation}b") == ["a", mark, "b"]


def test_halves_of_a_character_are_joined_or_replaced() -> None:
    assert clean_text("a\ud83d\ude00") == "a😀"
    assert clean_text("a\ud83d") == "a\ufffd"


@pytest.mark.parametrize(
    ("text", "limit", "stored"),
    [
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("abc", None, "abc"),
        ("a\x00b", None, "ab"),
        (" \x00 ", None, None),
        ("", None, None),
    ],
)
def test_what_the_table_takes_is_cut_and_holds_no_nul(text: str, limit: int | None, stored: str | None) -> None:
    assert storable_text(text, limit) == stored


@pytest.mark.parametrize(
    ("character", "seen"),
    [("a", True), ("👍", True), (" ", False), ("\u200b", False), ("\u3164", False), ("\x07", False)],
)
def test_a_character_is_seen_or_not(character: str, *, seen: bool) -> None:
    assert is_seen(character) is seen


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "ab"),
        ("a\x07b", "ab"),
        ("a\x0bb", "a b"),
        ("a\nb\tc", "a\nb\tc"),
        ("a\u202eb", "ab"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_what_acts_on_a_screen_is_not_shown(text: str, shown: str) -> None:
    assert displayable_text(text) == shown
