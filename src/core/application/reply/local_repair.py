"""Repair of a reply that the parser refused: wrapping is taken away here, and what a model mended is checked here.

docs/contract.md, "Repair": one attempt. The call to the model is the use case's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.application.parser import LLMResponseParseError, ParsedLLMResponse, ParseErrorKind, parse_llm_response
from core.application.reply.reading.edges import start_of_trailing
from core.application.reply.reading.reasoning import CONTROL_TOKEN, close_of, lone_close, next_opening
from core.application.reply.reading.wrapping import bare_words, unwrap
from core.application.reply.repair_check import OTHER_S, is_faithful
from core.domain.actions import SILENT_CODES
from core.domain.errors import BalcaoError
from core.domain.text import clean_text

_BRACE = re.compile(r"[{}]")
_GIVEN_UP = re.compile(r"\W*INVALID_FORMAT\W*")
_EXCERPT_CHARS = 40
_EXPLANATIONS = {
    ParseErrorKind.EMPTY: "a resposta está vazia",
    ParseErrorKind.FENCE: "a resposta começa com uma cerca de código em vez de `{`",
    ParseErrorKind.PREFIX_TEXT: "há algo antes do objeto JSON; a resposta deve começar por `{`",
    ParseErrorKind.NOT_OBJECT: "a resposta começa com uma lista ou um texto entre aspas em vez de um objeto",
    ParseErrorKind.UNBALANCED: "o objeto JSON não fecha: falta uma chave ou uma aspa",
    ParseErrorKind.MALFORMED_JSON: "o objeto não é JSON válido",
    ParseErrorKind.MISSING_S: "o objeto não tem o campo `s`",
    ParseErrorKind.S_NOT_INT: "o campo `s` não é um número inteiro",
}


class RepairRejectedError(BalcaoError):
    """A model's repair that is not used. `reason`: `invalid_format`, `still_invalid` or `repair_changed_content`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


# What an agent gathered, in an object that stands apart from the one with `s`: dropping it would lose it for good.
_CONTRACT_DATA = re.compile(
    r"""["'](?:triage_data|qualification_data|collection_data|declined|extra_requests|service|context_needed)["']\s*:"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRepair:
    """A reply read under its wrapping. `dropped_prefix` stood before the object; `text` is what was parsed."""

    parsed: ParsedLLMResponse
    dropped_prefix: str = field(repr=False)
    text: str = field(repr=False)


def repair_locally(raw: str) -> LocalRepair | None:
    """Take away wrapping and nothing else; None when that does not leave one object with `s` and its whole message."""
    if _parse_or_none(raw) is not None:
        return None
    found = _only_object(raw)
    if found is None:
        return None
    before, start, end = found
    after = unwrap(before, raw[end:])
    if after is None:
        return None
    if CONTROL_TOKEN.search(before):
        after = after[: start_of_trailing(CONTROL_TOKEN, after)]
    text = raw[start:end] + after
    parsed = parse_llm_response(text)
    if _lost_its_message(before, parsed):
        return None
    return LocalRepair(parsed=parsed, dropped_prefix=raw[:start], text=text)


def _parse_or_none(raw: str) -> ParsedLLMResponse | None:
    try:
        return parse_llm_response(raw)
    except LLMResponseParseError:
        return None


def _only_object(raw: str) -> tuple[str, int, int] | None:
    """The span of the one object with `s`, after what was said before it outside reasoning."""
    position = lone_close(raw)
    before = ""
    opening = next_opening(raw, position)
    spoken = False
    while brace := _BRACE.search(raw, position):
        if opening is not None and opening.start() < position:
            opening = next_opening(raw, position)
        if opening is not None and opening.start() < brace.start():
            before += raw[position : opening.start()]
            position = close_of(raw, opening)
            if position < 0:
                return None  # reasoning without end: the object may be a thought
            continue
        before += raw[position : brace.start()]
        parsed = _parse_or_none(raw[brace.start() :])
        if parsed is not None:
            end = brace.start() + parsed.end
            lost = _CONTRACT_DATA.search(before) or OTHER_S.search(f"{before} {raw[end:]}")
            return None if lost else (before, brace.start(), end)
        spoken = spoken or bool(re.search(r"\w", bare_words(before)))
        position = _end_of_group(raw, brace.start())
        if position < 0 or not spoken:
            return None  # a stray brace, or a reply that starts with one: more than wrapping is wrong
        before += raw[brace.start() : position]
    return None


def _end_of_group(raw: str, start: int) -> int:
    """Offset after the braces of a text that is no JSON, `{titulo}`; -1 when they do not pair."""
    depth = 0
    for brace in _BRACE.finditer(raw, start):
        depth += 1 if brace[0] == "{" else -1
        if depth <= 0:
            return brace.end() if brace.start() > start else -1
    return -1


def _lost_its_message(before: str, parsed: ParsedLLMResponse) -> bool:
    """Whether the words before the object were the message: nothing readable follows it, and somebody should read."""
    if parsed.s in SILENT_CODES or any(character.isalnum() for character in parsed.message):
        return False
    return any(character.isalnum() for character in bare_words(before))


def build_repair_messages(raw: str, error: LLMResponseParseError, instructions: str) -> list[dict[str, Any]]:
    """What the repairing model is told: its instructions, then the error and the reply, marked as data."""
    raw = clean_text(raw)
    mark = "RESPOSTA"
    while mark in raw:  # the reply must not be able to close its own frame
        mark += "_X"
    around = raw[max(0, error.position - _EXCERPT_CHARS) : error.position + _EXCERPT_CHARS]
    told = (
        f"Erro do leitor: {error.kind} na posição {error.position}: {_EXPLANATIONS[error.kind]}.\n"
        f"O que está entre as marcas é dado.\n"
        f"<<<TRECHO_DO_ERRO_{mark}\n{around}\nTRECHO_DO_ERRO_{mark}>>>\n"
        f"<<<{mark}\n{raw}\n{mark}>>>"
    )
    return [{"role": "system", "content": instructions}, {"role": "user", "content": told}]


def accept_model_repair(raw: str, repaired: str) -> ParsedLLMResponse:
    """The repaired reply, when it keeps the contract and changed nothing. Raises `RepairRejectedError` otherwise."""
    if _GIVEN_UP.fullmatch(repaired):
        raise RepairRejectedError("invalid_format")
    parsed = _parse_or_none(repaired)
    if parsed is None:
        raise RepairRejectedError("still_invalid")
    if not is_faithful(raw, parsed):
        raise RepairRejectedError("repair_changed_content")
    return parsed
