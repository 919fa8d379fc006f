"""What Claude's families take. A model that is named here by no pattern is sent neither.

Sources: platform.claude.com/docs, "Thinking" and "Structured outputs"; Anthropic's SDK 2.15.
"""

from __future__ import annotations

import re
from typing import Any

# The first pattern that matches a model gives what keeps it from thinking: from family 5 on it does by default, and
# thinking alone would use up what an answer may be long.
_LEAST_THINKING: tuple[tuple[re.Pattern[str], dict[str, Any]], ...] = (
    (re.compile(r"claude-(fable|mythos)-5|claude-opus-5-5(-|$)"), {"output_config": {"effort": "low"}}),  # never off
    (re.compile(r"claude-sonnet-5-5(-|$)"), {"thinking": {"type": "between_tools"}}),  # refuses `disabled`
    (re.compile(r"claude-[a-z]+-[5-9](-|$)"), {"thinking": {"type": "disabled"}}),
)
_SCHEMAS = re.compile(r"claude-[a-z]+-(4-[5-9]|[5-9])(-|$)")


def least_thinking(model: str) -> dict[str, Any]:
    """What a request says so that the model thinks as little as it can; nothing where it does not by itself."""
    return next((least for pattern, least in _LEAST_THINKING if pattern.match(model)), {})


def takes_schemas(model: str) -> bool:
    """Whether a model can be held to a schema."""
    return _SCHEMAS.match(model) is not None
