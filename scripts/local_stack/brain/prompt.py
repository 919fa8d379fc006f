"""What a request for an agent says: who it is, what the company offers, what is known, what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .catalogue import Catalogue

_AGENT = re.compile(r"^# Agente: (\w+)$", re.MULTILINE)
_CATALOGUE = re.compile(r"^<catalogo>\n(.*)\n</catalogo>$", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^<resposta>(\{.*\})[^{}]*</resposta>$", re.MULTILINE)
_FACTS = re.compile(r"\A<fatos>\n(.*)\n</fatos>\Z", re.DOTALL)
_AS_WRITTEN = '{"s":1}'  # before each of our own lines
_PACKAGE = re.compile(r'^<pacote id="(\w+)">\n(.*?)\n</pacote>$', re.MULTILINE | re.DOTALL)
_PENDING = re.compile(r"\A<mensagens_do_cliente>\n(.*)\n</mensagens_do_cliente>\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"^\[(?:o cliente enviou|veio de um anúncio).*\]$", re.MULTILINE)


class Reading:
    """`text` is what the customer wrote; `media` whether something came that cannot be read.

    `missing` are what this stage still has to ask, each the fields of which one suffices. `last_said` is our last
    message, "" at the beginning; `turns` how many messages went before. Raises ValueError when the prompt is not an
    agent's.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        (_, static), *rest = messages(request) or [("", "")]
        agent = _AGENT.search(static)
        if agent is None or not _CATALOGUE.search(static):
            raise ValueError("the first message is no agent's prompt")
        ours = [text for role, text in rest if role == "system"]
        pending = next((found[1] for role, text in rest if role == "user" and (found := _PENDING.match(text))), "")
        self.agent = agent[1]
        self.catalogue = _catalogue(static)
        self.facts: dict[str, Any] = next((json.loads(found[1]) for text in ours if (found := _FACTS.match(text))), {})
        asked: list[str | list[str]] = self.facts.get("faltam", [])
        self.missing = [[each] if isinstance(each, str) else each for each in asked]
        self.known: dict[str, Any] = self.facts.get("conhecidos", {})
        self.declined = frozenset[str](self.facts.get("recusados", ()))
        self.packages: dict[str, str] = dict(package for text in ours for package in _PACKAGE.findall(text))
        self.text = _PLACEHOLDER.sub("", pending).strip()
        self.media = "[o cliente enviou" in pending
        said = next((text for role, text in reversed(rest) if role == "assistant"), "")
        self.last_said = said.removeprefix(_AS_WRITTEN)
        self.turns = len(rest)


def messages(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and text of each message of the input, whether its content is a text or a list of parts."""
    given = [(str(message.get("role", "user")), message.get("content", "")) for message in request.get("input", [])]
    return [(r, c if isinstance(c, str) else "\n".join(part.get("text", "") for part in c)) for r, c in given]


@lru_cache(maxsize=8)
def _catalogue(static: str) -> Catalogue:
    content, examples = _CATALOGUE.findall(static)[0], _EXAMPLE.findall(static)
    return Catalogue(json.loads(content), [json.loads(example) for example in examples])
