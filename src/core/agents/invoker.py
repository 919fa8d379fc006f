"""`AgentInvoker`: the prompt, the agent's model, and the call."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from core.agents.envelope import render, reply_schema
from core.agents.prompt_assembly import Message, PromptAssembler
from core.application.ports import LLMClient
from core.domain.actions import Agent
from core.domain.agent_call import AgentAnswer, AgentRequest
from core.domain.catalogue.catalog import Catalog
from core.domain.llm import ModelRoute
from core.domain.prompts import PromptSet

_HASH_CHARS = 16


class AgentModels(Protocol):
    """Which models speak for an agent, in order, and whether a schema holds what they say (`ModelSettings`)."""

    @property
    def in_schema(self) -> bool: ...

    def route_for_agent(self, agent: Agent) -> ModelRoute: ...


class AgentInvokerImpl:
    """Stateless between calls; the parts of prompts that never change are rendered here, once."""

    def __init__(self, llm: LLMClient, prompts: PromptSet, catalog: Catalog, models: AgentModels) -> None:
        self._llm = llm
        self._routes = {agent: models.route_for_agent(agent) for agent in Agent}
        self._in_schema = models.in_schema
        self._assembler = PromptAssembler(prompts, catalog, in_schema=models.in_schema)
        self._prefixes = {agent: self._assembler.prefix(agent) for agent in Agent}

    def requested_model(self, agent: Agent) -> str:
        """The model that speaks for an agent while its provider is there."""
        return self._routes[agent][0].model

    def cache_key(self, agent: Agent) -> str:
        """Names the unchanging prefix, so that requests which share it meet the same cache. At most 64 characters."""
        return f"balcao:{agent.value}:{self._prefixes[agent].digest}"

    def invoke(self, request: AgentRequest, *, timeout_seconds: float) -> AgentAnswer:
        """One call. Raises `LLMError`, as `LLMClient.chat` does."""
        route = self._routes[request.agent]
        model = route[0].model
        messages = self._assembler.assemble(request)
        input_hash = self._input_hash(request.agent, messages)
        result = self._llm.chat(
            model=model,
            messages=messages,
            timeout_seconds=timeout_seconds,
            purpose=request.purpose,
            cache_key=self.cache_key(request.agent),
            safety_identifier=request.conversation or None,
            output_schema=reply_schema(request.agent) if self._in_schema else None,
            route=route,
        )
        if self._in_schema:
            result = replace(result, raw_response=render(result.raw_response, request.agent))
        return AgentAnswer(result=result, requested_model=model, input_hash=input_hash)

    def _input_hash(self, agent: Agent, messages: Sequence[Message]) -> str:
        """The same for the same words, whatever the model: the prefix enters by its own hash."""
        digest = hashlib.sha256(self._prefixes[agent].digest.encode())
        for message in messages[1:]:
            digest.update(f"\x1e{message['role']}\x1f{message['content']}".encode())
        return digest.hexdigest()[:_HASH_CHARS]
