"""Chat spelling is read as plain words."""

from __future__ import annotations

import pytest

from core.domain.guard.spelling import spell_out


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("qro flr c/ atendnte", "quero falar com atendente "),
        ("vcs n respondem pq?", "voces nao respondem porque ? "),
        ("affff que bot burroooo!!!", "aff que bot burro ! ! "),
        ("m3rda de p*rra, *oi*", "merda de porra , oi "),
        ("filho da puta, outra vez!", "fdp , novamente ! "),
        ("meu e-mail é fulano@exemplo.com", "meu email e fulano@exemplo . com "),
        ("H2S e NH3 em 10m3", "h2s e nh3 em 10m3 "),
        ("A-TEN-DEN-TE, dia-a-dia, 2-3-4", "atendente , diaadia , 2 3 4 "),
        ("a Dra. Helena e o Sr. Zé", "a dra helena e o sr ze "),
        ("falhar, faltar, pessoal, algum", "falhar , faltar , pessoal , algum "),
        ("", ""),
        ("***", ""),
    ],
)
def test_chat_spelling_reads_as_plain_words(written: str, plain: str) -> None:
    assert spell_out(written) == plain


def test_an_endless_word_is_cut_short() -> None:
    assert len(spell_out("x1" * 50_000)) < 100


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("atendnte", "atendente"),
        ("atenddente", "atendente"),
        ("atendemte", "atendente"),
        ("atnedente", "atendente"),
        ("atendentee", "atendente"),
        ("humnano", "humano"),
        ("atendemmte", "atendemmte"),
        ("atendtene", "atendtene"),
        ("tendente", "tendente"),
        ("pexxoa", "pexxoa"),
        ("flar", "flar"),
        ("humno", "humano"),
        ("repreentante", "representante"),
        ("transferenciia", "transferencia"),
        ("transferenccias", "transferenccias"),
        ("falando", "falando"),
        ("humanoss", "humanoss"),
    ],
)
def test_one_slip_of_a_finger_is_forgiven_and_two_are_another_word(written: str, word: str) -> None:
    assert spell_out(written) == f"{word} "


@pytest.mark.parametrize(
    ("written", "word"),
    [
        pytest.param("m*rda", "merda", id="one letter masked"),
        pytest.param("m**da", "merda", id="two letters masked"),
        pytest.param("m*", "m", id="nothing that fits"),
        pytest.param("b0st4", "bosta", id="figures for letters"),
        pytest.param("b0l4", "b0l4", id="a code is no word"),
        pytest.param("merrrda", "merda", id="one run"),
        pytest.param("pooorrra", "porra", id="a run that stands for two letters"),
        pytest.param("vvvaaaiii", "vai", id="three runs"),
        pytest.param("burroo", "burroo", id="two letters are no run"),
    ],
)
def test_masks_and_runs_of_letters_are_taken_off(written: str, word: str) -> None:
    assert spell_out(written) == f"{word} "


def test_a_word_is_read_up_to_twenty_four_letters() -> None:
    longest = f"atendent{'e' * 16}"
    assert len(longest) == 24
    assert spell_out(longest) == "atendente "
    assert spell_out(f"{longest}e") == f"{longest} "
