"""A lint of the prompts: every example in them is a reply that the desk would accept, in the words it would send."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from core.application.actions.action_mapping import read_action
from core.application.actions.check_digits import DOCUMENT_RULES
from core.application.parser import parse_llm_response
from core.application.reply.egress_check import check_egress
from core.application.reply.transfer_check import promise_check
from core.domain.actions import SILENT_CODES, ActionCode, Agent, AgentAction, RefusalReason
from core.domain.catalogue.catalog import DATA_KEYS
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import ValueReader
from tests.project_files import PROMPTS_DIR, catalog, prompts

EXAMPLE = re.compile(
    r'<exemplo codigo="(?P<code>\d+)">\n<situacao>(?P<situation>.+)</situacao>\n<cliente>(?P<customer>.+)</cliente>\n'
    r"<resposta>(?P<raw>.+)</resposta>\n</exemplo>"
)
OWN_KEY = dict(zip(Agent, DATA_KEYS, strict=True))
LEGAL = {
    Agent.TRIAGEM: {1, 2, 3, 5, 6, 98, 99},
    Agent.QUALIFICACAO: {1, 2, 3, 4, 5, 6, 98, 99},
    Agent.COLETA: {1, 2, 3, 4, 5, 6, 98, 99},
}
PLACEHOLDER = re.compile(r"\{\{|\}\}|<[A-ZÇÃÉ_ ]+>|\[[A-ZÇÃÉ_ ]+\]|XX+|\.\.\.|…|lorem", re.IGNORECASE)
LABEL = re.compile(r"^\s*(mensagem|resposta|texto)\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example of an agent's prompt."""

    agent: Agent
    code: int
    customer: str
    raw: str

    def action(self) -> AgentAction:
        return read_action(parse_llm_response(self.raw), agent=self.agent)


def examples() -> Iterator[Example]:
    for agent, text in prompts().examples.items():
        for found in EXAMPLE.finditer(text):
            yield Example(agent=agent, code=int(found["code"]), customer=found["customer"], raw=found["raw"])


EXAMPLES = list(examples())


def each(check: Callable[[Example], None]) -> Callable[[], None]:
    """A test that makes its check on every example, and names the one that does not hold."""

    def checks_each() -> None:
        for example in EXAMPLES:
            try:
                check(example)
            except Exception as error:
                error.add_note(f"{example.agent} {example.code} {example.customer}")
                raise

    checks_each.__name__ = check.__name__
    return checks_each


@pytest.mark.parametrize("agent", list(Agent))
def test_each_agent_sees_an_example_of_every_code_it_may_use_and_of_no_other(agent: Agent) -> None:
    assert {example.code for example in EXAMPLES if example.agent is agent} == LEGAL[agent]


@pytest.mark.parametrize("agent", list(Agent))
def test_no_example_is_written_so_that_this_lint_overlooks_it(agent: Agent) -> None:
    text = prompts().examples[agent]
    assert text.count("<exemplo") == text.count("<resposta>") == sum(1 for e in EXAMPLES if e.agent is agent)


@each
def test_an_example_is_a_reply_that_keeps_the_contract(example: Example) -> None:
    assert example.action().code == example.code


@each
def test_a_silent_example_ends_where_its_json_closes_and_any_other_speaks(example: Example) -> None:
    message = parse_llm_response(example.raw).message
    assert bool(message) is (example.action().code not in SILENT_CODES)
    if not message:
        assert example.raw.endswith("}")


@each
def test_an_example_uses_only_what_the_catalogue_has(example: Example) -> None:
    action, reader = (
        example.action(),
        ValueReader(catalog=catalog(), written=example.customer, documents=DOCUMENT_RULES),
    )
    assert action.service is None or catalog().service(action.service).id == action.service  # type: ignore[union-attr]
    assert action.segment is None or catalog().segment(action.segment).id == action.segment  # type: ignore[union-attr]
    assert {*action.packages, *action.citations} <= {package.id for package in catalog().packages}
    assert {*action.declined, *action.data} <= {spec.id for spec in catalog().fields}
    for name, raw in action.data.items():
        spec = catalog().field(name)
        assert spec is not None
        assert not isinstance(reader.read(spec, raw), Rejected), f"{name}={raw!r} would be refused"


@each
def test_an_examples_data_stand_under_the_agents_own_key(example: Example) -> None:
    content: dict[str, Any] = parse_llm_response(example.raw).json_part
    assert set(content) & set(DATA_KEYS) <= {OWN_KEY[example.agent]}
    assert set(content) <= {
        *("s", "reason", "agent", "service", "segment", "context_needed", "declined", "extra_requests", "citations"),
        OWN_KEY[example.agent],
    }


@each
def test_an_example_names_its_reason_where_the_code_asks_for_one(example: Example) -> None:
    action = example.action()
    if action.code is ActionCode.REFUSE:
        assert action.reason in set(RefusalReason)
    elif action.code in (ActionCode.CLOSE, ActionCode.HANDOFF):
        assert re.fullmatch(r"[a-z][a-z0-9_]{2,39}", action.reason)


@each
def test_an_example_holds_no_placeholder_and_no_label(example: Example) -> None:
    message = parse_llm_response(example.raw).message
    assert not PLACEHOLDER.search(message)
    assert not LABEL.search(message)


@each
def test_an_example_is_brief_and_asks_at_most_one_thing(example: Example) -> None:
    message = parse_llm_response(example.raw).message
    assert len(message) <= 300
    assert message.count("?") <= 1


@each
def test_only_an_example_that_hands_over_promises_a_person(example: Example) -> None:
    promised = promise_check(parse_llm_response(example.raw).message)
    assert not promised.transfer or example.action().code is ActionCode.HANDOFF
    assert not promised.unbacked


@each
def test_an_examples_message_is_fit_to_send_as_it_stands(example: Example) -> None:
    checked = check_egress(parse_llm_response(example.raw).message)
    assert (checked.findings, checked.unsafe) == ((), False)


@each
def test_no_example_tells_a_price(example: Example) -> None:
    assert not re.search(r"R\$|\breais\b", parse_llm_response(example.raw).message)


def test_every_refusal_reason_is_taught_by_an_example() -> None:
    taught = {e.action().reason for e in EXAMPLES if e.code == ActionCode.REFUSE}
    assert taught == set(RefusalReason)


# The texts that all agents share


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
    assert all(text.startswith(f"# Agente: {agent.value}\n") for agent, text in prompts().examples.items())


def test_the_summary_prompt_asks_for_the_object_of_the_contract() -> None:
    shape = next(line for line in prompts().summary.splitlines() if line.startswith("{"))
    assert list(json.loads(shape)) == [
        "motivo_encerramento",
        "servico_identificado",
        "segmento",
        "pontos_chave",
        "dados_coletados",
        "proxima_acao",
        "resumo_texto",
    ]


def test_no_prompt_shows_a_model_an_amount_of_money() -> None:
    files = [*PROMPTS_DIR.glob("*.md"), *PROMPTS_DIR.glob("packages/*.md"), PROMPTS_DIR / "textos.toml"]
    assert not [path.name for path in files if re.search(r"R\$ ?\d", path.read_text(encoding="utf-8"))]
