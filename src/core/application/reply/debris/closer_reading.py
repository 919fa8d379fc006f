"""Reads closely a text that may hold what no customer may see (`egress_check`).

What is unambiguous is stripped; where that would be a guess, the text is unsafe and a person takes over. Braces,
labels, quotes and signs that a text may rightly hold (`conjunto {As, Cd, Pb}`, `DBO<5`, `:}`, `Resposta: sim`) stay.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.reply.debris.inner_words import inner_word
from core.application.reply.debris.known_debris import ENDLESS, strip_debris
from core.application.reply.debris.spoken_json import json_fault
from core.application.reply.placeholders import unfilled_placeholder
from core.application.reply.reading.reasoning import CONTROL_TOKEN, REASONING_CLOSE, next_opening, without_reasoning

_TOOL_CALL = re.compile(
    r"</?(?:tool_call|tool_response|function_calls?|invoke)\b|\[TOOL_CALLS\]|\bto=functions\.", re.IGNORECASE
)
_CONTRACT_WORD = re.compile(
    r"\b(?:INVALID_FORMAT|triage_data|qualification_data|collection_data|context_needed|extra_requests)\b"
)
_LOST_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F][0-9a-fA-F]{2}|00[01][0-9a-fA-F])(?![0-9a-zA-Z])")
_PAGE = re.compile(r"<!DOCTYPE\b|<(?:html|body|head|script)\b", re.IGNORECASE)
_FAULTS = {
    "tool_call": _TOOL_CALL,
    "contract_word": _CONTRACT_WORD,
    "page": _PAGE,
    "escape": _LOST_ESCAPE,
}


def read_closely(
    message: str, *, placeholders: Container[str] = (), parsed_object: Mapping[str, Any] | None = None
) -> tuple[str, tuple[str, ...], bool]:
    """The text without debris, what was found, and whether the rest is unsafe to send."""
    text, findings = _without_repetition(message, parsed_object), []
    if text != message:
        findings.append("repeated_object")
    # Asked before debris goes, too: without its first quote `"s":1}Olá` would look less like what it is.
    fault = json_fault(without_reasoning(text), placeholders)
    if fault is None:
        text, stripped = strip_debris(text, placeholders)
        findings += [name for name in stripped if name != ENDLESS]
        fault = ENDLESS if ENDLESS in stripped else json_fault(text, placeholders) or _fault(text, placeholders)
    if fault is not None:
        findings.append(fault)
    return text, tuple(findings), fault is not None


def _without_repetition(message: str, parsed_object: Mapping[str, Any] | None) -> str:
    """The message after the reply's own object, as often as it is said again before the text."""
    while parsed_object is not None:
        try:
            again = parse_llm_response(message)
        except LLMResponseParseError:
            break
        if again.json_part != parsed_object:
            break
        message = again.message
    return message


def _fault(text: str, placeholders: Container[str]) -> str | None:
    if next_opening(text) or REASONING_CLOSE.search(text):
        return "reasoning"
    if _has_control_token(text):
        return "control_token"
    for name, pattern in _FAULTS.items():
        if pattern.search(text):
            return name
    return inner_word(text, placeholders) or ("placeholder" if unfilled_placeholder(text, placeholders) else None)


def _has_control_token(text: str) -> bool:
    """Whether one is left; `<s>` and `</s>` in a pair strike words out."""
    opened = text.count("<s>")
    return opened > text.count("</s>") or bool(CONTROL_TOKEN.search(text.replace("</s>", "") if opened else text))
