"""The examples that a company shows its agents: each a reply that the desk would accept, in words it would send."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from core.application.actions.action_mapping import read_action
from core.application.actions.check_digits import DOCUMENT_RULES
from core.application.actions.payloads import PAYLOADS
from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.reply.egress_check import check_egress
from core.application.reply.invention_check import find_inventions
from core.application.reply.known_facts import Sources
from core.application.reply.transfer_check import announces_transfer
from core.domain.actions import DATA_KEYS, SILENT_CODES, ActionCode, Agent, AgentAction, RefusalReason
from core.domain.catalogue.catalog import Catalog
from core.domain.errors import ActionError
from core.domain.values.identifiers import Rejected
from core.domain.values.read_value import ValueReader

from .example_dispatch import dispatch_faults, offered_service
from .findings import Finding

_EXAMPLE = re.compile(
    r'<exemplo codigo="(?P<code>\d+)">\n<situacao>(?P<situation>.+)</situacao>\n<cliente>(?P<customer>.+)</cliente>\n'
    r"<resposta>(?P<raw>.+)</resposta>\n</exemplo>"
)
_SECTION = re.compile(r"^# (\w+)[ \t]*$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\{|\}\}|<[A-ZÇÃÉ_ ]+>|\[[A-ZÇÃÉ_ ]+\]|XX+|\.\.\.|…|lorem", re.IGNORECASE)
_AMOUNT = re.compile(r"R\$ ?\d[\d.,]*")
_MESSAGE_CHARACTERS = 300
_TIMES_MAX = 100
_OWN_KEY = dict(zip(Agent, DATA_KEYS, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One example of an agent's section. `line` is where it begins."""

    agent: Agent
    code: int
    situation: str
    customer: str
    raw: str
    line: int


def examples_in(text: str) -> Iterator[Example]:
    """Every example that is written as the prompts show them."""
    sections = [(match.start(), match[1]) for match in _SECTION.finditer(text) if match[1] in set(Agent)]
    for found in _EXAMPLE.finditer(text):
        agent = next((name for start, name in reversed(sections) if start < found.start()), None)
        if agent is not None:
            yield Example(
                agent=Agent(agent),
                code=int(found["code"]),
                situation=found["situation"],
                customer=found["customer"],
                raw=found["raw"],
                line=text.count("\n", 0, found.start()) + 1,
            )


def check_examples(path: Path, shown: str, catalog: Catalog, packages_text: str) -> Iterator[Finding]:
    """Every fault of every example, and codes that an agent never sees."""
    text = path.read_text("utf-8")
    examples = list(examples_in(text))
    if text.count("<exemplo") != len(examples):
        yield Finding(
            path=shown,
            line=1,
            what=f"{text.count('<exemplo') - len(examples)} example(s) are not written as the others",
            mend='<exemplo codigo="N">, <situacao>, <cliente>, <resposta>, </exemplo>, each on a line of its own',
        )
    for example in examples:
        for what, mend in _faults(example, catalog, packages_text):
            yield Finding(path=shown, line=example.line, what=f"example of {example.agent}: {what}", mend=mend)
    for agent in Agent:
        legal = {int(code) for code in PAYLOADS[agent]}
        unseen = legal - {each.code for each in examples if each.agent is agent}
        if unseen:
            what = f"{agent} sees no example of s={', '.join(map(str, sorted(unseen)))}"
            yield Finding(path=shown, line=1, what=what, mend="add one in its section")
    for example in examples:
        if _reason(example) == RefusalReason.OUT_OF_SCOPE and (offered := offered_service(example.customer, catalog)):
            what = f"example of {example.agent}: refuses as out of scope what the catalogue offers ({offered})"
            mend = "refuse something that the company does not do"
            yield Finding(path=shown, line=example.line, what=what, mend=mend, is_warning=True)
    taught = {_reason(each) for each in examples if each.code == ActionCode.REFUSE}
    if missing := set(RefusalReason) - taught:
        what = f"no example refuses with {', '.join(sorted(missing))}"
        yield Finding(path=shown, line=1, what=what, mend="add one to any agent", is_warning=True)


def _reason(example: Example) -> str:
    try:
        return read_action(parse_llm_response(example.raw), agent=example.agent).reason
    except (LLMResponseParseError, ActionError):
        return ""


