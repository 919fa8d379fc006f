"""The model stand-in's brain: reads a Responses request as a model would and answers as the prompt orders.

Deterministic, without network, made for this project's prompts: it knows an agent, the repair and the summary by the
first line of their instructions, and the company by the catalogue in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .brain.agent import think
from .brain.prompt import messages, read_prompt
from .brain.repairer import repaired
from .brain.summariser import summary

_FRAMED = re.compile(r"<<<(RESPOSTA(?:_X)*)\n(.*)\n\1>>>\Z", re.DOTALL)
_REPAIR, _SUMMARY = "# Reparo de formato", "# Resumo operacional"


def answer(request: Mapping[str, Any]) -> str:
    """The text of the reply. Raises ValueError for a prompt that is none of this project's."""
    said = list(messages(request))
    instructions = said[0][1] if said else ""
    told = said[-1][1] if len(said) > 1 else ""
    if instructions.startswith(_SUMMARY):
        return summary(told)
    if instructions.startswith(_REPAIR):
        return repaired(_reply_to_repair(told))
    return think(read_prompt(request))


def _reply_to_repair(told: str) -> str:
    """The broken reply stands between the last pair of marks; without marks it is the whole message."""
    framed = _FRAMED.search(told)
    return framed[2] if framed else told
