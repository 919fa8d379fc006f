"""Three messages that ask one thing, and three that only look like it."""

from __future__ import annotations

import pytest

from core.domain.guard.loop import is_loop


@pytest.mark.parametrize(
    "texts",
    [
        ("qual o prazo?", "o prazo?", "prazo?"),
        ("algo diferente", "qual o prazo?", "o prazo?", "prazo?"),
        ("?", "?", "?"),
        ("oi", "oi", "oi"),
        ("bom dia, oi", "oi", "boa tarde oi"),
        ("não entendi", "não entendi", "não entendi"),
        ("123", "123", "123"),
        ("prazo da amostra 1", "prazo da amostra 1", "prazo da amostra 1"),
        ("prazo do laudo", "prazo", "prazo"),
        ("prazo", "prazo do laudo", "prazo do laudo"),
        ("qual o valor?", "qual o valor", "valor?"),
        ("meu zap", "o whatsapp", "whats?"),
        ("acreditação", "acreditado?", "acreditada"),
        ("laudos", "laudo", "o laudo"),
        ("entrega segunda", "entrega segunda", "entrega segunda"),
        ("carregado", "carregue", "carrega"),
        ("é para o cliente a", "é para o cliente a", "é para o cliente a"),
        ("amostra 123", "amostra 123", "amostra 123"),
    ],
    ids=lambda texts: texts[-2],
)
def test_one_thing_is_asked_again_and_again(texts: tuple[str, ...]) -> None:
    assert is_loop(texts)


@pytest.mark.parametrize(
    "texts",
    [
        ("qual o prazo?", "e o prazo?"),
        ("?", "?", "."),
        (".", ".", "."),
        ("oi", "ola", "oi"),
        ("oi", "oi", "oi tudo"),
        ("qual o prazo?", "o prazo?", "prazo, consegui"),
        ("1", "1", "1"),
        ("12", "12", "12"),
        ("1", "2", "3"),
        ("prazo da amostra 1", "prazo da amostra 2", "prazo da amostra 3"),
        ("prazo", "prazo", "prazo do laudo"),
        ("qual o valor?", "quanto custa?", "e o preço?"),
        ("é para o cliente a", "é para o cliente b", "é para o cliente c"),
        ("entrega segunda", "entrega terça", "entrega quarta"),
        ("água", "solo", "ar"),
        ("carregar", "carreira", "carretel"),
        ("prazo", "prazo amanhã", "prazo ontem"),
        ("não resolveu o prazo", "o prazo", "prazo resolvido"),
        ("12", "12", "1"),
        ("oi", "prazo", "prazo"),
    ],
    ids=lambda texts: texts[-1],
)
def test_three_messages_that_go_on_are_no_loop(texts: tuple[str, ...]) -> None:
    assert not is_loop(texts)
