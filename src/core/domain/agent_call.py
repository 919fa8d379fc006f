"""What an agent is told in one round, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.actions import Agent
from core.domain.llm import CallPurpose, LLMCallResult
from core.domain.values.field_value import FieldValue


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """A line of this session as agents see it. `role` is `user`, `assistant`, `human` (an attendant) or `note`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRequest:
    """All that an agent is told in one round, in the order of docs/turn.md, step 6."""

    agent: Agent
    service: str | None
    segment: str | None
    known: Mapping[str, FieldValue]
    packages: tuple[str, ...]
    history: tuple[HistoryLine, ...]
    pending_text: str
    observations: tuple[str, ...] = ()
    extra_requests: tuple[str, ...] = ()
    previous_session: str | None = None
    round: int = 1
    purpose: CallPurpose = CallPurpose.AGENT
    conversation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAnswer:
    """The raw reply with what the ledger needs of the request."""

    result: LLMCallResult
    requested_model: str
    input_hash: str
