"""Faithful to `AgentInvoker`: raises only what `LLMClient` raises, and an unscripted call is the test's mistake."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from core.domain.actions import Agent
from core.domain.agent_call import AgentAnswer, AgentRequest
from tests.fakes.llm_client import result_of

Reply = str | Exception | Callable[[AgentRequest], str]


class FakeAgentInvoker:
    """Answers raw replies in order. `requests` is what the agents were told; `calls` how often they were asked."""

    def __init__(self, *replies: Reply, model: str = "gpt-5.6-luna") -> None:
        self.requests: list[AgentRequest] = []
        self._model = model
        self._script: deque[Reply] = deque(replies)
        self._interruption: Callable[[], Any] | None = None
        self._interruptions_left = 0

    @property
    def calls(self) -> int:
        return len(self.requests)

    def script(self, *replies: Reply) -> None:
        """Further answers."""
        self._script.extend(replies)

    def before_answer(self, happens: Callable[[], Any], *, times: int = 1) -> None:
        """Something that happens while the model thinks, in each of the next calls."""
        self._interruption, self._interruptions_left = happens, times

    def requested_model(self, agent: Agent) -> str:
        return self._model

    def invoke(self, request: AgentRequest, *, timeout_seconds: float) -> AgentAnswer:
        assert self._script, "the script holds no further reply"
        self.requests.append(request)
        reply = self._script.popleft()
        if self._interruption is not None and self._interruptions_left > 0:
            self._interruptions_left -= 1
            self._interruption()
        if isinstance(reply, Exception):
            raise reply
        raw = reply if isinstance(reply, str) else reply(request)
        input_hash = f"hash-{len(self.requests)}"
        return AgentAnswer(result=result_of(raw, model=self._model), requested_model=self._model, input_hash=input_hash)
