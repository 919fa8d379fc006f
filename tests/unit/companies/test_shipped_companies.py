"""What must hold for every company that is shipped, and for the tests' own: a failure names its company and file.

`make check` tells users most of this; its findings are the first test, and the rest is what no user need be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from company_check.company import check_company
from company_check.examples import Example, examples_in
from company_check.prompt_sizes import CACHED_SHARE_LEAST, longest_request, prompt_sizes
from core.agents.prompt_assembly import PromptAssembler
from core.application.actions.action_mapping import read_action
from core.application.actions.payloads import PAYLOADS
from core.application.parser import ParsedLLMResponse, parse_llm_response
from core.config.prompt_files import EXAMPLES_FILE, TEXTS_FILE
from core.domain.actions import SILENT_CODES, ActionCode, Agent, AgentAction, RefusalReason
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.catalogue.catalog import required_fields
from core.domain.conversation_guard import ChatMessage, ConversationGuard, GuardInput, GuardKind, GuardPolicy
from core.domain.handoff import HandoffReason
from tests.neutral_company import COMPANY as NEUTRAL
from tests.shipped_companies import NAMES, PROMPTS_DIR, CompanyFiles, read_company
from tests.template_file import ROOT

AMOUNT = re.compile(r"R\$ ?\d[\d.,]*")
LABEL = re.compile(r"^\s*(mensagem|resposta|texto)\s*:", re.IGNORECASE)
OPENING = "segunda-feira às 8h"


@pytest.fixture(scope="module", params=[*NAMES, NEUTRAL])
def company(request: pytest.FixtureRequest, neutral_prompts_dir: Path) -> CompanyFiles:
    return read_company(neutral_prompts_dir if request.param == NEUTRAL else PROMPTS_DIR, request.param)


def test_nothing_is_left_for_make_check_to_tell(company: CompanyFiles) -> None:
    found = check_company(company.prompts_dir, company.name, ROOT)
    assert [str(each) for each in found if not each.is_warning] == []


# The catalogue


def test_every_service_leads_to_a_customer_whom_people_can_reach(company: CompanyFiles) -> None:
    """Something is asked of the request or of the customer, or nobody could go on with it."""
    unasked = [
        service.id
        for service in company.catalog.services
        if not any(required_fields(company.catalog, agent, service.id) for agent in Agent)
    ]
    assert not unasked, company.file("catalog.toml")


def test_a_trades_own_words_are_no_anger(company: CompanyFiles) -> None:
    words = company.catalog.neutral_words
    policy = GuardPolicy(neutral_words=frozenset(words), handoff_available=True)

    def angry(text: str) -> bool:
        given = GuardInput(messages=(ChatMessage(role="user", content=text),))
        return ConversationGuard.evaluate(given, policy=policy).kind is GuardKind.FRUSTRATED

    assert not [word for word in words if angry(word) or angry(word.upper())], company.file("catalog.toml")


def test_people_rest_and_come_back(company: CompanyFiles) -> None:
    week, days = company.catalog.hours, range(14)
    hours = [1_796_040_000_000 + 3_600_000 * hour for day in days for hour in range(24 * day, 24 * day + 24)]
    assert {week.is_open(at_ms) for at_ms in hours} <= {True, False}
    assert any(week.is_open(at_ms) for at_ms in hours), company.file("catalog.toml")
    assert all(week.next_opening_text(at_ms) for at_ms in hours), company.file("catalog.toml")


# The examples


def read(example: Example) -> tuple[AgentAction, ParsedLLMResponse]:
    parsed = parse_llm_response(example.raw)
    return read_action(parsed, agent=example.agent), parsed


def examples(company: CompanyFiles) -> Iterator[tuple[str, Example]]:
    """Each under its file and line."""
    for example in examples_in((company.folder / EXAMPLES_FILE).read_text("utf-8")):
        yield f"{company.file(EXAMPLES_FILE)}:{example.line}", example


def test_each_agent_sees_every_code_that_it_may_use_and_every_refusal_is_taught(company: CompanyFiles) -> None:
    seen = {agent: {e.code for _, e in examples(company) if e.agent is agent} for agent in Agent}
    assert seen == {agent: {int(code) for code in PAYLOADS[agent]} for agent in Agent}, company.file(EXAMPLES_FILE)
    taught = {read(e)[0].reason for _, e in examples(company) if e.code == ActionCode.REFUSE}
    assert taught == set(RefusalReason), company.file(EXAMPLES_FILE)


def test_an_example_writes_ids_as_the_catalogue_has_them(company: CompanyFiles) -> None:
    """Names and synonyms would be taken too, but agents write what they are shown."""
    catalog = company.catalog
    known = {
        "service": {None, *(each.id for each in catalog.services)},
        "segment": {None, *(each.id for each in catalog.segments)},
        "package": {each.id for each in catalog.packages},
        "field": {each.id for each in catalog.fields},
    }
    strange = []
    for place, example in examples(company):
        action, _ = read(example)
        said = {"service": {action.service}, "segment": {action.segment}}
        said |= {"package": {*action.packages, *action.citations}, "field": {*action.declined, *action.data}}
        strange += [
            f"{place}: {kind} {sorted(map(str, said[kind] - known[kind]))}" for kind in said if said[kind] - known[kind]
        ]
    assert strange == []


def test_an_example_is_written_as_agents_should_write(company: CompanyFiles) -> None:
    faults = [f"{place}: {fault}" for place, example in examples(company) for fault in style_faults(example)]
    assert faults == []


def style_faults(example: Example) -> Iterator[str]:
    action, parsed = read(example)
    if action.code in SILENT_CODES and not example.raw.endswith("}"):
        yield "something follows a silent code"
    if action.code in (ActionCode.CLOSE, ActionCode.HANDOFF) and not re.fullmatch(
        r"[a-z][a-z0-9_]{2,39}", action.reason
    ):
        yield f"reason {action.reason!r} is no short snake_case"
    if LABEL.search(parsed.message):
        yield "the message has a label"


# Texts


@pytest.mark.parametrize("reason", list(HandoffReason))
def test_a_handoffs_text_is_true_at_every_moment(company: CompanyFiles, reason: HandoffReason) -> None:
    texts, place = company.prompts.texts, f"{company.file(TEXTS_FILE)}: handoff.{reason.value}"
    now = texts.for_handoff(reason, open_now=True, enabled=True)
    later = texts.for_handoff(reason, open_now=False, enabled=True, next_opening=OPENING)
    nobody = texts.for_handoff(reason, open_now=True, enabled=False)
    assert nobody == texts.for_handoff(reason, open_now=False, enabled=False), place
    assert len({now, later, nobody}) == 3, place
    assert OPENING in later, place
    assert OPENING not in now + nobody, place
    unknown = texts.for_handoff(reason, open_now=False, enabled=True)
    assert "no próximo horário de atendimento" in unknown, place
    assert not set("{}") & set(now + later + nobody + unknown), place


def test_no_text_holds_a_placeholder(company: CompanyFiles) -> None:
    texts = company.prompts.texts
    fixed = {
        name: getattr(texts, name) for name in ("offer_person", "opt_out", "please_type", "courtesy", "nobody_took_it")
    }
    fixed |= {f"guard.{name}": getattr(texts.guard, name) for name in ("frustrated", "loop", "human_request")}
    fixed |= {f"packages/{name}.md": text for name, text in company.prompts.packages.items()}
    held = [name for name, text in fixed.items() if re.search(r"[{}]|XX+|\blorem\b|\bTODO\b", text)]
    assert held == [], company.name
    assert not set("{}") & set((company.folder / "catalog.toml").read_text("utf-8")), company.file("catalog.toml")


# Amounts


def test_an_amount_that_is_stated_stands_in_a_package(company: CompanyFiles) -> None:
    """Where the company states none, it stands nowhere that an agent or a customer reads."""
    packages = "\n".join(company.prompts.packages.values())
    allowed = set(amounts(packages)) if company.catalog.prices.states_amounts else set()
    files = [path for path in sorted(company.folder.rglob("*")) if path.suffix in (".md", ".toml")]
    strange = [
        f"{company.file(str(path.relative_to(company.folder)))}: {amount}"
        for path in files
        for amount in amounts(without_customers(path.read_text("utf-8")))
        if amount not in allowed
    ]
    assert strange == []


def without_customers(text: str) -> str:
    """What a customer says in an example is his own."""
    return re.sub(r"<cliente>.*</cliente>", "", text)


def amounts(text: str) -> list[str]:
    return [found.rstrip(".,").replace(" ", "") for found in AMOUNT.findall(text)]


# The prompt that they make


def test_nine_tenths_of_what_precedes_the_history_can_be_cached(company: CompanyFiles) -> None:
    sizes = list(prompt_sizes(company.prompts, company.catalog))
    assert [size.agent for size in sizes] == list(Agent)
    assert min(size.cached_share for size in sizes) >= CACHED_SHARE_LEAST, company.name


@pytest.mark.parametrize("agent", list(Agent))
def test_the_first_message_is_the_same_bytes_whatever_the_conversation(company: CompanyFiles, agent: Agent) -> None:
    plain = AgentRequest(agent=agent, service=None, segment=None, known={}, packages=(), history=(), pending_text="oi")
    busy = longest_request(company.catalog, company.catalog.services[0], agent)
    more = AgentRequest(
        agent=agent,
        service=busy.service,
        segment=busy.segment,
        known=busy.known,
        packages=tuple(package.id for package in company.catalog.packages),
        history=(HistoryLine(role="user", text="x"),),
        observations=("invalid_value: cpf: confira",),
        previous_session="Pediu outra coisa.",
        pending_text="outra coisa",
    )
    # two assemblers, as two processes have them: what is cached for one is found by the other
    first = PromptAssembler(company.prompts, company.catalog).assemble(plain)[0]["content"]
    again = PromptAssembler(read_company(company.prompts_dir, company.name).prompts, company.catalog)
    second = again.assemble(more)[0]["content"]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    assert first == second, f"{company.name}: differs from character {same}"
