"""A person of the company takes a conversation, answers and hands it back, through the attendants' API."""

from __future__ import annotations

import time
from typing import Any

from local_stack.errors import StackError
from local_stack.stack import Stack

from .transcript import Transcript

_TITLE = "uma pessoa assume, responde e devolve"
_FIRST, _SECOND = (
    "Oi, aqui é da equipe. Já vi o que você pediu.",
    "Fica combinado assim; qualquer coisa, é só escrever.",
)
_AGREED = "a equipe retorna ainda hoje"
_ARRIVES_SECONDS = 15.0


def play_attendance(stack: Stack, show: Transcript) -> None:
    """With whoever waits longest; nothing where nobody waits. Raises `StackError` when it does not end as it must."""
    waiting = [item for item in _call(stack, "GET", "/queue")["items"] if item["state"] == "waiting"]
    if not waiting:
        return
    show.title(_TITLE)
    item = waiting[0]
    home = f"/conversations/{item['id']}"
    opened = _call(stack, "GET", home)
    show.note(f"na fila: {item['name'] or 'cliente'}, {item['reason_text']}")
    if opened["card"]:
        show.note(f"ficha: {opened['card']['summary'] or opened['card']['reason_text']}")
    _call(stack, "POST", f"{home}/take", {})
    for number, text in enumerate((_FIRST, _SECOND), start=1):
        _call(stack, "POST", f"{home}/reply", {"client_id": f"demo-{number}-{time.time_ns()}", "text": text})
        show.answered([text], name="equipe")
    _wait_for(stack, [_FIRST, _SECOND])
    back = _call(stack, "POST", f"{home}/hand-back", {"agreed": _AGREED})["item"]
    if back["state"] != "bot":
        raise StackError(f"scene {_TITLE!r}: the assistant does not have the conversation again")
    show.note(f"devolvida ao assistente, com o que ficou combinado: {_AGREED}")


def _wait_for(stack: Stack, texts: list[str]) -> None:
    """Both answers, in order, as WhatsApp took them."""
    ends = time.monotonic() + _ARRIVES_SECONDS
    while time.monotonic() < ends:
        said = [each["text"] for each in stack.outbox() if each.get("text") in texts]
        if said == texts:
            return
        time.sleep(0.2)
    raise StackError(f"scene {_TITLE!r}: the answers did not reach WhatsApp in order")


def _call(stack: Stack, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    reply = stack.attend(method, path, body)
    if reply.status != 200:
        raise StackError(
            f"scene {_TITLE!r}: {method} {path} answers HTTP {reply.status}", next_step="scripts/stack.py logs"
        )
    answer: dict[str, Any] = reply.json()
    return answer
