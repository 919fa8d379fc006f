"""What a request for an agent says: who it is, what the company offers, what is known, what was said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .catalogue import Catalogue

_AGENT = re.compile(r"^# Agente: (\w+)$", re.MULTILINE)
_CATALOGUE = re.compile(r"^<catalogo>\n(.*)\n</catalogo>$", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^<resposta>(\{.*\})[^{}]*</resposta>$", re.MULTILINE)
_FACTS = re.compile(r"\A<fatos>\n(.*)\n</fatos>\Z", re.DOTALL)
_PACKAGE = re.compile(r'^<pacote id="(\w+)">\n(.*?)\n</pacote>$', re.MULTILINE | re.DOTALL)
_PENDING = re.compile(r"\A<mensagens_do_cliente>\n(.*)\n</mensagens_do_cliente>\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"^\[(?:o cliente enviou|veio de um anúncio).*\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """`text` is what the customer wrote; `media` whether something came that cannot be read."""

    agent: str
    catalogue: Catalogue
    facts: Mapping[str, Any]
    text: str
    media: bool
    packages: Mapping[str, str]
    history: tuple[tuple[str, str], ...]
    known: Mapping[str, Any] = field(init=False)
    declined: frozenset[str] = field(init=False)
    last_said: str = field(init=False)

    def __post_init__(self) -> None:
        said = (text for role, text in reversed(self.history) if role == "assistant")
        object.__setattr__(self, "known", self.facts.get("conhecidos", {}))
        object.__setattr__(self, "declined", frozenset(self.facts.get("recusados", ())))
        object.__setattr__(self, "last_said", next(said, ""))

    @property
    def begins(self) -> bool:
        """Whether nothing was said by us yet."""
        return not self.last_said

    @property
    def seed(self) -> tuple[object, ...]:
        """What wordings are chosen by."""
        return self.text, len(self.history)


def messages(request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Role and text of each message of the input, whether its content is a text or a list of parts."""
    asked = request.get("input", [])
    for message in [{"role": "user", "content": asked}] if isinstance(asked, str) else asked:
        content = message.get("content", "")
        if not isinstance(content, str):
            content = "\n".join(part.get("text", "") for part in content)
        yield str(message.get("role", "user")), content


def read_prompt(request: Mapping[str, Any]) -> Reading:
    """Raises ValueError when the prompt is not an agent's."""
    static, *rest = [text for _, text in messages(request)] or [""]
    roles = [role for role, _ in messages(request)][1:]
    agent, catalogue = _AGENT.search(static), _CATALOGUE.search(static)
    if agent is None or catalogue is None:
        raise ValueError("the first message is no agent's prompt")
    facts: dict[str, Any] = {}
    packages: dict[str, str] = {}
    history: list[tuple[str, str]] = []
    pending = ""
    for role, text in zip(roles, rest, strict=True):
        if role == "system":
            packages.update(_PACKAGE.findall(text))
            facts.update(json.loads(found[1]) if (found := _FACTS.match(text)) else {})
        elif role == "user" and (found := _PENDING.match(text)):
            pending = found[1]
        else:
            history.append((role, text))
    return Reading(
        agent=agent[1],
        catalogue=_catalogue(static),
        facts=facts,
        text=_PLACEHOLDER.sub("", pending).strip(),
        media="[o cliente enviou" in pending,
        packages=packages,
        history=tuple(history),
    )


@lru_cache(maxsize=8)
def _catalogue(static: str) -> Catalogue:
    content = next(iter(_CATALOGUE.findall(static)))
    return Catalogue(json.loads(content), [json.loads(example) for example in _EXAMPLE.findall(static)])
