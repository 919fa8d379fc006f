"""The local stack's model without HTTP: faithful because it answers from the very prompt that would be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.domain.llm import LLMCallResult
from scripts.local_stack.model_brain import answer
from tests.fakes.llm_client import result_of


class StandInModel:
    """Implements `LLMClient`; `prompts` keeps what it was told."""

    def __init__(self) -> None:
        self.prompts: list[Sequence[dict[str, Any]]] = []

    def chat(self, *, model: str, messages: Sequence[dict[str, Any]], **_rest: Any) -> LLMCallResult:
        self.prompts.append(messages)
        return result_of(answer({"model": model, "input": list(messages)}), model=model)
