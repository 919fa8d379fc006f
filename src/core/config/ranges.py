"""What a number among the settings may be. template.yaml says the same of its parameters (a test keeps them equal)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends are allowed."""

    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether it is within."""
        return self.least <= value <= self.most


# Units are in the names; amounts are US dollars.
RANGES: Mapping[str, Range] = {
    "LLM_TIMEOUT_SECONDS": Range(1, 60),
    "LLM_RETRY_MAX": Range(0, 5),
    "LLM_FALLBACK_SECONDS": Range(1, 30),
    "LLM_MAX_OUTPUT_TOKENS": Range(64, 32_000),
    "SESSION_TTL_HOURS": Range(1, 720),
    "HISTORY_MAX_MESSAGES": Range(1, 30),
    "STALE_AFTER_SECONDS": Range(60, 7 * 86_400),
    "RETENTION_DAYS": Range(30, 3650),
    "TURNS_PER_HOUR": Range(3, 200),
    "HANDOFF_ACK_MINUTES": Range(1, 1440),
    "HANDOFF_IDLE_HOURS": Range(1, 720),
    "OWNER_IDLE_MINUTES": Range(1, 10_080),
    "OUTBOX_UNKNOWN_SECONDS": Range(30, 3600),
    "IDENTITY_TRUST_DAYS": Range(1, 3650),
    "SPEND_PER_DAY_USD": Range(0, 1_000),
    "SPEND_PER_HOUR_USD": Range(0, 100_000),
}
