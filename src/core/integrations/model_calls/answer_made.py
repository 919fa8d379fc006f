"""What every provider's 200 becomes once it is read: a result, or a fault with what the answer cost all the same."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import ModelAttemptError
from core.domain.llm import LLMCallResult, LLMFailure
from core.integrations.model_calls.usage import Usage


@dataclass(frozen=True, slots=True)
class AnswerMade:
    """A provider's answer without its words: tokens, and the id under which the provider knows it."""

    usage: Usage
    request_id: str | None

    def unusable(self, failure: LLMFailure, label: str) -> ModelAttemptError:
        """It answers nothing."""
        return ModelAttemptError(
            label,
            failure=failure,
            status=200,
            request_id=self.request_id,
            tokens_input=self.usage.input,
            tokens_output=self.usage.output,
        )

    def result(self, text: object, *, asked: str, returned: object) -> LLMCallResult:
        """By the model that answered, where it says which. Raises `ModelAttemptError` for what is no text or blank."""
        if not isinstance(text, str) or not text.strip():
            raise self.unusable(LLMFailure.EMPTY, "empty output")
        return LLMCallResult(
            raw_response=text,
            model=returned if isinstance(returned, str) and returned else asked,
            tokens_input=self.usage.input,
            tokens_output=self.usage.output,
            latency_ms=0,
            tokens_cached=self.usage.cached,
            tokens_cache_written=self.usage.cache_written,
            tokens_reasoning=self.usage.reasoning,
            usage_missing=self.usage.missing,
            request_id=self.request_id,
        )
