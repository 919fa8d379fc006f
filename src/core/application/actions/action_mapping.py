"""Actions: which code an agent may use, what a reply says, and what it does to the conversation (docs/contract.md).

Every fault, of shape or of the moment, is an `ActionError`: it goes back to the agent once. What was good in the reply
is kept: `ActionError.kept` has it after a fault of the moment, `keep_facts` finds it after a fault of shape.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from core.application.actions.check_digits import DOCUMENT_RULES
from core.application.actions.code_effects import Moment, Transition, apply_effect, hand_over_refusal
from core.application.actions.collected_facts import CollectedFacts, collect_facts
from core.application.actions.payloads import (
    PAYLOADS,
    UNSPECIFIED,
    ContextPayload,
    TargetPayload,
    read_facts,
    read_payload,
)
from core.application.actions.shapes import named_code, sort_keys
from core.domain.actions import SILENT_CODES, ActionCode, Agent, AgentAction
from core.domain.catalogue.catalog import Catalog
from core.domain.errors import ActionError
from core.domain.reply import RATIONALE_MAX_CHARS
from core.domain.values.read_value import ValueReader

if TYPE_CHECKING:
    from datetime import date

    from core.application.parser import ParsedLLMResponse
    from core.domain.conversation import ConversationState

__all__ = [
    "Transition",
    "dispatch",
    "further_context_requests",
    "keep_facts",
    "named_code",
    "read_action",
    "validate_code",
]

_EMPTY_MESSAGE = "falta a mensagem ao cliente, logo depois do objeto JSON"
_REASON_MAX_CHARS = 120
_TAIL_MAX_CHARS = 20_000
_TAIL_OBJECTS_MAX = 16
# Where no failing value may stand in the way: a person takes over and reads the conversation.
_FAULTS_IGNORED = frozenset({ActionCode.HANDOFF})
_REFUSALS_IGNORED = frozenset({ActionCode.HANDOFF, ActionCode.CLOSE})


def validate_code(agent: Agent, s: object) -> ActionCode:
    """The code, when it exists and the agent may use it; raises `ActionError` otherwise."""
    code = named_code(s)
    if code is not None and code in PAYLOADS[agent]:
        return code
    kind, fault = ("unknown_code", "esse código não existe") if code is None else ("forbidden_code", "não é código seu")
    legal = ", ".join(f"{each:d} {each.name}" for each in PAYLOADS[agent])
    raise ActionError(kind, field="s", reason=f"{fault}; use um destes: {legal}")


def read_action(parsed: ParsedLLMResponse, *, agent: Agent) -> AgentAction:
    """A parsed reply as an action. Raises `ActionError` for any fault of shape, and nothing else."""
    code = validate_code(agent, parsed.s)
    own, data = sort_keys(parsed.json_part)
    payload = read_payload(own, agent=agent, code=code)
    silent = code in SILENT_CODES
    if not silent and not _says_something(parsed.message):
        raise ActionError("empty_message", field="message", reason=_EMPTY_MESSAGE)
    return AgentAction(
        code=code,
        message="" if silent else parsed.message,
        data=data,
        declined=_names(payload.declined),
        extra_requests=_names(payload.extra_requests),
        service=payload.service or None,
        segment=payload.segment or None,
        target=payload.agent if isinstance(payload, TargetPayload) else None,
        reason=(payload.reason or UNSPECIFIED)[:_REASON_MAX_CHARS],
        packages=_names(payload.context_needed) if isinstance(payload, ContextPayload) else (),
        citations=_names(payload.citations),
        rationale=(payload.rationale or "")[:RATIONALE_MAX_CHARS] or None,
    )


def dispatch(
    action: AgentAction,
    *,
    state: ConversationState,
    catalog: Catalog,
    written_text: str,
    source: str,
    supplied_packages: tuple[str, ...],
    said_on: date | None = None,
) -> Transition:
    """The action's effect on the conversation. Raises `ActionError` for any fault of the moment, and nothing else.

    `written_text` is all that the customer wrote in this session, pending messages included; `source` the `sk` that new
    values come from; `supplied_packages` what the agent was given; `said_on` the day of the newest message where the
    company is, without which "amanhã" is no day.
    """
    reader = ValueReader(catalog=catalog, written=written_text, documents=DOCUMENT_RULES, said_on=said_on)
    facts = collect_facts(action, state=state, reader=reader, source=source)
    moment = Moment(action=action, before=state, state=facts.state, catalog=catalog, supplied=supplied_packages)
    if facts.faults and action.code not in _FAULTS_IGNORED:
        _fail(facts)
    if facts.needs_person and action.code not in _REFUSALS_IGNORED:
        transition = hand_over_refusal(moment, facts.needs_person)
    else:
        transition = apply_effect(moment)
    return replace(transition, dropped_fields=facts.dropped) if facts.dropped else transition


def keep_facts(
    parsed: ParsedLLMResponse,
    *,
    state: ConversationState,
    catalog: Catalog,
    written_text: str,
    source: str,
    said_on: date | None = None,
) -> ConversationState:
    """The state with what is good in a reply that `read_action` refused. Its stage stays. Never raises."""
    own, data = sort_keys(parsed.json_part)
    payload = read_facts(own)
    action = AgentAction(
        code=ActionCode.CONTINUE,
        data=data,
        declined=_names(payload.declined),
        extra_requests=_names(payload.extra_requests),
        service=payload.service or None,
        segment=payload.segment or None,
    )
    reader = ValueReader(catalog=catalog, written=written_text, documents=DOCUMENT_RULES, said_on=said_on)
    return collect_facts(action, state=state, reader=reader, source=source).state


def further_context_requests(tail: str, *, agent: Agent) -> tuple[str, ...]:
    """Packages that further objects after a silent reply ask for (docs/contract.md, "Several blocks"). Never raises.

    Names are as the model wrote them: the catalogue has yet to say which of them exist.
    """
    names: dict[str, None] = {}
    for content in _objects(tail[:_TAIL_MAX_CHARS]):
        if type(content.get("s")) is not int or content["s"] != ActionCode.CONTEXT:
            continue
        try:
            payload = read_payload(sort_keys(content)[0], agent=agent, code=ActionCode.CONTEXT)
        except ActionError:
            continue
        if isinstance(payload, ContextPayload):
            names.update(dict.fromkeys(_names(payload.context_needed)))
    return tuple(names)


def _fail(facts: CollectedFacts) -> NoReturn:
    """One error for all faults: its kind and field are the first's, its reason names the rest."""
    first, *others = facts.faults
    reason = "; ".join([first.reason, *(f"{fault.field}: {fault.reason}" for fault in others)])
    raise ActionError(first.kind, field=first.field, reason=reason, kept=facts.state)


def _names(values: list[str] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values or () if value))


def _says_something(message: str) -> bool:
    """Whether a reader would see anything: spaces, controls and zero-width characters alone say nothing."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in message)


def _objects(tail: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, whatever stands between them."""
    decoder = json.JSONDecoder()
    position = tail.find("{")
    for _ in range(_TAIL_OBJECTS_MAX):
        if position < 0:
            return
        try:
            content, end = decoder.raw_decode(tail, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            if isinstance(content, dict):
                yield content
        position = tail.find("{", end)
