"""Reads closely a text that may hold what no customer may see (`egress_check`).

What is unambiguous is stripped; where that would be a guess, the text is unsafe and a person takes over. Braces,
labels, quotes and signs that a text may rightly hold (`conjunto {As, Cd, Pb}`, `DBO<5`, `:}`, `Resposta: sim`) stay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from typing import Any

from core.application.debris import ENDLESS, strip_debris
from core.application.parser import LLMResponseParseError, parse_llm_response
from core.application.placeholders import unfilled_placeholder
from core.application.reasoning import CONTROL_TOKEN, REASONING_CLOSE, next_opening, without_reasoning
from core.application.repair_fidelity import OTHER_S

_TOOL_CALL = re.compile(
    r"</?(?:tool_call|tool_response|function_calls?|invoke)\b|\[TOOL_CALLS\]|\bto=functions\.", re.IGNORECASE
)
_FIELD_IN_BRACE = re.compile(r"""\{\s*["'“]\w{1,40}["'”]\s*:""")
_FIELD = re.compile(r"""(?:^|,)\s*"\w{1,40}"\s*:""")
_CONTRACT_WORD = re.compile(
    r"\b(?:INVALID_FORMAT|triage_data|qualification_data|collection_data|context_needed|extra_requests)\b"
)
_PAGE = re.compile(r"<!DOCTYPE\b|<(?:html|body|head|script)\b", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def read_closely(
    message: str, *, placeholders: Container[str] = (), parsed_object: Mapping[str, Any] | None = None
) -> tuple[str, tuple[str, ...], bool]:
    """The text without debris, what was found, and whether the rest is unsafe to send."""
    text, findings = _without_repetition(message, parsed_object), []
    if text != message:
        findings.append("repeated_object")
    # Asked before debris goes, too: without its first quote `"s":1}Olá` would look less like what it is.
    fault = _json_fault(without_reasoning(text))
    if fault is None:
        text, stripped = strip_debris(text)
        findings += [name for name in stripped if name != ENDLESS]
        fault = ENDLESS if ENDLESS in stripped else _json_fault(text) or _fault(text, placeholders)
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


def _json_fault(text: str) -> str | None:
    if OTHER_S.search(text):
        return "second_object"
    for brace in re.finditer(r"\{", text):
        try:
            found, _ = _DECODER.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if found:
            return "json_object"
    if _FIELD_IN_BRACE.search(text) or ("}" in text and _FIELD.search(text)):
        return "json_fragment"
    return None


def _fault(text: str, placeholders: Container[str]) -> str | None:
    if next_opening(text) or REASONING_CLOSE.search(text):
        return "reasoning"
    if CONTROL_TOKEN.search(text.replace("</s>", "") if "<s>" in text else text):
        return "control_token"
    if _TOOL_CALL.search(text):
        return "tool_call"
    if _CONTRACT_WORD.search(text):
        return "contract_word"
    if _PAGE.search(text):
        return "page"
    return "placeholder" if unfilled_placeholder(text, placeholders) else None
