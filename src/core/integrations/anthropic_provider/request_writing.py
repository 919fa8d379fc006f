"""A request as the Messages API wants it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.domain.llm import ModelRequest
from core.integrations.anthropic_provider.families import least_thinking, takes_schemas

# The API asks for a limit; this is a deployment's default.
MAX_TOKENS = 1200
# Where no message of the customer comes first, the API still wants one of theirs.
_BEFORE_THE_FIRST = "(início da conversa)"
_AS_JSON = (
    "Responda somente com um objeto JSON que siga este esquema, sem nada antes nem depois dele e sem cercas de código:"
)


def write_request(request: ModelRequest, *, max_tokens: int) -> dict[str, Any]:
    """Instructions that lead are `system`, of which the first is cached where it has a name; later ones are the
    user's, in a tag: the API knows no others.
    """
    system, messages = _split(request.messages)
    if request.cache_key and system:
        system[0]["cache_control"] = {"type": "ephemeral"}
    body: dict[str, Any] = {"model": request.model, "max_tokens": max_tokens, "messages": messages}
    body |= least_thinking(request.model)
    if request.output_schema:
        schema = request.output_schema["schema"]
        if takes_schemas(request.model):
            held = {"format": {"type": "json_schema", "schema": schema}}
            body["output_config"] = {**body.get("output_config", {}), **held}
        else:
            system.append(_text(_preamble(schema)))
    if system:
        body["system"] = system
    if request.safety_identifier:
        body["metadata"] = {"user_id": request.safety_identifier}
    return body


def _split(messages: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    system: list[dict[str, Any]] = []
    spoken: list[dict[str, Any]] = []
    for message in messages:
        role, text = message["role"], message["content"]
        if not text.strip():
            continue  # the API refuses empty blocks
        if role in ("system", "developer"):
            if not spoken:
                system.append(_text(text))
                continue
            role, text = "user", f"<sistema>\n{text}\n</sistema>"
        if not spoken and role == "assistant":
            spoken.append({"role": "user", "content": [_text(_BEFORE_THE_FIRST)]})
        if spoken and spoken[-1]["role"] == role:
            spoken[-1]["content"].append(_text(text))
        else:
            spoken.append({"role": role, "content": [_text(text)]})
    return system, spoken


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _preamble(schema: Mapping[str, Any]) -> str:
    return f"{_AS_JSON}\n{json.dumps(schema, ensure_ascii=False)}"
