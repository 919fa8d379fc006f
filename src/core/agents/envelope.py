"""A reply that a schema holds, and how it becomes `{JSON}Mensagem` (docs/contract.md, "JSON mode").

Nothing is judged here: what cannot be rendered without a guess is left as it is, and the strict parser says what is
wrong with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from core.application.actions.payloads import PAYLOADS
from core.domain.actions import DATA_KEYS, Agent

CODE, DATA, MESSAGE = "s", "dados", "mensagem"
FIELD, VALUE = "campo", "valor"
_TEXTS = ("service", "segment", "reason", "rationale")
_LISTS = ("context_needed", "declined", "extra_requests", "citations")
# Texts hold numbers and dates too; a list would be one union more, and schemas may hold few.
_VALUE_TYPES = ("string", "number", "boolean")


@cache
def reply_schema(agent: Agent) -> Mapping[str, Any]:
    """Every key is required, since not all providers know optional ones; the text to the customer is written last."""
    text: Mapping[str, Any] = {"type": "string"}
    texts: Mapping[str, Any] = {"type": "array", "items": text}
    value = {"anyOf": [{"type": each} for each in _VALUE_TYPES]}
    properties: dict[str, Any] = {
        CODE: {"type": "integer", "enum": sorted(int(code) for code in PAYLOADS[agent])},
        DATA: {"type": "array", "items": _object({FIELD: text, VALUE: value})},
        "agent": {"type": "string", "enum": ["", *(each.value for each in Agent)]},
        **dict.fromkeys(_TEXTS, text),
        **dict.fromkeys(_LISTS, texts),
        MESSAGE: text,
    }
    return {"name": f"reply_{agent.value}", "schema": _object(properties)}


def render(raw: str, agent: Agent) -> str:
    """`{JSON}Mensagem` out of an envelope, whatever wraps it; anything else as it is. Never raises."""
    envelope = _read(raw)
    if envelope is None:
        return raw
    own = {key: value for key, value in envelope.items() if key not in (DATA, MESSAGE) and value not in ("", None, [])}
    members = [_member(key, value) for key, value in own.items()]
    if data := dict.fromkeys(_member(each[FIELD], each[VALUE]) for each in envelope[DATA]):
        # said twice alike it is said once; a field of two values stands there twice, and the parser refuses it
        members.append(f"{json.dumps(DATA_KEYS[list(Agent).index(agent)])}:{{{','.join(data)}}}")
    return f"{{{','.join(members)}}}{envelope[MESSAGE]}"


def as_spoken(text: str) -> str:
    """Our own lines as an agent must write them, in an envelope."""
    return json.dumps({CODE: 1, MESSAGE: text}, ensure_ascii=False)


def _read(raw: str) -> dict[str, Any] | None:
    """The envelope: the text as it stands, else what one tolerant reading gives of it."""
    try:
        read = json.loads(raw, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError):
        read = _read_tolerantly(raw) if f'"{MESSAGE}"' in raw else None
    return read if _is_envelope(read) else None


def _read_tolerantly(raw: str) -> dict[str, Any] | None:
    from core.application.reply.tolerant_reading import read_tolerantly

    candidates = read_tolerantly(raw).candidates
    return {**candidates[0].content, MESSAGE: candidates[0].message} if len(candidates) == 1 else None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("duplicate key")
    return read


def _is_envelope(read: Any) -> bool:
    if not isinstance(read, dict) or CODE not in read or not isinstance(read.get(MESSAGE), str):
        return False
    data = read.setdefault(DATA, [])
    return isinstance(data, list) and all(
        isinstance(each, dict) and isinstance(each.get(FIELD), str) and VALUE in each for each in data
    )


def _member(name: str, value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"{json.dumps(name, ensure_ascii=False)}:{written}"


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
