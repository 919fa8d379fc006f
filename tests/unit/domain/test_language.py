"""Which of three languages a text is in."""

from __future__ import annotations

import pytest

from core.domain.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("Certo, vou chamar uma pessoa da equipe.", "pt", id="Portuguese"),
        pytest.param("Sure, you will have an answer from our team.", "en", id="English"),
        pytest.param("Claro, ustedes son muy amables con nuestro equipo.", "es", id="Spanish"),
        pytest.param("Ok", "pt", id="none"),
        pytest.param("", "pt", id="nothing"),
        pytest.param("the os", "pt", id="as many words of one as of the other"),
        pytest.param("the you os", "en", id="one word more"),
    ],
)
def test_a_text_is_in_the_language_that_most_of_its_small_words_are_of(text: str, language: str) -> None:
    assert language_of(text) == language
