"""The model stand-in's brain: reads a Responses request as a model would and answers as the prompt orders.

A deterministic toy without network, made for this project's prompts: it knows an agent, the repair and the summary by
the first line of their instructions, and the company, whichever it is, by the catalogue in front of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .brain.agent import think
from .brain.prompt import Reading, messages
from .brain.repairer import repaired
from .brain.summariser import summary

# For whoever talks to it (`make chat`).
TOY_NOTICE = (
    "The answers come from a toy that stands in for the model: it matches words, and when unsure it asks again.\n"
    "For a real model: OPENAI_API_KEY=sk-... .venv/bin/python scripts/stack.py up --real-model"
)
_FRAMED = re.compile(r"<<<(RESPOSTA(?:_X)*)\n(.*)\n\1>>>\Z", re.DOTALL)
_REPAIR, _SUMMARY = "# Reparo de formato", "# Resumo operacional"


def answer(request: Mapping[str, Any]) -> str:
    """The text of the reply; a plain question gets a plain word.

    Raises ValueError for a prompt that is none of this project's.
    """
    if _is_plain(request.get("input")):
        return "ok"
    said = [text for _, text in messages(request)] or [""]
    if said[0].startswith(_SUMMARY):
        return summary(said[-1])
    if said[0].startswith(_REPAIR):
        framed = _FRAMED.search(said[-1])
        return repaired(framed[2] if framed else said[-1])
    return think(Reading(request))


def _is_plain(asked: object) -> bool:
    """A user's words alone: this project's prompts begin with instructions."""
    return isinstance(asked, str) or (isinstance(asked, list) and [each.get("role") for each in asked] == ["user"])
