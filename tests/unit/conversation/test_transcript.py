"""The transcript in terminals of all widths: nothing sticks out, borders stand under each other, ids have names."""

from __future__ import annotations

import io
import re
from decimal import Decimal
from typing import Any

import pytest

from conversation.columns import columns, terminal_width, wrapped
from conversation.transcript import Transcript
from conversation.turn_seen import TurnSeen
from core.config.settings import DEFAULT_COMPANY
from core.domain.conversation import Head
from core.domain.ledger import CallOutcome, ModelCall, TurnRecord
from core.domain.llm import CallPurpose
from demo import next_steps
from tests.neutral_company import catalog
from tests.shipped_companies import NAMES
from tests.template_file import ROOT

widths = pytest.mark.parametrize("width", [60, 80, 84, 120])

LONG = (
    "Oi! 🐶🐶 Queria saber se vocês atendem no sábado, e a que horas, porque durante a semana eu não consigo levar " * 3
)
BROKEN = '```json\n{"s":1,"rationale":"' + "x" * 150 + '"}\n```\nOlá 🐱, tudo bem?'
SUMMARY: dict[str, Any] = {
    "motivo_encerramento": "o assunto é de uma pessoa: remarcar agendamento",
    "servico_identificado": "Banho e tosa",
    "segmento": "",
    "pontos_chave": ["quer sábado 🐩, " + "de manhã ou à tarde, " * 9],
    "dados_coletados": {
        "número de aparelhos": "1",
        "motivo do pedido": "Troca de um aparelho antigo",
        "telefone para contato": "não informado (recusou)",
        "cuidados": "y" * 200,
    },
    "proxima_acao": "Confirmar o dia com o tutor.",
    "resumo_texto": "O cliente quer um banho. " * 8,
}


def shown(width: int) -> tuple[Transcript, io.StringIO]:
    stream = io.StringIO()
    return Transcript(catalog(), stream=stream, width=width), stream


