"""The structured reply (document 003): what scorers compare is `kind`, never prose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

RATIONALE_MAX_CHARS = 280


class ReplyKind(StrEnum):
    """The discriminator: invariant to wording and language."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    ESCALATION = "escalation"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentReply:
    """One answer. `citations` are ids of packages that were supplied; `rationale` is never sent."""

    kind: ReplyKind
    text: str
    citations: tuple[str, ...] = ()
    rationale: str | None = None
