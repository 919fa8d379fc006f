"""What a repairing model is told, and whether what it gives back says what the broken reply said."""

from __future__ import annotations

import re
from typing import Any

from core.application.parser import LLMResponseParseError, ParsedLLMResponse, ParseErrorKind, parse_llm_response
from core.application.reply.tolerant_reading import identity, read_tolerantly
from core.domain.errors import BalcaoError
from core.domain.text import clean_text

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
    try:
        parsed = parse_llm_response(repaired)
    except LLMResponseParseError:
        raise RepairRejectedError("still_invalid") from None
    if not _changed_nothing(raw, parsed):
        raise RepairRejectedError("repair_changed_content")
    return parsed


def _changed_nothing(raw: str, repaired: ParsedLLMResponse) -> bool:
    """Whether it is one of the ways in which the reply can be read, white space in the message aside.

    Which of two different objects was meant is for nobody to pick but the agent.
    """
    reading = read_tolerantly(raw)
    return reading.objects == 1 and any(
        identity(each.content) == identity(repaired.json_part) and each.message.split() == repaired.message.split()
        for each in reading.candidates
    )
