"""Replies and what they do, in a company with the small catalogue."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.application.actions.action_mapping import Transition, dispatch, read_action
from core.application.parser import ParsedLLMResponse
from core.domain.actions import ActionCode, Agent
from core.domain.conversation import ConversationState
from core.domain.errors import ActionError
from core.domain.values.field_value import FieldStatus
from tests.cases.small_catalog import at, known, small_catalog

CATALOG = small_catalog()
TRIAGEM, QUALIFICACAO, COLETA = Agent.TRIAGEM, Agent.QUALIFICACAO, Agent.COLETA
QUALIFIED_VALUES = {"tipo": "poço", "quantos": 3}
QUALIFIED = known(**QUALIFIED_VALUES)
REGISTERED = known(nome="Lara", cpf="39053344705", email="lara@exemplo.com.br")
IN_TRIAGE = at(TRIAGEM)
IN_QUALIFICATION = at(QUALIFICACAO, service="alfa", segment="casa")
IN_COLLECTION = at(COLETA, service="alfa", segment="casa", **QUALIFIED)
_OWN_KEYS: dict[ActionCode, dict[str, Any]] = {
    ActionCode.RETURN: {"agent": "triagem"},
    ActionCode.REROUTE: {"agent": "triagem"},
    ActionCode.CONTEXT: {"context_needed": "COMPANY_INFO"},
}


def reply(code: int, message: str = "Certo.", **keys: Any) -> ParsedLLMResponse:
    """A reply as the parser hands it over, with what its code cannot do without."""
    content = {"s": int(code), **_OWN_KEYS.get(ActionCode(code), {}), **keys}
    return ParsedLLMResponse(s=int(code), json_part=content, message=message)


def act(
    state: ConversationState,
    code: int,
    *,
    written: str = "",
    source: str = "M#1",
    supplied: tuple[str, ...] = (),
    said_on: date | None = None,
    **keys: Any,
) -> Transition:
    """What a reply of the stage's agent does."""
    action = read_action(reply(code, **keys), agent=state.stage)
    return dispatch(
        action,
        state=state,
        catalog=CATALOG,
        written_text=written,
        source=source,
        supplied_packages=supplied,
        said_on=said_on,
    )


def fault(state: ConversationState, code: int, **keys: Any) -> ActionError:
    """What the agent is told instead."""
    with pytest.raises(ActionError) as caught:
        act(state, code, **keys)
    return caught.value


def values(state: ConversationState) -> dict[str, Any]:
    """What is known."""
    return {name: entry.value for name, entry in state.fields.items() if entry.status is FieldStatus.KNOWN}
