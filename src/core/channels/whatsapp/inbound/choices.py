"""Interactive replies: what was tapped or filled in, as the text the customer would have written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.channels.whatsapp.inbound.tolerant_json import as_list, as_object, as_text, read_object
from core.domain.errors import BadInputError

_FORM_CHARACTERS = 4000
_FORM_DEPTH = 4
_FORM_FIELDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`choice_id` is the id that we gave the button or row."""

    text: str = ""
    choice_id: str | None = None
    details: dict[str, str] = field(default_factory=dict)


def read_choice(body: Mapping[str, Any]) -> Choice:
    """A button, a list row or a form (flow); an empty choice for anything else."""
    for name in ("button_reply", "list_reply"):
        if reply := as_object(body.get(name)):
            return _read_tap(name, reply)
    if form := as_object(body.get("nfm_reply")):
        return _filled_in(form)
    other = as_text(body.get("type"), 64)
    return Choice(details={"interactive_type": other} if other else {})


def _read_tap(name: str, reply: Mapping[str, Any]) -> Choice:
    choice_id = as_text(reply.get("id"))
    description = as_text(reply.get("description"))
    details = {"interactive_type": name} | ({"description": description} if description else {})
    return Choice(text=as_text(reply.get("title")) or choice_id or "", choice_id=choice_id, details=details)


def _filled_in(form: Mapping[str, Any]) -> Choice:
    name = as_text(form.get("name"), 128)
    details = {"interactive_type": "nfm_reply"} | ({"form": name} if name else {})
    answers = "; ".join(f"{key}: {value}" for key, value in _answers(form.get("response_json")))
    text = f"Formulário respondido: {answers}" if answers else as_text(form.get("body")) or ""
    return Choice(text=text[:_FORM_CHARACTERS], details=details)


def _answers(response: Any) -> list[tuple[str, str]]:
    try:
        found = read_object(response) if isinstance(response, (str, Mapping)) else {}
    except BadInputError:
        raw = as_text(response, _FORM_CHARACTERS)
        return [("resposta", raw)] if raw else []
    pairs = [pair for pair in _flat("", found, _FORM_DEPTH) if pair[0] != "flow_token"]
    return pairs[:_FORM_FIELDS]


def _flat(prefix: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and depth:
        for key, inner in value.items():
            name = as_text(key, 128) or "?"
            yield from _flat(f"{prefix}.{name}" if prefix else name, inner, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        written = [text for _, text in (pair for inner in as_list(value) for pair in _flat("", inner, depth - 1))]
        if written:
            yield prefix, ", ".join(written)
    elif (text := _leaf(value)) is not None:
        yield prefix, text


def _leaf(value: Any) -> str | None:
    if isinstance(value, bool):
        return "sim" if value else "não"
    return str(value) if isinstance(value, float) else as_text(value)
