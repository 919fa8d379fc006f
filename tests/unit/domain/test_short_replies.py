"""Whole messages that are one short reply: yes to an offered person, thanks, and the opt-out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.short_replies import is_acceptance, is_courtesy, is_opt_out


@pytest.mark.parametrize(
    "text",
    [
        "sim",
        "Sim!",
        "siiim",
        "s",
        "quero",
        "quero sim",
        "pode ser",
        "isso",
        "isso mesmo",
        "ok pode",
        "por favor",
        "sim por favor",
        "claro, pode passar",
        "tá bom",
        "blz",
        "com certeza",
        "quero falar com uma pessoa",
        "ok obrigado",
        "👍",
        "👍🏽",
        "sim 🙏",
    ],
)
def test_a_plain_yes_accepts_the_offered_person(text: str) -> None:
    assert is_acceptance(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "não",
        "quero não",
        "não, obrigado",
        "sim, mas antes me diz o preço",
        "ok, e o prazo?",
        "pode ser?",
        "pode ser amanhã",
        "quero análise de água",
        "obrigado",
        "👎",
        "👍👎",
        "?",
        "talvez",
    ],
)
def test_anything_beside_a_yes_does_not_accept(text: str) -> None:
    assert not is_acceptance(text)


@pytest.mark.parametrize("text", ["PARE", "pare.", "Parar!", " sair ", "*SAIR*", "SÁIR", "PARE 🛑", '"pare"'])
def test_the_whole_message_pare_parar_or_sair_opts_out(text: str) -> None:
    assert is_opt_out(text)


@pytest.mark.parametrize(
    "text", ["cancelar", "quero sair", "pare de chover", "pare pare", "parem", "", "não pare", "STOP"]
)
def test_nothing_else_opts_out(text: str) -> None:
    assert not is_opt_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "obrigado",
        "muito obrigada!!",
        "ok",
        "OK.",
        "valeu",
        "vlw",
        "obg",
        "obrigado, boa noite",
        "ok, obrigado",
        "perfeito, muito obrigado pela atenção",
        "certo",
        "👍",
        "👍🏻",
        "🙏🙏",
        "❤️",
        "valeu 😊",
        "tchau",
    ],
)
def test_thanks_and_acknowledgements_are_courtesies(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize(
    "text",
    ["", "?", "ok?", "obrigado, e o prazo?", "ok, são 3 amostras", "sim", "não, obrigado", "bom dia", "😡", "👎", "3"],
)
def test_what_still_says_or_asks_something_is_no_courtesy(text: str) -> None:
    assert not is_courtesy(text)


@given(st.text(st.characters(codec=None)))
def test_any_text_gets_an_answer(text: str) -> None:
    assert {is_acceptance(text), is_courtesy(text), is_opt_out(text)} <= {True, False}
