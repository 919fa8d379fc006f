"""The codes an agent answers with (docs/contract.md, "Codes"), and an action once validated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any


class Agent(StrEnum):
    """Who speaks; also the conversation's stage, in this order."""

    TRIAGEM = "triagem"
    QUALIFICACAO = "qualificacao"
    COLETA = "coleta"


# The key under which each agent puts what it learned, in the agents' order.
DATA_KEYS = ("triage_data", "qualification_data", "collection_data")


class ActionCode(IntEnum):
    """`s` of `{JSON}Mensagem`."""

    CONTINUE = 1
    ADVANCE = 2
    REFUSE = 3
    RETURN = 4
    CLOSE = 5
    HANDOFF = 6
    REROUTE = 98
    CONTEXT = 99


SILENT_CODES = frozenset({ActionCode.REROUTE, ActionCode.CONTEXT})


class RefusalReason(StrEnum):
    """Why an agent refused (document 003's sub-templates)."""

    OUT_OF_SCOPE = "out_of_scope"
    INTERPRETATION = "out_of_scope_interpretation"
    DIAGNOSIS = "out_of_scope_diagnosis"
    PII = "out_of_scope_pii"
    META = "out_of_scope_meta"
    INPUT_MALFORMED = "input_malformed"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAction:
    """A reply whose shape is right. `data` holds raw field values, not yet typed by the catalogue."""

    code: ActionCode
    message: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    declined: tuple[str, ...] = ()
    extra_requests: tuple[str, ...] = ()
    service: str | None = None
    segment: str | None = None
    target: Agent | None = None
    reason: str = "unspecified"
    packages: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    rationale: str | None = None
