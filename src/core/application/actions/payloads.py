"""The shape of each action's JSON, by agent and code (docs/contract.md, "Codes"): pydantic, since a model wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from core.domain.actions import ActionCode, Agent, RefusalReason
from core.domain.catalogue.catalog import RESERVED_KEYS
from core.domain.errors import InvalidContractError
from core.domain.text import fold_key

UNSPECIFIED = "unspecified"


def _agent(value: object) -> object:
    """`Qualificação` is `qualificacao`; what names no agent is left to be refused."""
    if not isinstance(value, str):
        return value
    key = fold_key(value)
    return Agent(key) if key in set(Agent) else value


def _refusal_reason(value: object) -> object:
    """A reason that is none of the six says nothing: the refusal itself stands."""
    if not isinstance(value, str):
        return value
    key = fold_key(value)
    return key if key in set(RefusalReason) else None


def _as_list(value: object) -> object:
    """A package or a list of them; blank names are no request."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list):
        return value
    return [name for name in names if not isinstance(name, str) or name.strip()] or None


_Text = Annotated[str, StringConstraints(strip_whitespace=True)]


class Payload(BaseModel):
    """What every code may carry. Null is as good as absent; other keys are data or nothing."""

    model_config = ConfigDict(strict=True, extra="ignore", defer_build=True)

    triage_data: dict[str, Any] | None = None
    qualification_data: dict[str, Any] | None = None
    collection_data: dict[str, Any] | None = None
    service: _Text | None = None
    segment: _Text | None = None
    declined: list[_Text] | None = None
    extra_requests: list[_Text] | None = None
    citations: list[_Text] | None = None
    rationale: _Text | None = None
    reason: _Text | None = None


class ContinuePayload(Payload):
    """1: nothing of its own."""


class AdvancePayload(Payload):
    """2: Triagem's names `service` and `segment`, unless they are known already; that is a matter of state."""


class RefusePayload(Payload):
    """3: why, in one of the contract's six words."""

    reason: Annotated[_Text | None, BeforeValidator(_refusal_reason)] = None


class ReturnPayload(Payload):
    """4: to which earlier agent."""

    agent: Annotated[Agent, BeforeValidator(_agent)]


class ClosePayload(Payload):
    """5: why."""


class HandoffPayload(Payload):
    """6: why."""


class ReroutePayload(Payload):
    """98: to which agent."""

    agent: Annotated[Agent, BeforeValidator(_agent)]


class ContextPayload(Payload):
    """99: which packages."""

    context_needed: Annotated[list[_Text], BeforeValidator(_as_list)]


_ANY_AGENT: Mapping[ActionCode, type[Payload]] = {
    ActionCode.CONTINUE: ContinuePayload,
    ActionCode.ADVANCE: AdvancePayload,
    ActionCode.REFUSE: RefusePayload,
    ActionCode.CLOSE: ClosePayload,
    ActionCode.HANDOFF: HandoffPayload,
    ActionCode.REROUTE: ReroutePayload,
    ActionCode.CONTEXT: ContextPayload,
}
_AFTER_TRIAGE: Mapping[ActionCode, type[Payload]] = {**_ANY_AGENT, ActionCode.RETURN: ReturnPayload}
PAYLOADS: Mapping[Agent, Mapping[ActionCode, type[Payload]]] = {
    Agent.TRIAGEM: _ANY_AGENT,
    Agent.QUALIFICACAO: _AFTER_TRIAGE,
    Agent.COLETA: _AFTER_TRIAGE,
}


def read_payload(content: Mapping[str, Any], *, agent: Agent, code: ActionCode) -> Payload:
    """The reply's reserved keys, checked. Raises `InvalidContractError` with the key's name, never with its value."""
    reserved = {key: content[key] for key in RESERVED_KEYS if key in content}
    try:
        return PAYLOADS[agent][code].model_validate(reserved)
    except ValidationError as error:
        _refuse(error)


def _refuse(error: ValidationError) -> NoReturn:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    reason = "missing_key" if first["type"] == "missing" else "wrong_type"
    raise InvalidContractError(reason, field=str(first["loc"][0]) if first["loc"] else None) from None
