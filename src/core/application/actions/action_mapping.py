"""Actions: which code an agent may use, what a reply says, and what it does to the conversation (docs/contract.md).

Faults of shape raise `InvalidContractError` (handoff); faults of the moment raise `ActionError`, which goes back to the
agent once and carries in `kept` whatever was good in the reply.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from core.application.actions.check_digits import DOCUMENT_RULES
from core.application.actions.code_effects import Moment, Transition, apply_effect, hand_over_refusal
from core.application.actions.collected_facts import CollectedFacts, collect_facts
from core.application.actions.payloads import (
    PAYLOADS,
    UNSPECIFIED,
    ContextPayload,
    Payload,
    ReroutePayload,
    ReturnPayload,
    read_payload,
)
from core.domain.actions import SILENT_CODES, ActionCode, Agent, AgentAction
from core.domain.catalogue.catalog import DATA_KEYS, RESERVED_KEYS, SEGMENT, SERVICE, Catalog
from core.domain.errors import ActionError, InvalidContractError
from core.domain.reply import RATIONALE_MAX_CHARS
from core.domain.values.read_value import ValueReader, is_blank

if TYPE_CHECKING:
    from core.application.parser import ParsedLLMResponse
    from core.domain.conversation import ConversationState

__all__ = ["Transition", "dispatch", "further_context_requests", "read_action", "validate_code"]

_CODES = frozenset(ActionCode)
_TARGETED = (ReturnPayload, ReroutePayload)
_REASON_MAX_CHARS = 120
_TAIL_MAX_CHARS = 20_000
_TAIL_OBJECTS_MAX = 16
# Where no failing value may stand in the way: a person takes over and reads the conversation.
_FAULTS_IGNORED = frozenset({ActionCode.HANDOFF})
_REFUSALS_IGNORED = frozenset({ActionCode.HANDOFF, ActionCode.CLOSE})


def validate_code(agent: Agent, s: int) -> ActionCode:
    """The code, when it exists and the agent may use it; raises `InvalidContractError` otherwise."""
    if not isinstance(s, int) or isinstance(s, bool) or s not in _CODES:
        raise InvalidContractError("unknown_code", field="s")
    code = ActionCode(s)
    if code not in PAYLOADS[agent]:
        raise InvalidContractError("forbidden_code", field="s")
    return code


def read_action(parsed: ParsedLLMResponse, *, agent: Agent) -> AgentAction:
    """A parsed reply as an action. Raises `InvalidContractError` for any fault of shape, and nothing else."""
    code = validate_code(agent, parsed.s)
    payload = read_payload(parsed.json_part, agent=agent, code=code)
    silent = code in SILENT_CODES
    if not silent and not _says_something(parsed.message):
        raise InvalidContractError("empty_message", field="message")
    return AgentAction(
        code=code,
        message="" if silent else parsed.message,
        data=_data(parsed.json_part, payload),
        declined=_names(payload.declined),
        extra_requests=_names(payload.extra_requests),
        service=_choice(payload, payload.service, SERVICE),
        segment=_choice(payload, payload.segment, SEGMENT),
        target=payload.agent if isinstance(payload, _TARGETED) else None,
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
) -> Transition:
    """The action's effect on the conversation. Raises `ActionError` for any fault of the moment, and nothing else.

    `written_text` is all that the customer wrote in this session, pending messages included; `source` the `sk` that new
    values come from; `supplied_packages` what the agent was given.
    """
    reader = ValueReader(catalog=catalog, written=written_text, documents=DOCUMENT_RULES)
    facts = collect_facts(action, state=state, reader=reader, source=source)
    moment = Moment(action=action, before=state, state=facts.state, catalog=catalog, supplied=supplied_packages)
    if facts.faults and action.code not in _FAULTS_IGNORED:
        _fail(facts)
    if facts.needs_person and action.code not in _REFUSALS_IGNORED:
        transition = hand_over_refusal(moment, facts.needs_person)
    else:
        transition = apply_effect(moment)
    return replace(transition, dropped_fields=facts.dropped) if facts.dropped else transition


def further_context_requests(tail: str, *, agent: Agent) -> tuple[str, ...]:
    """Packages that further objects after a silent reply ask for (docs/contract.md, "Several blocks"). Never raises.

    Names are as the model wrote them: the catalogue has yet to say which of them exist.
    """
    names: dict[str, None] = {}
    for content in _objects(tail[:_TAIL_MAX_CHARS]):
        if type(content.get("s")) is not int or content["s"] != ActionCode.CONTEXT:
            continue
        try:
            payload = read_payload(content, agent=agent, code=ActionCode.CONTEXT)
        except InvalidContractError:
            continue
        if isinstance(payload, ContextPayload):
            names.update(dict.fromkeys(_names(payload.context_needed)))
    return tuple(names)


def _fail(facts: CollectedFacts) -> NoReturn:
    """One error for all faults: its kind and field are the first's, its reason names the rest."""
    first, *others = facts.faults
    reason = "; ".join([first.reason, *(f"{fault.field}: {fault.reason}" for fault in others)])
    raise ActionError(first.kind, field=first.field, reason=reason, kept=facts.state)


def _data(content: Mapping[str, Any], payload: Payload) -> dict[str, Any]:
    """Flat values, then those of the three maps; among several of one name the last that says something."""
    flat = {key: value for key, value in content.items() if key not in RESERVED_KEYS}
    data: dict[str, Any] = {}
    for values in (flat, *_maps(payload)):
        for key, value in values.items():
            if key not in (SERVICE, SEGMENT) and not (key in data and is_blank(value)):
                data[key] = value
    return data


def _choice(payload: Payload, given: str | None, key: str) -> str | None:
    """`service` or `segment`, which models also write among the data."""
    inner = (values.get(key) for values in _maps(payload))
    return given or next((value.strip() for value in inner if isinstance(value, str) and value.strip()), None)


def _maps(payload: Payload) -> Iterator[dict[str, Any]]:
    return (getattr(payload, key) or {} for key in DATA_KEYS)


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
