"""Repair of a reply without a call: where it can be read in exactly one way, it is written again as the contract asks.

docs/contract.md, "Repair". The call to a model is the use case's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from core.application.parser import LLMResponseParseError, ParsedLLMResponse, parse_llm_response
from core.application.reply.repair_check import RepairRejectedError, accept_model_repair, build_repair_messages
from core.application.reply.tolerant_reading import read_tolerantly
from core.domain.actions import SILENT_CODES

__all__ = ["RepairRejectedError", "accept_model_repair", "build_repair_messages", "model_may_pick", "repair_locally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRepair:
    """A reply read under its wrapping. `dropped_prefix` stood before the object and is never sent."""

    parsed: ParsedLLMResponse
    dropped_prefix: str = field(repr=False)


def repair_locally(raw: str) -> LocalRepair | None:
    """None where nothing is to be mended, where there is no single reading, and where it has nobody to say anything to.

    Also mends what the strict parser takes and misreads: `{"s":1,"mensagem":"Olá"}`, `{"s":1}}],Olá`.
    """
    reading = read_tolerantly(raw)
    if len(reading.candidates) != 1:
        return None
    read = reading.candidates[0]
    if read.content["s"] not in SILENT_CODES and not any(character.isalnum() for character in read.message):
        return None
    parsed = _parsed(json.dumps(read.content, ensure_ascii=False) + read.message)
    if parsed is None or parsed == _parsed(raw):
        return None
    return LocalRepair(parsed=parsed, dropped_prefix=reading.dropped_prefix)


def model_may_pick(raw: str) -> bool:
    """Whether one object with `s` can be read in several ways, so that a model may say which was meant."""
    reading = read_tolerantly(raw)
    return reading.objects == 1 and len(reading.candidates) > 1


def _parsed(text: str) -> ParsedLLMResponse | None:
    try:
        return parse_llm_response(text)
    except LLMResponseParseError:
        return None
