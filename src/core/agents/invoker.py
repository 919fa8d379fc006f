"""`AgentInvoker`: the prompt, the agent's model, and the call."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol

from core.agents.prompt_assembly import Message, PromptAssembler
from core.application.ports import LLMClient
from core.domain.actions import Agent
from core.domain.agent_call import AgentAnswer, AgentRequest
from core.domain.catalogue.catalog import Catalog
from core.domain.prompts import PromptSet

_HASH_CHARS = 16


class AgentModels(Protocol):
    """Which model speaks for an agent (`ModelSettings`)."""

    def for_agent(self, agent: Agent) -> str: ...


class AgentInvokerImpl:
    """Stateless between calls; the parts of prompts that never change are rendered here, once."""

    def __init__(self, llm: LLMClient, prompts: PromptSet, catalog: Catalog, models: AgentModels) -> None:
        self._llm = llm
        self._models = {agent: models.for_agent(agent) for agent in Agent}
        self._assembler = PromptAssembler(prompts, catalog)
        self._prefixes = {agent: self._assembler.prefix(agent) for agent in Agent}

    def requested_model(self, agent: Agent) -> str:
        """The model that speaks for an agent."""
        return self._models[agent]

    def cache_key(self, agent: Agent) -> str:
        """Names the unchanging prefix, so that requests which share it meet the same cache. At most 64 characters."""
        return f"balcao:{agent.value}:{self._prefixes[agent].digest}"

    def invoke(self, request: AgentRequest, *, timeout_seconds: float) -> AgentAnswer:
        """One call. Raises `LLMError`, as `LLMClient.chat` does."""
        model = self._models[request.agent]
        messages = self._assembler.assemble(request)
        input_hash = self._input_hash(request.agent, messages)
        result = self._llm.chat(
            model=model,
            messages=messages,
            timeout_seconds=timeout_seconds,
            purpose=request.purpose,
            cache_key=self.cache_key(request.agent),
            safety_identifier=request.conversation or None,
        )
        return AgentAnswer(result=result, requested_model=model, input_hash=input_hash)

    def _input_hash(self, agent: Agent, messages: Sequence[Message]) -> str:
        """The same for the same words, whatever the model: the prefix enters by its own hash."""
        digest = hashlib.sha256(self._prefixes[agent].digest.encode())
        for message in messages[1:]:
            digest.update(f"\x1e{message['role']}\x1f{message['content']}".encode())
        return digest.hexdigest()[:_HASH_CHARS]