def lines_of(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


@pytest.mark.parametrize(
    "written", ["\x1b]0;título\x07oi", "\x9b2Joi", "\x1b[31moi", "a\u202eio", "oi\r\x08\x08"], ids=ascii
)
def test_no_terminal_obeys_what_a_customer_wrote(written: str) -> None:
    show, stream = shown(80)
    show.said(written)
    show.answered([written])
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", stream.getvalue())
    assert "�" in stream.getvalue()


def test_families_of_emoji_and_accents_are_left_as_they_are() -> None:
    show, stream = shown(80)
    show.said("👩‍👧 e\u0301 ação\tfim")
    assert "👩‍👧 e\u0301 ação fim" in stream.getvalue()


def call() -> ModelCall:
    return ModelCall(
        sequence=1, purpose=CallPurpose.AGENT, attempt=1, provider="openai", requested_model="m",
        outcome=CallOutcome.USED, latency_ms=9, tokens_input=7797, tokens_output=49, cost_usd=Decimal("0.0011"),
    )  # fmt: skip


def turn(**changed: Any) -> TurnSeen:
    values: dict[str, Any] = {
        "sk": "T#1#a", "turn": "a", "inbound": ("M#1",), "decided_at_ms": 1, "started_at_ms": 1, "wall_ms": 312,
        "outcome": "answered", "reply": None, "codes": (99, 2), "calls": (call(),), "packages": ("PRICES_POLICY", "VISITS"),
        "stage_before": "triagem", "stage_after": "qualificacao", "state_before": {},
        "state_after": {"service": "instalacao_ar", "fields": {"numero_aparelhos": {}, "aparelho": {}}},
    }  # fmt: skip
    return TurnSeen(said=LONG, answers=(LONG, "Certo!"), turn=TurnRecord(**values | changed), head=Head())


# Widths


@widths
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    show, stream = shown(width)
    show.title("1. Uma cena de título bem comprido, que em terminal estreito não cabe inteira numa linha só")
    show.note(LONG)
    show.turn(turn())
    show.turn(turn(handoff_reason="agent_requested", handoff_detail="remarcar_agendamento"))
    show.answered(())
    show.side_by_side(("o modelo escreveu", BROKEN), ("o cliente leu", LONG))
    show.card(SUMMARY)
    assert max(map(columns, lines_of(stream))) <= width


@widths
def test_the_cards_borders_stand_under_each_other(width: int) -> None:
    show, stream = shown(width)
    show.card(SUMMARY)
    lines = lines_of(stream)
    assert {columns(line) for line in lines} == {width}
    assert {line[0] + line[-1] for line in lines[1:-1]} == {"││"}
    assert lines[0][0] + lines[0][-1] + lines[-1][0] + lines[-1][-1] == "┌┐└┘"


@widths
def test_the_bar_between_two_texts_is_straight(width: int) -> None:
    show, stream = shown(width)
    show.side_by_side(("o modelo escreveu", BROKEN), ("o cliente leu", LONG))
    rows = [line for line in lines_of(stream) if line]
    assert len({columns(re.split("[│┼]", row)[0]) for row in rows}) == 1


@widths
def test_answers_end_where_the_desks_name_begins(width: int) -> None:
    show, stream = shown(width)
    show.answered(["Certo! " * 30, "Qual porte?"])
    assert {columns(line) for line in lines_of(stream) if "balcão" in line} == {width}


def test_a_card_with_little_in_it_has_its_borders_too() -> None:
    show, stream = shown(80)
    show.card({"motivo_encerramento": "atendimento concluído"})
    assert [columns(line) for line in lines_of(stream)] == [80, 80, 80]


@pytest.mark.parametrize(("said", "width"), [("20", 60), ("80", 80), ("300", 120)])
def test_the_width_is_the_terminals_within_reason(monkeypatch: pytest.MonkeyPatch, said: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", said)
    assert terminal_width() == width


def test_wrapping_keeps_empty_lines_and_breaks_what_has_no_blanks() -> None:
    assert wrapped("um dois\n\n" + "z" * 7, 5) == ["um", "dois", "", "zzzzz", "zz"]


# Names


def test_a_turn_is_told_in_the_companys_words() -> None:
    show, stream = shown(120)
    show.turn(turn(handoff_reason="completed"))
    told = " ".join(stream.getvalue().split())
    for name in (
        "s=99 CONTEXT, 2 ADVANCE · Triagem → Qualificação · +Instalação de ar-condicionado · +número de aparelhos · +aparelho",
        "pacotes: Política de preços, Como é a visita",
        "handoff: atendimento concluído · 1 call, 7797/49 tokens, US$ 0.0011 · 312 ms",
    ):
        assert name in told


def test_the_card_is_shown_as_it_was_written() -> None:
    show, stream = shown(120)
    show.card(SUMMARY)
    told = " ".join(stream.getvalue().replace("│", " ").split())
    for name in (
        "motivo: o assunto é de uma pessoa: remarcar agendamento",
        "· número de aparelhos: 1 ",
        "· motivo do pedido: Troca de um aparelho antigo",
        "· telefone para contato: não informado (recusou)",
    ):
        assert name in told
    assert "segmento" not in told


def test_what_the_catalogue_does_not_know_is_shown_as_it_is() -> None:
    show, stream = shown(80)
    unknown = {"service": "banho_tosa", "fields": {"numero_pets": {}, "nome_pet": {}}}
    show.turn(turn(packages=("MENU",), state_after=unknown))
    told = " ".join(stream.getvalue().split())
    assert "+banho tosa · +numero pets · +nome pet · pacotes: MENU" in told


# What comes after


@pytest.mark.parametrize("company", NAMES)
def test_the_next_steps_name_what_is_there(company: str) -> None:
    told = " ".join(next_steps(company))
    targets = re.findall(r"make ([a-z-]+)", told)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"demo", "chat"} <= set(targets)
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
    assert all((ROOT / path).exists() for path in re.findall(r"(?:prompts|scripts)/[\w./]+\w", told))
    assert told.count(f"COMPANY={company}") == (0 if company == DEFAULT_COMPANY else 3)
