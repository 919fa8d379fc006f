"""Whether an example does what its code says: dispatched on a conversation that stands as its situation tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from core.application.actions.action_mapping import dispatch
from core.application.actions.code_effects import Transition
from core.domain.actions import ActionCode, Agent, AgentAction
from core.domain.catalogue.catalog import Catalog, Service, required_fields, unmet_requirements
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError
from core.domain.text import fold
from core.domain.values.field_value import FieldStatus, FieldValue

# A Monday: relative days need one.
_SAID_ON = date(2026, 11, 30)
_MISSING = re.compile(r"\bfalta(?:m|va|vam)?\b([^;]*)", re.IGNORECASE)
_AND_MORE = re.compile(r"…|\.\.\.")
_WORD = re.compile(r"\w+")
_IN_CONTEXT = re.compile(r"\bn[oa] contexto\b")
_NOT_IN_CONTEXT = re.compile(r"\bn[ãa]o est(?:á|a|ão|ao) n[oa] contexto\b")
_MEND = "teach the code that fits, or tell the situation in which it does"


def dispatch_faults(
    action: AgentAction, agent: Agent, situation: str, customer: str, catalog: Catalog
) -> Iterator[tuple[str, str]]:
    """What the desk would refuse, or do otherwise than the example teaches."""
    missing = _missing(situation, catalog)
    supplied = _supplied(situation, catalog)
    refused: ActionError | None = None
    for state in _states(action, agent, situation, missing, catalog):
        try:
            transition = dispatch(
                action,
                state=state,
                catalog=catalog,
                written_text=customer,
                source="",
                supplied_packages=supplied,
                said_on=_SAID_ON,
            )
        except ActionError as error:
            refused = refused or error
            continue
        yield from _contradictions(action, transition, situation, missing, catalog)
        return
    yield f"would be refused: {refused}", _MEND


def offered_service(customer: str, catalog: Catalog) -> str | None:
    """The service whose name, or synonym of several words, stands in a customer's line."""
    spoken = _spoken(customer)
    for service in catalog.services:
        names = (service.name, *(each for each in service.synonyms if len(_WORD.findall(each)) > 1))
        if any(_spoken(name) in spoken for name in names):
            return service.id
    return None


def _spoken(text: str) -> str:
    """Words in single blanks, so that one text is found in another by whole words."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


def _contradictions(
    action: AgentAction, transition: Transition, situation: str, missing: tuple[str, ...], catalog: Catalog
) -> Iterator[tuple[str, str]]:
    if transition.handoff is not None and action.code not in (ActionCode.HANDOFF, ActionCode.ADVANCE):
        what = f"answers s={int(action.code)}, and the desk would hand over ({transition.handoff.detail})"
        yield what, "what the catalogue gives to a person (if_declined) is s=6"
    if action.code is ActionCode.CONTEXT and not transition.packages:
        yield (
            "asks for a package that the situation has in the context",
            "answer with it, or take it out of the situation",
        )
    all_told = missing and not any(_AND_MORE.search(told) for told in _MISSING.findall(situation))
    if action.code is ActionCode.CONTINUE and all_told and not _still_missing(transition.state, missing, catalog):
        yield "answers s=1, and with it nothing of what the situation lacks is left to ask", "that is s=2"


def _still_missing(state: ConversationState, missing: tuple[str, ...], catalog: Catalog) -> bool:
    """Of alternatives one is enough."""
    return bool(set(missing) & set(unmet_requirements(catalog, state, state.stage)))


def _missing(situation: str, catalog: Catalog) -> tuple[str, ...]:
    """The fields that a situation says are not known yet."""
    words = (word for told in _MISSING.findall(situation) for word in re.findall(r"[a-z_]+", told))
    return tuple(dict.fromkeys(word for word in words if any(word == spec.id for spec in catalog.fields)))


def _supplied(situation: str, catalog: Catalog) -> tuple[str, ...]:
    """The packages that a situation names as being there."""
    if not _IN_CONTEXT.search(situation) or _NOT_IN_CONTEXT.search(situation):
        return ()
    return tuple(each.id for each in catalog.packages if each.id in situation)


def _states(
    action: AgentAction, agent: Agent, situation: str, missing: tuple[str, ...], catalog: Catalog
) -> Iterator[ConversationState]:
    """Where the conversation may stand: for one of the services that the fields fit, all known but what is missing."""
    told = [service for service in catalog.services if re.search(rf"\b{re.escape(service.id)}\b", situation)]
    if agent is Agent.TRIAGEM and "servico" not in situation:
        yield _state(agent, None, (), catalog)
        return
    about = {*missing, *action.data, *action.declined}
    told = told or [each for each in catalog.services if _asked(each, catalog).issuperset(missing)]
    for service in sorted(told or catalog.services, key=lambda each: -len(about & _asked(each, catalog))):
        yield _state(agent, service, missing, catalog, answers=frozenset(action.data) | frozenset(action.declined))


def _state(
    agent: Agent,
    service: Service | None,
    missing: tuple[str, ...],
    catalog: Catalog,
    answers: frozenset[str] = frozenset(),
) -> ConversationState:
    if service is None:
        return ConversationState(stage=agent)
    earlier = [stage for stage in Agent if list(Agent).index(stage) <= list(Agent).index(agent)]
    asked = [spec.id for stage in earlier for spec in required_fields(catalog, stage, service.id)]
    known = {
        name: FieldValue(status=FieldStatus.KNOWN, value="x", source="")
        for name in asked
        if name not in missing and name not in answers
    }
    segment = catalog.segments[0].id if service.asks_segment and catalog.segments else None
    return ConversationState(stage=agent, service=service.id, segment=segment, fields=known)


def _asked(service: Service, catalog: Catalog) -> set[str]:
    return {spec.id for stage in Agent for spec in required_fields(catalog, stage, service.id)}
