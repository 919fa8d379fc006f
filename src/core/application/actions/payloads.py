"""The shape of each action's JSON, by agent and code (docs/contract.md, "Codes"): pydantic, since a model wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints, ValidationError

from core.application.actions.shapes import as_agent, as_names, as_optional_text, as_text, as_texts
from core.domain.actions import DATA_KEYS, ActionCode, Agent, RefusalReason
from core.domain.catalogue.catalog import RESERVED_KEYS
from core.domain.errors import ActionError
from core.domain.text import fold_key
from core.domain.values.read_value import is_blank

UNSPECIFIED = "unspecified"
_EXPECTED = {
    "agent": f"um agente ({', '.join(Agent)})",
    "context_needed": "um pacote, ou uma lista deles",
    "declined": "uma lista de ids de campos",
    "service": "um texto com o id de um serviço só",
    "segment": "um texto com o id de um segmento só",
    **dict.fromkeys(DATA_KEYS, "um objeto com os campos e os seus valores"),
}


def _refusal_reason(value: object) -> object:
    """A reason that is none of the six says nothing: the refusal itself stands."""
    text = as_optional_text(value)
    key = fold_key(text) if isinstance(text, str) else ""
    return key if key in set(RefusalReason) else None


def _texts_or_none(value: object) -> object:
    """Further wishes; what is no text is surplus."""
    texts = as_texts(value)
    return texts if isinstance(texts, list) else None


def _names_or_none(value: object) -> object:
    """Citations; what is no name is surplus."""
    names = as_names(value)
    return names if isinstance(names, list) else None


_Text = Annotated[str, StringConstraints(strip_whitespace=True)]
_OneText = Annotated[_Text | None, BeforeValidator(as_text)]
_AnyText = Annotated[_Text | None, BeforeValidator(as_optional_text)]
_Names = Annotated[list[_Text] | None, BeforeValidator(as_names)]
_Target = Annotated[Agent, BeforeValidator(as_agent)]


class Payload(BaseModel):
    """What every code may carry. Null is as good as absent; other keys are data or nothing."""

    model_config = ConfigDict(strict=True, extra="ignore", defer_build=True)

    triage_data: dict[str, Any] | None = None
    qualification_data: dict[str, Any] | None = None
    collection_data: dict[str, Any] | None = None
    service: _OneText = None
    segment: _OneText = None
    declined: _Names = None
    extra_requests: Annotated[list[_Text] | None, BeforeValidator(_texts_or_none)] = None
    citations: Annotated[list[_Text] | None, BeforeValidator(_names_or_none)] = None
    rationale: _AnyText = None
    reason: _AnyText = None


class RefusePayload(Payload):
    """3: why, in one of the contract's six words."""

    reason: Annotated[_Text | None, BeforeValidator(_refusal_reason)] = None


class TargetPayload(Payload):
    """4 and 98: to which agent."""

    agent: _Target


class ContextPayload(Payload):
    """99: which packages."""

    context_needed: Annotated[list[_Text], BeforeValidator(as_names)]


# 1, 2, 5 and 6 have nothing of their own; whether 2 says all it must is a matter of state. A class that adds nothing
# would cost a start as much as one that does.
_ANY_AGENT: Mapping[ActionCode, type[Payload]] = {
    ActionCode.CONTINUE: Payload,
    ActionCode.ADVANCE: Payload,
    ActionCode.REFUSE: RefusePayload,
    ActionCode.CLOSE: Payload,
    ActionCode.HANDOFF: Payload,
    ActionCode.REROUTE: TargetPayload,
    ActionCode.CONTEXT: ContextPayload,
}
_AFTER_TRIAGE: Mapping[ActionCode, type[Payload]] = {**_ANY_AGENT, ActionCode.RETURN: TargetPayload}
PAYLOADS: Mapping[Agent, Mapping[ActionCode, type[Payload]]] = {
    Agent.TRIAGEM: _ANY_AGENT,
    Agent.QUALIFICACAO: _AFTER_TRIAGE,
    Agent.COLETA: _AFTER_TRIAGE,
}


def read_payload(own: Mapping[str, Any], *, agent: Agent, code: ActionCode) -> Payload:
    """The reply's own keys (`sort_keys`), checked. Raises `ActionError` with the key's name, never with its value."""
    said = {key: value for key, value in own.items() if key in RESERVED_KEYS and not is_blank(value)}
    try:
        return PAYLOADS[agent][code].model_validate(said)
    except ValidationError as error:
        _refuse(error, code)


def read_facts(own: Mapping[str, Any]) -> Payload:
    """What any code may carry, with the keys that cannot be read left out. Never raises."""
    said = {key: value for key, value in own.items() if key in RESERVED_KEYS and not is_blank(value)}
    try:
        return Payload.model_validate(said)
    except ValidationError as error:
        wrong = {str(each["loc"][0]) for each in error.errors(include_url=False, include_input=False) if each["loc"]}
        return Payload.model_validate({key: value for key, value in said.items() if key not in wrong})


def _refuse(error: ValidationError, code: ActionCode) -> NoReturn:
    first = error.errors(include_url=False, include_context=False)[0]
    key = str(first["loc"][0]) if first["loc"] else "s"
    what = _EXPECTED.get(key, _EXPECTED[DATA_KEYS[0]])
    if first["type"] == "missing" or first["input"] is None:
        raise ActionError("missing_key", field=key, reason=f"o código {code:d} precisa desta chave: {what}") from None
    raise ActionError("wrong_type", field=key, reason=f"precisa ser {what}") from None
