"""Whole messages that are one short reply: yes to an offered person, thanks, and the opt-out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.short_replies import is_acceptance, is_courtesy, is_opt_out

CASES = Path(__file__).parent / "cases"


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


@pytest.mark.parametrize(
    "text",
    [
        "PARE",
        "pare.",
        "Parar!",
        " sair ",
        "*SAIR*",
        "SÁIR",
        "PARE 🛑",
        '"pare"',
        "STOP",
        "Pare, por favor",
        "PARE\nPARE",
        "oi, sair por gentileza",
        "Parar. Obrigada!",
        "não quero mais receber mensagens",
        "nao quero + receber nada de vcs, não quero mais receber mensagem",
        "Não quero mais receber essas mensagens de vocês.",
        "não quero mais receber nada",
        "não desejo receber propaganda",
        "Bom dia. Não gostaria de receber mais mensagens, obrigado.",
        "me tira dessa lista",
        "tira meu número dessa lista pfv",
        "por favor remova meu contato do cadastro",
        "quero sair da lista de transmissão",
        "descadastrar",
        "Descadastra meu número por favor",
        "não me mandem mais mensagem",
        "não me mande mais msg",
        "não me mande mais nada",
        "nunca mais me mandem mensagem",
        "não mande mais mensagem pra mim",
        "para de me mandar mensagem",
        "parem de me enviar propaganda",
        "não entrem mais em contato comigo",
        "não me escrevam mais",
        "não autorizo mais o envio de mensagens",
        "chega de mensagem",
        "como faço pra não receber mais mensagens?",
        "cancelar o envio de mensagens",
        "não me incomodem mais",
    ],
)
def test_a_message_that_asks_for_no_more_messages_opts_out(text: str) -> None:
    assert is_opt_out(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cancelar",
        "cancela por favor",
        "quero cancelar o orçamento",
        "cancelar a coleta de sexta",
        "quero sair",
        "vou sair agora, respondo depois",
        "pare de chover",
        "parem",
        "não pare",
        "não me mande mais boletos",
        "não mande mais o boleto pro e-mail antigo",
        "não quero mais receber o laudo impresso",
        "não quero mais receber boletos por e-mail",
        "pare de me cobrar",
        "parem de me cobrar por isso!",
        "pare de me fazer a mesma pergunta",
        "parar o serviço",
        "quero parar o serviço mensal",
        "para de mandar a mesma pergunta",
        "não quero mais a análise de solo",
        "não quero mais nada, obrigado",
        "a bomba vai parar?",
        "sair de Betim às 8h dá tempo?",
        "o frasco tem uma placa de STOP",
        'a placa diz "PARE"',
        'o que acontece se eu escrever "não quero mais receber mensagens"?',
        "meu marido disse que não quer mais receber mensagem",
        "não recebi mais mensagens de vocês",
        "não quero mais receber mensagens de propaganda, só do laudo",
        "recebi uma mensagem pra responder SAIR, o que é?",
        "tira o metal pesado da lista",
        "me tira uma dúvida da lista de parâmetros",
        "me manda mais mensagem",
        "por que não me mandaram mais mensagem?",
        "não me mandem mensagem no domingo",
    ],
)
def test_nothing_else_opts_out(text: str) -> None:
    assert not is_opt_out(text)


def test_lines_of_other_trades_opt_out_where_they_mean_it_and_no_other_line_does() -> None:
    rows = _rows("guard_opt_out.jsonl")
    meant = [row for row in rows if row["label"]]
    assert [row for row in rows if not row["label"] and is_opt_out(row["text"])] == []
    assert sum(is_opt_out(row["text"]) for row in meant) >= 0.97 * len(meant)
    assert [row for row in _rows("guard_fresh.jsonl") if "text" in row and is_opt_out(row["text"])] == []


def _rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


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
