"""What every company's agents are told: the engine's prompts agree with the code that reads the replies."""

from __future__ import annotations

import json
import re

import pytest

from core.application.actions.action_mapping import read_action
from core.application.parser import parse_llm_response
from core.domain.actions import ActionCode, Agent, RefusalReason
from tests.neutral_company import PROMPTS_DIR, prompts


@pytest.mark.parametrize("text", [prompts().contract, prompts().repair], ids=["contract", "repair"])
def test_a_reply_shown_outside_the_examples_keeps_the_contract_too(text: str) -> None:
    shown = re.findall(r'^(?:<resposta>)?(\{"s":.+?)(?:</resposta>)?$', text, re.MULTILINE)
    assert shown
    for raw in shown:
        read_action(parse_llm_response(raw), agent=Agent.QUALIFICACAO)


def test_the_contract_explains_every_code_and_every_refusal() -> None:
    contract = prompts().contract
    assert all(re.search(rf"^\| {code.value} \| {code.name} \|", contract, re.MULTILINE) for code in ActionCode)
    assert all(f"`{reason}`" in contract for reason in RefusalReason)


def test_the_contract_names_every_key_of_the_facts_and_every_tag() -> None:
    contract = prompts().contract
    keys = (
        *("servico", "segmento", "conhecidos", "recusados", "faltam", "proxima_etapa", "observacoes"),
        *("outros_pedidos", "sessao_anterior"),
    )
    assert all(f"`{key}`" in contract for key in keys)
    tags = ("<catalogo>", "<pacote", "<fatos>", "<mensagens_do_cliente>", "<atendente>", "<nota>")
    assert all(tag in contract for tag in tags)


def test_each_agents_prompt_begins_with_its_name() -> None:
    assert all(text.startswith(f"# Agente: {agent.value}\n") for agent, text in prompts().agents.items())


def test_the_summary_prompt_asks_for_no_key_that_code_writes_itself() -> None:
    shape = next(line for line in prompts().summary.splitlines() if line.startswith("{"))
    assert list(json.loads(shape)) == ["pontos_chave", "proxima_acao", "resumo_texto"]


def test_no_prompt_of_the_engine_shows_a_model_an_amount_of_money() -> None:
    files = PROMPTS_DIR.glob("*.md")
    assert not [path.name for path in files if re.search(r"R\$ ?\d", path.read_text(encoding="utf-8"))]
