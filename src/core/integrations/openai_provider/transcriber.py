"""`Transcriber` over the SDK's audio transcriptions: one call, and one more with a rotated key; customers can type."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import openai

from core.domain.errors import LLMError, LLMProviderError, LLMTimeoutError, ModelAttemptError
from core.domain.llm import CallPurpose, LLMAttempt, LLMCallResult, LLMFailure
from core.domain.media import MediaFile
from core.integrations.model_calls.bounded_call import AbandonedError, call_within
from core.integrations.model_calls.faults import report, tell_refusal, timed_out
from core.integrations.model_calls.provider_key import ProviderKey
from core.integrations.openai_sdk.failures import SDK_ERRORS, fault_of

_PROVIDER = "openai"
# The endpoint knows a format by the file's name.
_NAMES = {
    "audio/ogg": "audio.ogg",
    "audio/opus": "audio.ogg",
    "audio/mpeg": "audio.mp3",
    "audio/mp4": "audio.m4a",
    "audio/wav": "audio.wav",
    "audio/webm": "audio.webm",
    "audio/flac": "audio.flac",
}


class OpenAITranscriber:
    """`language` (ISO 639-1) is a hint. Bytes and words are in no log."""

    def __init__(
        self,
        client: openai.OpenAI,
        *,
        model: str,
        language: str = "pt",
        reread_key: Callable[[], str] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._key = ProviderKey(client, reread_key)
        self._model = model
        self._monotonic = monotonic
        # gpt-transcribe takes several languages, the models before it one.
        multilingual = model.startswith("gpt-transcribe")
        self._hint: dict[str, Any] = {"languages": [language]} if multilingual else {"language": language}

    @property
    def model(self) -> str:
        """See `Transcriber.model`."""
        return self._model

    def transcribe(self, file: MediaFile, *, timeout_seconds: float) -> LLMCallResult:
        """See `Transcriber.transcribe`."""
        kind = file.mime_type.split(";")[0].strip().lower()
        named = (_NAMES.get(kind, "audio.ogg"), file.content, kind)
        started = self._monotonic()
        key = self._key.current
        outcome = self._attempt(named, max(timeout_seconds, 0.001))
        if isinstance(outcome, ModelAttemptError) and outcome.failure is LLMFailure.AUTH and self._key.replaced(key):
            outcome = self._attempt(named, max(timeout_seconds - (self._monotonic() - started), 0.001))
        latency_ms = round((self._monotonic() - started) * 1000)
        if isinstance(outcome, ModelAttemptError):
            raise _error(outcome, self._model, latency_ms)
        return _result(outcome, self._model, latency_ms)

    def _attempt(self, named: tuple[str, bytes, str], budget: float) -> Any:
        def call() -> Any:
            create = self._client.audio.transcriptions.create
            return create(file=named, model=self._model, timeout=budget, **self._hint)

        try:
            answer = call_within(budget, call)
        except AbandonedError:
            return timed_out()
        except SDK_ERRORS as error:
            return fault_of(error)
        text = getattr(answer, "text", None)
        if isinstance(text, str) and text.strip():
            return answer
        return ModelAttemptError("empty transcript", failure=LLMFailure.EMPTY, status=200)


def _result(answer: Any, model: str, latency_ms: int) -> LLMCallResult:
    """Models tell tokens, or the seconds that they are billed by; where they tell neither, no cost is guessed."""
    usage = getattr(answer, "usage", None)
    tokens_input, tokens_output = _count(usage, "input_tokens"), _count(usage, "output_tokens")
    seconds = _seconds(usage)
    request_id = getattr(answer, "_request_id", None)
    attempt = LLMAttempt(
        number=1,
        latency_ms=latency_ms,
        status=200,
        request_id=request_id,
        tokens_input=tokens_input,
        tokens_output=tokens_output,
        provider=_PROVIDER,
        model=model,
    )
    return LLMCallResult(
        raw_response=answer.text,
        model=model,
        tokens_input=tokens_input,
        tokens_output=tokens_output,
        latency_ms=latency_ms,
        audio_seconds=seconds,
        usage_missing=not (tokens_input or tokens_output or seconds),
        request_id=request_id,
        attempts=(attempt,),
    )


def _error(fault: ModelAttemptError, model: str, latency_ms: int) -> LLMError:
    report(fault, provider=_PROVIDER, model=model, attempt=1, purpose=CallPurpose.TRANSCRIPTION)
    tell_refusal(fault, provider=_PROVIDER, model=model, purpose=CallPurpose.TRANSCRIPTION)
    attempt = LLMAttempt(
        number=1,
        latency_ms=latency_ms,
        failure=fault.failure,
        status=fault.status,
        request_id=fault.request_id,
        provider=_PROVIDER,
        model=model,
    )
    late = fault.failure is LLMFailure.TIMEOUT and fault.status is None
    kind = LLMTimeoutError if late else LLMProviderError
    return kind(f"OpenAI {fault.label}", failure=fault.failure, attempts=(attempt,))


def _seconds(usage: Any) -> int:
    """Begun seconds."""
    value = getattr(usage, "seconds", None)
    return math.ceil(value) if isinstance(value, int | float) and math.isfinite(value) and value > 0 else 0


def _count(usage: Any, name: str) -> int:
    value = getattr(usage, name, None)
    return value if isinstance(value, int) and value > 0 else 0
