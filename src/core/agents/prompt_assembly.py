"""What an agent is told, in the order of docs/turn.md, step 6: what never changes first, the customer's words last.

The first message is byte-identical from turn to turn for one agent: the provider's prompt cache lives on that.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from core.agents.catalog_text import catalog_text
from core.agents.envelope import as_spoken
from core.agents.facts import facts_text
from core.agents.untrusted_text import as_data
from core.domain.actions import Agent
from core.domain.agent_call import AgentRequest, HistoryLine
from core.domain.catalogue.catalog import PREVIOUS_SESSION, Catalog
from core.domain.prompts import PromptSet

Message = dict[str, Any]
_HASH_CHARS = 16
# Our own lines as an agent must write them: bare text would teach bare text.
_AS_WRITTEN = '{"s":1}'


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticPrefix:
    """An agent's unchanging first message and the hash that names it."""

    text: str
    digest: str


class PromptAssembler:
    """Renders once, at start-up, whatever does not depend on the conversation."""

    def __init__(self, prompts: PromptSet, catalog: Catalog, *, in_schema: bool = False) -> None:
        """`in_schema`: a schema holds the replies, and our own lines are shown as one."""
        self._catalog = catalog
        self._in_schema = in_schema
        self._prefixes = {agent: _prefix(prompts, agent, catalog_text(catalog, agent)) for agent in Agent}
        self._packages = {
            package.id: _package(package.id, prompts.packages.get(package.id, "")) for package in catalog.packages
        }
        reminder = prompts.schema_reminder if in_schema else prompts.reminder
        self._reminder: Message = {"role": "system", "content": reminder}

    def prefix(self, agent: Agent) -> StaticPrefix:
        """The first message's text for an agent."""
        return self._prefixes[agent]

    def assemble(self, request: AgentRequest) -> list[Message]:
        """What is sent: instructions, packages, facts, history, the messages to answer."""
        messages: list[Message] = [{"role": "system", "content": self._prefixes[request.agent].text}]
        if request.packages and (packages := self._packages_text(request)):
            messages.append({"role": "system", "content": packages})
        messages.append({"role": "system", "content": facts_text(request, self._catalog)})
        messages.extend(self._history_message(line) for line in request.history)
        messages.append(self._reminder)
        pending = f"<mensagens_do_cliente>\n{as_data(request.pending_text)}\n</mensagens_do_cliente>"
        messages.append({"role": "user", "content": pending})
        return messages

    def _packages_text(self, request: AgentRequest) -> str:
        """The packages asked for, in the catalogue's order, whatever the order of asking."""
        texts = (
            _package(name, as_data(request.previous_session or "Não há conversa anterior."))
            if name == PREVIOUS_SESSION
            else text
            for name, text in self._packages.items()
            if name in request.packages
        )
        return "\n\n".join(texts)

    def _history_message(self, line: HistoryLine) -> Message:
        """The customer is `user` and we are `assistant`; a colleague and our notes are told apart by their tags."""
        if line.role == "user":
            return {"role": "user", "content": as_data(line.text)}
        if line.role == "assistant":
            return {
                "role": "assistant",
                "content": as_spoken(line.text) if self._in_schema else _AS_WRITTEN + line.text,
            }
        tag = "atendente" if line.role == "human" else "nota"
        return {"role": "system", "content": f"<{tag}>{as_data(line.text)}</{tag}>"}


def assemble(request: AgentRequest, prompts: PromptSet, catalog: Catalog) -> list[Message]:
    """One prompt from scratch, for scripts and tests; a process that answers keeps a `PromptAssembler`."""
    return PromptAssembler(prompts, catalog).assemble(request)


def _prefix(prompts: PromptSet, agent: Agent, catalog: str) -> StaticPrefix:
    text = "\n\n".join((prompts.contract, prompts.agents[agent], prompts.examples[agent], catalog))
    return StaticPrefix(text=text, digest=hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS])


def _package(name: str, text: str) -> str:
    return f'<pacote id="{name}">\n{text}\n</pacote>'
