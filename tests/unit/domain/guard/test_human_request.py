"""A word more or less, and a person is asked for or not: each pair stands at the edge of one rule."""

from __future__ import annotations

import pytest

from core.domain.guard.detectors import frustration, human_request
from core.domain.guard.spelling import spell_out

ASKED = [
    "não quero robô",
    "quero que você entenda, não quero mais falar com robô",
    "quero ser atendido por uma pessoa",
    "pode passar para o gerente?",
    "me transfere para o gerente",
    "quero falar com o gerente",
    "quero falar com o vendedor",
    "atendente",
    "atendente por favor",
    "oi atendente por favor",
    "preciso de alguém",
    "preciso de alguém para me atender",
    "quero atendimento humano",
    "um atendente pode me ajudar",
    "se eu falar com alguém",
    "eu já falei, vou querer falar com um atendente",
    "quero falar com a Fernanda",
    " ".join(["atendente"] * 8),
]
NOT_ASKED = [
    "tem alguém aí",
    "não tem ninguém aí?",
    "me ligue por favor",
    "me liga",
    "você é gente e não robô?",
    "você não quer falar com robô",
    "eu acho que você não é um robô",
    "fui atendido por uma pessoa ontem",
    "fomos muito bem atendidos por uma pessoa",
    "não quero ser atendido por uma pessoa",
    "vocês vão me ligar?",
    "ninguém me liga",
    "me liga quando ficar pronto",
    "preciso passar para o gerente",
    "falar com o gerente depois",
    "falar com o gerente antes",
    "quero falar com o gerente e já volto",
    "quero falar com o gerente da obra",
    "quero falar com o gerente dessa grande obra",
    "oi, atendente",
    "bom dia atendente",
    "quero falar com pessoa física",
    "quero falar com a gente",
    "qual horário tem alguém aí?",
    "preciso de alguém para coletar",
    "preciso de um atendente para coletar",
    "gostei do atendimento humano",
    "qual o horário do atendimento humano",
    "tenho um atendente que pode me ajudar",
    "se eu quiser falar com alguém",
    "vou falar com um atendente",
    "depois de falar com um atendente",
    "ao falar com um atendente",
    "falar com atendente não",
    "falar com atendente eu não quero",
    "não tem necessidade de falar com atendente",
    "falar com o encanador",
    "quero falar com a prefeitura",
    " ".join(["atendente"] * 9),
]


@pytest.mark.parametrize("text", ASKED)
def test_a_person_is_asked_for(text: str) -> None:
    assert human_request(spell_out(text))


@pytest.mark.parametrize("text", NOT_ASKED)
def test_no_person_is_asked_for(text: str) -> None:
    assert human_request(spell_out(text)) is None


@pytest.mark.parametrize(("times", "angry"), [(1, True), (8, True), (9, False)])
def test_nothing_but_insults_is_anger_while_it_is_short(times: int, angry: bool) -> None:
    assert bool(frustration(spell_out(" ".join(["burro"] * times)))) is angry


@pytest.mark.parametrize(("text", "asked"), [("humano", False), ("humano agora", True), ("atendente", True)])
def test_a_word_of_the_business_alone_asks_for_nobody_and_with_a_word_beside_it_does(text: str, asked: bool) -> None:
    assert bool(human_request(spell_out(text), frozenset({"humano"}))) is asked
