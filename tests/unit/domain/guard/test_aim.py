"""Whom anger is aimed at: a word more, and it is somebody else, or nobody."""

from __future__ import annotations

import pytest

from core.domain.guard.frustration import frustration
from core.domain.guard.spelling import spell_out


def rule(text: str) -> str | None:
    return frustration(spell_out(text))


@pytest.mark.parametrize(
    "text",
    [
        "de novo a mesma coisa",
        "essa merda não responde",
        "essa merda de atendimento não responde",
        "vocês são ruins",
        "isso é um absurdo",
        "o atendimento está um absurdo",
        "você é um idiota",
        "vc é muito idiota",
        "bando de idiotas",
        "não sei mais que idiota",
        "estou nervosa com essa demora",
        "estou nervosa",
        "já mandei três vezes",
        "péssimo atendimento",
        "péssimo atendimento de vocês",
        "o sistema de vocês é péssimo",
        "o sistema é péssimo",
        "estou de saco cheio",
        "estou de saco cheio de vocês",
    ],
)
def test_anger_at_us_is_heard(text: str) -> None:
    assert rule(text)


@pytest.mark.parametrize(
    "text",
    [
        "quero de novo a mesma coisa",
        "a operadora de novo a mesma coisa",
        "essa merda de galinha não responde",
        "o prazo de vocês é ruim",
        "a conta de luz está um absurdo",
        "o pedreiro é um idiota",
        "o pedreiro é muito idiota",
        "Sítio do Idiota",
        "não sou idiota",
        "não sei que idiota",
        "você não é idiota",
        "eu sou idiota",
        "estou nervosa com o resultado",
        "não estou nervosa",
        "chateada que não vou",
        "já mandei amostra três vezes",
        "péssimo atendimento da prefeitura",
        "não é péssimo o atendimento",
        "nosso sistema é péssimo",
        "estou de saco cheio da operadora",
        "não estou de saco cheio",
    ],
)
def test_anger_at_others_at_oneself_or_denied_is_not(text: str) -> None:
    assert rule(text) is None