def _faults(example: Example, catalog: Catalog, packages_text: str) -> Iterator[tuple[str, str]]:
    try:
        parsed = parse_llm_response(example.raw)
        action = read_action(parsed, agent=example.agent)
    except LLMResponseParseError as error:
        yield f"does not parse: {error}", "one JSON object with an integer s, then the text"
        return
    except ActionError as error:
        yield f"breaks the contract: {error}", "see the codes in prompts/contract.md"
        return
    if action.code != example.code:
        yield f"says codigo={example.code} and answers s={int(action.code)}", "make them the same"
    unknown = list(_unknown_names(action, example, catalog))
    yield from unknown
    if not unknown:
        yield from dispatch_faults(action, example.agent, example.situation, example.customer, catalog)
    if strange := set(parsed.json_part) & set(DATA_KEYS) - {_OWN_KEY[example.agent]}:
        yield f"puts data under {', '.join(strange)}", f"this agent's key is {_OWN_KEY[example.agent]}"
    if (action.code in SILENT_CODES) is bool(parsed.message):
        yield "a silent code says nothing, any other speaks", ""
    yield from _text_faults(action, parsed.message, packages_text, catalog)
    yield from _inventions(parsed.message, example.customer, packages_text, catalog)


def _unknown_names(action: AgentAction, example: Example, catalog: Catalog) -> Iterator[tuple[str, str]]:
    in_catalogue = "write an id that catalog.toml has"
    if action.service is not None and catalog.service(action.service) is None:
        yield f"names the service {action.service!r}, which the catalogue does not have", in_catalogue
    if action.segment is not None and catalog.segment(action.segment) is None:
        yield f"names the segment {action.segment!r}, which the catalogue does not have", in_catalogue
    for name in (*action.packages, *action.citations):
        if catalog.package(name) is None:
            yield f"names the package {name!r}, which the catalogue does not have", in_catalogue
    reader = ValueReader(catalog=catalog, written=example.customer, documents=DOCUMENT_RULES)
    for name in (*action.declined, *action.data):
        spec = catalog.field(name)
        if spec is None:
            yield f"names the field {name!r}, which the catalogue does not have", in_catalogue
        elif name in action.data and isinstance(reader.read(spec, action.data[name]), Rejected):
            yield f"{name} = {action.data[name]!r} would be refused", f"its type is {spec.type}"


def _inventions(message: str, customer: str, packages_text: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What the desk would ask again. Amounts have a finding of their own where they are written as such."""
    sources = Sources(packages=packages_text, customer=customer, states_amounts=catalog.prices.states_amounts)
    for each in find_inventions(message, sources):
        if each.kind != "price" or not _AMOUNT.search(message):
            yield f"states what no package does: {each.what}", "write it in a package, or say it otherwise"


def _is_stated(amount: str, packages_text: str) -> bool:
    """Whether a package has it, alone or times a number of things."""
    told, stated = _value(amount), {_value(found) for found in _AMOUNT.findall(packages_text)}
    return any(told == each * times for each in stated if each for times in range(1, _TIMES_MAX + 1))


def _value(amount: str) -> Decimal:
    digits = amount.removeprefix("R$").strip().rstrip(".,").replace(".", "").replace(",", ".")
    try:
        return Decimal(digits)
    except InvalidOperation:
        return Decimal(0)


def _text_faults(action: AgentAction, message: str, packages_text: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    if _PLACEHOLDER.search(message):
        yield "shows a placeholder", "write what a customer would read"
    if len(message) > _MESSAGE_CHARACTERS:
        yield f"is {len(message)} characters long", f"at most {_MESSAGE_CHARACTERS}: agents write as they are shown"
    if message.count("?") > 1:
        yield "asks more than one thing", "one question a message"
    if unfit := check_egress(message, ids=catalog.ids).findings:
        yield "is not fit to send as it stands", ", ".join(unfit)
    if announces_transfer(message) and action.code not in (ActionCode.HANDOFF, ActionCode.ADVANCE):
        yield "announces a transfer without handing over", "use s=6, or say it as a possibility"
    for amount in (found.rstrip(".,") for found in _AMOUNT.findall(message)):
        if not catalog.prices.states_amounts:
            yield f"states {amount}, and [prices] amounts is false", "take the amount out, or set amounts = true"
        elif not _is_stated(amount, packages_text):
            yield f"states {amount}, which no package states", "write it in a package, or correct it"
