"""What Claude's families take. A model that is named here by no pattern is sent neither.

Sources: platform.claude.com/docs, "Thinking" and "Structured outputs"; Anthropic's SDK 2.15.
"""

from __future__ import annotations

import re
from typing import Any

# The first pattern that matches a model gives what keeps it from thinking: from family 5 on it does by default, and
# thinking alone would use up what an answer may be long.
_THINKING: tuple[tuple[re.Pattern[str], dict[str, Any]], ...] = (
    (re.compile(r"claude-sonnet-5-5(-|$)"), {"type": "between_tools"}),  # refuses `disabled`
    (re.compile(r"claude-[a-z]+-[5-9](-|$)"), {"type": "disabled"}),
)
_SCHEMAS = re.compile(r"claude-[a-z]+-(4-[5-9]|[5-9])(-|$)")


def thinking_of(model: str) -> dict[str, Any] | None:
    """The least thinking that a model can be told; None where it does not think by itself."""
    return next((least for pattern, least in _THINKING if pattern.match(model)), None)


def takes_schemas(model: str) -> bool:
    """Whether a model can be held to a schema."""
    return _SCHEMAS.match(model) is not None
