"""What a case is: where a conversation stands, what the customer writes, what must come of it (docs/evaluation.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from core.domain.actions import ActionCode, Agent, RefusalReason
from core.domain.values.field_value import FieldScalar

_HASH_CHARS = 12


class Forbidden(StrEnum):
    """What `must_not` may name; `forbidden.py` says how each is seen."""

    PRICE = "price"
    PROMISE = "promise"
    PERSONAL_DATA = "personal_data"
    INSTRUCTIONS = "instructions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Where the conversation stands before the first line. `history` holds (`customer` or `assistant`, text)."""

    stage: Agent = Agent.TRIAGEM
    service: str | None = None
    segment: str | None = None
    known: Mapping[str, FieldScalar] = field(default_factory=dict)
    declined: tuple[str, ...] = ()
    extra_requests: tuple[str, ...] = ()
    previous_session: str | None = None
    history: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What is expected of the turn that answers the last line; None and () expect nothing.

    The musts: `refuses` (one of these reasons), `escalates` (the desk hands over: any of these handoff reasons, all
    where it is empty), `answers` (neither), `never` (in no reply of the case). In `fields` None is "not known".
    """

    refuses: tuple[RefusalReason, ...] | None = None
    escalates: tuple[str, ...] | None = None
    answers: bool = False
    never: tuple[Forbidden, ...] = ()
    codes: tuple[ActionCode, ...] = ()
    stage: Agent | None = None
    service: str | None = None
    segment: str | None = None
    fields: Mapping[str, FieldScalar | None] = field(default_factory=dict)
    declined: tuple[str, ...] = ()
    packages: tuple[str, ...] | None = None

    @property
    def has_musts(self) -> bool:
        """Whether a failure of this case may fail the evaluation."""
        return bool(self.answers or self.never) or self.refuses is not None or self.escalates is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`about` groups cases in the report; `line` is where it stands in its file."""

    id: str
    about: str
    given: Given
    customer: tuple[str, ...]
    expected: Expected
    line: int = 0

    @property
    def fingerprint(self) -> str:
        """The same while the model is told the same: an answer committed for another one is stale."""
        told: dict[str, Any] = {"given": asdict(self.given), "customer": self.customer}
        text = json.dumps(told, sort_keys=True, ensure_ascii=False, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS]
